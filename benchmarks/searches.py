"""Which searches run on which table: every algorithm of the registry, some with several options."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from benchmarks.tables import Sample
from celosia.jobs import registry

__all__ = ["Search", "searches_for"]

_MOST_ROWS = {"hilbert_order": 10**8, "mondrian": 10**8, "reference_order": 10**8, "weave": 10**8}
"""Searches of near-linear cost. All others, new ones too, stop at ``_MOST_ROWS_OF_OTHERS``."""

_MOST_ROWS_OF_OTHERS = 100_000
_MOST_ROWS_OF_ANYTIME = 1_000_000


@dataclass(frozen=True)
class Search:
    """An algorithm of the registry with its options."""

    name: str
    options: dict[str, Any]

    @property
    def title(self) -> str:
        """How it is written in Python, options that are not given left out."""
        kind = registry.classes_in("algorithms")[self.name].__name__
        return f"{kind}({', '.join(f'{option}={value!r}' for option, value in self.options.items())})"


def searches_for(sample: Sample, names: Collection[str] = ()) -> list[Search]:
    """Return the searches that a table of this length allows; of the algorithms named, if any are."""
    return [
        Search(name, options)
        for name in registry.classes_in("algorithms")
        if (not names or name in names) and sample.n_rows <= _MOST_ROWS.get(name, _MOST_ROWS_OF_OTHERS)
        for options in _variants(name, sample)
    ]


def _variants(name: str, sample: Sample) -> list[dict[str, Any]]:
    if name == "mondrian":
        return [{}, {"strict": False}]
    if name == "weave":
        efforts: list[dict[str, Any]] = [{"effort": "fast"}]
        if sample.n_rows <= _MOST_ROWS_OF_ANYTIME:
            efforts.append({"effort": "balanced"})
            efforts += [{"effort": "best", "time_limit": limit} for limit in sample.time_limits]
        return efforts
    return [{}]
