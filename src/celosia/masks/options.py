"""The checks that constructors of masks share."""

from __future__ import annotations

from collections.abc import Sequence

from celosia.base.errors import OptionError


def named_columns(mask: str, column: object, columns: object) -> tuple[str, ...]:
    """Return the columns that ``column`` or ``columns`` names, one of the two.

    Raises
    ------
    OptionError
        None or both are given, or they are no texts.

    Examples
    --------
    >>> named_columns("drop", "name", ()), named_columns("drop", None, ["a", "b"])
    (('name',), ('a', 'b'))
    """
    is_list = isinstance(columns, Sequence) and not isinstance(columns, str)
    named = list(columns) if column is None and is_list else [column]  # type: ignore[call-overload]
    is_double = column is not None and bool(columns)
    if is_double or not is_list or not named or not all(isinstance(one, str) for one in named):
        raise OptionError(
            f"{mask} needs a column, or a list of columns.", hint=f"write {{{mask}: {{columns: [name]}}}}."
        )
    if len(set(named)) < len(named):
        raise OptionError(f"{mask} names a column twice.", hint="name each column once.")
    return tuple(named)


def one_column(mask: str, column: object) -> str:
    """Return the name of the one column that a mask works on.

    Examples
    --------
    >>> one_column("round", "salary")
    'salary'
    """
    if not isinstance(column, str):
        raise OptionError(f"{mask} needs a column.", hint=f"write {{{mask}: {{column: name}}}}.", about="column")
    return column


def check_flag(option: str, got: object) -> None:
    """Raise ``OptionError`` unless ``got`` is true or false.

    Examples
    --------
    >>> check_flag("swap: joint", True)
    """
    if not isinstance(got, bool):
        raise OptionError(
            f"{option} is of type {type(got).__name__}; allowed: true, false.",
            hint="write true or false.",
            about=option.rpartition(" ")[2],
        )
