"""The characters of a text file: which encoding its bytes are in, and the same text in UTF-8."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from celosia.base.errors import FormatError, OptionError

_UNDEFINED_IN_WINDOWS_1252 = b"\x81\x8d\x8f\x90\x9d"
_CHUNK = 1 << 24


@dataclass(frozen=True)
class Text:
    """A file's text: UTF-8 bytes without a byte order mark, and how the file itself spelt them."""

    data: bytes
    encoding: str
    has_bom: bool


def decode(data: bytes, file: str, encoding: str | None = None) -> Text:
    """Return the text in UTF-8.

    Without a given encoding: a byte order mark decides; then UTF-8 if the bytes are valid; then ``windows-1252`` if
    they use its own range 0x80-0x9f, else ``latin-1``.

    Raises
    ------
    FormatError
        When the bytes are no text in that encoding, or hold NUL.
    OptionError
        When the given encoding does not exist.

    Examples
    --------
    >>> decode("año".encode("latin-1"), "people.csv").encoding
    'latin-1'
    """
    if encoding is not None:
        text = _decode_as(data, file, encoding)
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = _decode_as(data, file, "utf-16")
    else:
        _refuse_nul(data, file)
        text = _guess(data, file)
    _refuse_nul(text.data, file)
    return text


def _decode_as(data: bytes, file: str, encoding: str) -> Text:
    name = _canonical_name(encoding)
    if name == "utf-8":
        line = _bad_line(data)
        if line is None:
            return Text(data.removeprefix(codecs.BOM_UTF8), name, data.startswith(codecs.BOM_UTF8))
    else:
        try:
            text = data.decode(encoding)
        except UnicodeError as error:
            line = _line_of(error, data, encoding)
        else:
            has_bom = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and name.startswith("utf-16")
            return Text(text.removeprefix("\ufeff").encode("utf-8"), name, has_bom)
    raise FormatError(
        f"line {line} of {file} is not valid {encoding} text.", hint="leave the encoding out to have it found."
    )


def _canonical_name(encoding: str) -> str:
    try:
        "a".encode(encoding)
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        name = ""
    if not name:
        raise OptionError(
            f"'{encoding}' is not a text encoding.", hint="use utf-8, utf-16, latin-1 or windows-1252, or leave it out."
        )
    return {"iso8859-1": "latin-1", "cp1252": "windows-1252", "utf-8-sig": "utf-8"}.get(name, name)


def _bad_line(data: bytes) -> int | None:
    """Return the line of the first bytes that are not UTF-8, or None."""
    if data.isascii() or _is_utf8(data):
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _line_of(error, data, "utf-8")
    return None


def _is_utf8(data: bytes) -> bool:
    """Decode in pieces: the whole text at once may take four times the memory of its bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    try:
        for start in range(0, len(data), _CHUNK):
            decoder.decode(view[start : start + _CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _line_of(error: UnicodeError, data: bytes, encoding: str) -> int:
    if not isinstance(error, UnicodeDecodeError):
        return 1
    return data[: error.start].decode(encoding, errors="ignore").count("\n") + 1


def _guess(data: bytes, file: str) -> Text:
    line = _bad_line(data)
    if line is None:
        return Text(data.removeprefix(codecs.BOM_UTF8), "utf-8", data.startswith(codecs.BOM_UTF8))
    text = data.decode("utf-8", errors="replace")
    n_broken = text.count("\ufffd")
    n_valid = len(text) - len(text.encode("ascii", errors="ignore")) - n_broken
    # Letters of Latin-1 hardly ever make valid UTF-8 by chance: a few valid ones tell what the file was meant to be.
    if n_valid * 20 >= n_broken or data.startswith(codecs.BOM_UTF8):
        raise FormatError(
            f"{file} mixes encodings: it is UTF-8 but for {n_broken} places, the first in line {line}.",
            hint="save it anew as UTF-8, or say the encoding.",
        )
    high = bytes(byte for byte in range(0x80, 0xA0) if byte in data)
    if any(byte in _UNDEFINED_IN_WINDOWS_1252 for byte in high):
        raise FormatError(
            f"{file} is neither UTF-8 (line {line} breaks it) nor Latin-1 or Windows-1252 text.",
            hint="say the encoding, or save the file as UTF-8.",
        )
    encoding = "windows-1252" if high else "latin-1"
    return Text(data.decode(encoding).encode("utf-8"), encoding, False)


def _refuse_nul(data: bytes, file: str) -> None:
    position = data.find(b"\0")
    if position >= 0:
        line = data.count(b"\n", 0, position) + 1
        raise FormatError(
            f"line {line} of {file} holds a NUL byte: this is no text file.",
            hint="say the format if it is no CSV file, or encoding=utf-16 if it is UTF-16 without a mark.",
        )
