"""The formats of graph files, and compressed ones: unpacked within limits, packed without a name or a time inside."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, get_args

from celosia.base.errors import FormatError, InputError, OptionError, nearest

_PIECE = 1 << 22
_ALWAYS_ALLOWED = 1 << 30
_LARGEST_RATIO = 200
"""Edge lists shrink to a quarter, the densest XML to a fiftieth; what grows more than this is a bomb."""

_MAGIC = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz", b"PK\x03\x04": ".zip"}
_DAMAGED = (EOFError, OSError, ValueError, RuntimeError, struct.error, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
"""What the unpackers of the standard library raise; ``NotImplementedError`` is a ``RuntimeError``."""

_EPOCH = (1980, 1, 1, 0, 0, 0)


GraphFormat = Literal["csv", "tsv", "edgelist", "matrix", "graphml", "gexf", "gml", "pajek", "parquet", "arrow"]
"""``csv``, ``tsv`` and ``edgelist`` (separated by blanks) hold an edge per line, ``matrix`` an adjacency matrix."""
_SUFFIXES: Mapping[GraphFormat, tuple[str, ...]] = {
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
    "edgelist": (".edgelist", ".edges", ".el", ".txt", ".dat", ".data", ".ncol"),
    "matrix": (".adj", ".matrix"),
    "graphml": (".graphml", ".xml"),
    "gexf": (".gexf",),
    "gml": (".gml",),
    "pajek": (".net", ".pajek"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
}
_PACKINGS = (".gz", ".bz2", ".xz", ".zip")


def file_content(path: Path) -> bytes:
    """Return the bytes of a file.

    Raises
    ------
    InputError
        It is missing, a folder, or not to be read.
    FormatError
        It is empty.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "edges.csv")
    >>> _ = path.write_bytes(b"a,b")
    >>> file_content(path)
    b'a,b'
    """
    try:
        data = path.read_bytes()
    except IsADirectoryError:
        reason = "it is a folder"
    except OSError as error:
        reason = error.strerror or type(error).__name__
    else:
        if data:
            return data
        raise FormatError(f"{path.name} is empty.", hint="the file has no bytes; write it anew.")
    raise InputError(f"cannot read {path.name}: {reason}.", hint="check the path and the permissions.")


def unpacked(data: bytes, file: str) -> tuple[bytes, str]:
    r"""Return the content of a file, unpacked if its first bytes say that it is packed, and the name of that content.

    The name is the file's own, but for a zip archive, where it is the one of the single file inside.

    Raises
    ------
    FormatError
        The packed data is damaged or cut short, grows beyond measure, or an archive holds more than one file.

    Examples
    --------
    >>> unpacked(gzip.compress(b"a b\n"), "edges.txt.gz")
    (b'a b\n', 'edges.txt.gz')
    """
    kind = next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), None)
    if kind is None:
        return data, file
    try:
        if kind == ".zip":
            return _from_archive(data, file)
        opened: Any = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}[kind]
        with opened(io.BytesIO(data)) as stream:
            return _limited(stream, len(data), file), file
    except _DAMAGED:
        reason = f"{file} is damaged or cut short: its {kind[1:]} data does not unpack to the end."
    raise FormatError(reason, hint="copy or download it anew.")


def _from_archive(data: bytes, file: str) -> tuple[bytes, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [member for member in archive.infolist() if not member.filename.endswith("/")]
        if len(members) != 1:
            raise FormatError(
                f"{file} holds {len(members)} files; one was expected.", hint="unpack it and give the file of edges."
            )
        with archive.open(members[0]) as stream:
            return _limited(stream, len(data), file), members[0].filename


def _limited(stream: Any, n_packed: int, file: str) -> bytes:
    most = max(_ALWAYS_ALLOWED, _LARGEST_RATIO * n_packed)
    content = bytearray()
    while piece := stream.read(_PIECE):
        content += piece
        if len(content) > most:
            raise FormatError(
                f"{file} unpacks to more than {_LARGEST_RATIO} times its size.",
                hint="unpack it yourself if you trust its sender.",
            )
    return bytes(content)


@contextmanager
def packed(file: IO[bytes], suffix: str, member: str) -> Iterator[IO[bytes]]:
    """Give a file to write into that packs what it gets, with neither a file name nor a time in its header.

    Parameters
    ----------
    file
        An empty binary file.
    suffix
        ``.gz``, ``.bz2``, ``.xz``, ``.zip``, or empty for no packing.
    member
        What the content is called inside a zip archive, which cannot do without a name.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> with packed(file, ".gz", "graph.csv") as inside:
    ...     _ = inside.write(b"a,b")
    >>> gzip.decompress(file.getvalue())
    b'a,b'
    """
    if suffix == ".gz":
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as inside:
            yield inside  # type: ignore[misc]
    elif suffix == ".bz2":
        with bz2.BZ2File(file, "wb") as inside:
            yield inside
    elif suffix == ".xz":
        with lzma.LZMAFile(file, "wb") as inside:
            yield inside
    elif suffix == ".zip":
        info = zipfile.ZipInfo(member, _EPOCH)
        info.compress_type = zipfile.ZIP_DEFLATED
        with zipfile.ZipFile(file, "w") as archive, archive.open(info, "w", force_zip64=True) as inside:
            yield inside
    else:
        yield file


def without_packing(name: str) -> tuple[str, str]:
    """Return a file's name without the suffix of its compression, and that suffix; empty where there is none.

    Examples
    --------
    >>> without_packing("edges.txt.GZ"), without_packing("edges.csv")
    (('edges.txt', '.gz'), ('edges.csv', ''))
    """
    suffix = Path(name).suffix.lower()
    return (name[: -len(suffix)], suffix) if suffix in _PACKINGS else (name, "")


def format_of(name: str, given: str | None = None) -> GraphFormat:
    """Return the format of a file: the given one, or the one its suffix names; compression does not count.

    Raises
    ------
    OptionError
        The given format is none of those in ``GraphFormat``.
    FormatError
        No format is given and the suffix is unknown.

    Examples
    --------
    >>> format_of("friends.graphml"), format_of("edges.txt.gz"), format_of("links.csv", "matrix")
    ('graphml', 'edgelist', 'matrix')
    """
    formats: tuple[GraphFormat, ...] = get_args(GraphFormat)
    if given is not None:
        for known in formats:
            if given == known:
                return known
        raise OptionError(f"'{given}' is not a format of graphs.", hint=nearest(given, formats), about="format")
    plain, _ = without_packing(name)
    suffix = Path(plain).suffix
    for known, suffixes in _SUFFIXES.items():
        if suffix.lower() in suffixes:
            return known
    allowed = ", ".join(one for suffixes in _SUFFIXES.values() for one in suffixes)
    raise FormatError(
        f"the suffix '{suffix}' of {name} names no known format of graphs; allowed: {allowed}, "
        f"and any of them with {', '.join(_PACKINGS)}.",
        hint=f"rename the file, or say the format: {', '.join(formats)}.",
    )
