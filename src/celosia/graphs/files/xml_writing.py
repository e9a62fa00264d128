"""Text as XML wants it."""

from __future__ import annotations

import polars as pl

from celosia.base.errors import FormatError
from celosia.graphs.files.outgoing import Outgoing

_ELEMENT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = str.maketrans(
    {**{chr(code): text for code, text in _ELEMENT.items()}, '"': "&quot;"} | {"\n": "&#10;", "\t": "&#9;"}
)
_FORBIDDEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"


def in_element(text: str) -> str:
    """Return a text as it stands between two tags.

    Examples
    --------
    >>> in_element("R&D < 3")
    'R&amp;D &lt; 3'
    """
    return text.translate(_ELEMENT)


def in_attribute(text: str) -> str:
    r"""Return a text as it stands between double quotes in a tag.

    Examples
    --------
    >>> in_attribute('5" pipe\n')
    '5&quot; pipe&#10;'
    """
    return text.translate(_ATTRIBUTE)


def xml_type(dtype: pl.DataType) -> str:
    """Return what GraphML and GEXF call the type of a column: dates and times are texts.

    Examples
    --------
    >>> xml_type(pl.Int32()), xml_type(pl.Date())
    ('long', 'string')
    """
    if dtype.is_integer():
        return "long"
    if dtype.is_float() or dtype.is_decimal():
        return "double"
    return "boolean" if dtype == pl.Boolean else "string"


def refuse_control_characters(graph: Outgoing) -> None:
    """Refuse texts that XML has no way to write.

    Raises
    ------
    FormatError
        With the attribute and the number of its cells.

    Examples
    --------
    >>> from celosia.graphs.files.outgoing import outgoing
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.base.chance import Randomness
    >>> refuse_control_characters(outgoing(Graph.of_edges([0], [1]), Randomness())[0])
    """
    columns = [graph.names.alias("name"), *graph.vertices.get_columns(), *graph.edges.get_columns()]
    for column in columns:
        cells = pl.Series([column.name]) if column.dtype != pl.String else pl.concat([pl.Series([column.name]), column])
        n_bad = int(cells.str.contains(_FORBIDDEN).sum())
        if n_bad:
            raise FormatError(
                f"{n_bad} texts of '{column.name}' hold control characters, which XML cannot hold.",
                hint="take them out, or write csv or parquet.",
            )
