"""Results and options as dicts: read off their fields, so that nobody spells them twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from fractions import Fraction
from typing import Any, ClassVar


def plain(value: Any) -> Any:
    """Return a value as files hold it: lists for tuples and arrays, floats for fractions, dicts for results.

    Examples
    --------
    >>> plain({"keep": (5, 3), "risk": Fraction(1, 4)})
    {'keep': [5, 3], 'risk': 0.25}
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(name): plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers
        return value.tolist()
    return float(value) if isinstance(value, Fraction) else value


class Result:
    """A dataclass of figures, whose ``to_dict`` is what ``--json`` prints.

    Attributes
    ----------
    shown
        The names of what is printed, in order; properties may be among them. Where there are none, all fields are, but
        for those that ``repr`` leaves out.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Found(Result):
    ...     k: int
    ...     risk: Fraction
    >>> Found(4, Fraction(1, 4)).to_dict()
    {'k': 4, 'risk': 0.25}
    """

    shown: ClassVar[tuple[str, ...]] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as ``--json`` prints them."""
        names = self.shown or tuple(own.name for own in _fields(self) if own.repr)
        return {name: plain(getattr(self, name)) for name in names}


class Options:
    """A dataclass of options, whose ``to_dict`` is what a plan file says; what no comparison looks at is no option.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Kept(Options):
    ...     keep: tuple[int, ...]
    ...     symbol: str = "*"
    >>> Kept((5, 3)).to_dict()
    {'keep': [5, 3]}
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        given = {own.name: (getattr(self, own.name), own) for own in _fields(self) if own.compare}
        return {name: plain(value) for name, (value, own) in given.items() if value != _default(own)}


class Demand:
    """A dataclass of what is demanded, whose ``to_dict`` is what a plan file and a claim say.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Diverse(Demand):
    ...     kind: str = "distinct"
    ...     c: float | None = None
    >>> Diverse().to_dict()
    {'kind': 'distinct'}
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the options, those at their defaults too; what has no value is left out."""
        given = {own.name: getattr(self, own.name) for own in _fields(self) if own.compare}
        return {name: plain(value) for name, value in given.items() if value is not None}


def _fields(made: Any) -> tuple[Field[Any], ...]:
    return fields(made)


def _default(own: Field[Any]) -> Any:
    return own.default if own.default_factory is MISSING else own.default_factory()
