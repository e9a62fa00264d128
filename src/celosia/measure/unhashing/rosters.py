"""Lists of values that may have been hashed."""

from __future__ import annotations

from pathlib import Path

from celosia.base.errors import InputError
from celosia.data.io import read
from celosia.data.io.encodings import decode
from celosia.data.schema.columns import as_text


def read_roster(path: str) -> list[str]:
    r"""Read a text file (``.txt``) with a value in each line, or the first column of a table.

    The first line of a table counts as a value too, since a list may have no header.

    Raises
    ------
    InputError
        The file cannot be read.
    FormatError
        It is no text, or no table of a known format.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "class.txt").write_text("ana@x.es\nluis@x.es\n")
    ...     read_roster(f"{folder}/class.txt")
    ['ana@x.es', 'luis@x.es']
    """
    file = Path(path)
    if file.suffix.lower() != ".txt":
        frame = read(path).frame
        return [frame.columns[0], *as_text(frame.to_series()).drop_nulls().to_list()]
    try:
        data = file.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
    else:
        return [line for line in decode(data, file.name).data.decode().splitlines() if line]
    raise InputError(f"cannot read {file.name}: {reason}.", hint="check the path and the permissions.")
