"""What columns tell apart together: reasons for whoever decides on roles, never a role by themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl

from celosia.data.schema import Role
from celosia.data.schema.detectors import percent
from celosia.jobs.suggest.suggestion import Suggestion, shown_name
from celosia.measure.risk.alike import Alike, Coded, coded
from celosia.measure.risk.gains import leave_one_out
from celosia.measure.risk.minimal_keys import MinimalKeys, keys_of

_MOST_COLUMNS = 3
"""What an attacker knows of somebody beside the table is a handful of things."""
_MOST_WORK = 4e8
"""Rows times sets of columns: about two seconds."""
_MOST_KEYS = 20
_MOST_TOLD = 20
_SAMPLE_ROWS = 20_000
_LEAST_TOLD = 0.005


def told_apart(frame: pl.DataFrame, suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Return the suggestions with what their columns tell apart together, identifiers left out.

    All shares are counted on all rows. With which two others a column is counted is chosen on a sample of 20,000.

    Examples
    --------
    >>> people = pl.DataFrame({"age": [40, 40, 41, 41], "sex": ["f", "m", "f", "m"]})
    >>> found = told_apart(people, [Suggestion(name, Role.QUASI_IDENTIFIER, None, ()) for name in people.columns])
    >>> found[0].reasons, found[0].keys
    (("with 'sex' tells every row apart", 'without it 50 % fewer rows are told apart'), (('age', 'sex'),))
    """
    names = [one.column for one in suggestions if one.role != Role.IDENTIFIER]
    if not names or frame.height < 2:
        return list(suggestions)
    known = coded(frame, names)
    found = _keys(known)
    reasons = _reasons(known, found)
    return [
        replace(
            one,
            reasons=(*one.reasons, *reasons.get(one.column, ())),
            keys=tuple(key for key in found.keys if one.column in key),
        )
        for one in suggestions
    ]


def _keys(known: Sequence[Coded]) -> MinimalKeys:
    """Return the smallest keys, of as many columns as can be looked through at once within two seconds or so."""
    n_rows = len(known[0].codes)
    size = n_sets = 0
    while size < min(_MOST_COLUMNS, len(known)):
        n_sets += math.comb(len(known), size + 1)
        if size and n_sets * n_rows > _MOST_WORK:
            break
        size += 1
    found = keys_of(known, size)
    return replace(found, keys=found.keys[:_MOST_KEYS], n_distinct=found.n_distinct[:_MOST_KEYS])


def _reasons(known: Sequence[Coded], found: MinimalKeys) -> Mapping[str, list[str]]:
    """Return what to say of each column."""
    whole = Alike.whole(found.n_rows)
    partners = _partners(sorted(known, key=lambda column: -column.n_codes)[:_MOST_TOLD])
    reasons: dict[str, list[str]] = {column.name: [] for column in known}
    for column in known:
        own = next((key for key in found.keys if column.name in key), None)
        others = partners.get(column.name, [])
        if own is not None:
            what = "every row apart" if found.is_key else "apart all rows that differ"
            reasons[column.name].append(f"{_with([name for name in own if name != column.name])} tells {what}")
        elif others and (n_unique := whole.n_unique_with([column, *others])):
            share = percent(n_unique / found.n_rows)
            reasons[column.name].append(f"{_with([one.name for one in others])} unique in {share} of rows")
    for name, alike in leave_one_out(whole, known):
        fewer = (found.n_needed - alike.n_distinct) / found.n_rows
        if fewer >= _LEAST_TOLD and len(known) > 1:
            reasons[name].append(f"without it {percent(fewer)} fewer rows are told apart")
    return reasons


def _with(others: Sequence[str]) -> str:
    return f"with {' and '.join(shown_name(name) for name in others)}" if others else "alone"


def _partners(columns: Sequence[Coded]) -> dict[str, list[Coded]]:
    """Return for each column the one or two others that make most rows unique with it, in a sample."""
    n_rows = len(columns[0].codes)
    rows = np.random.default_rng(0).permutation(n_rows)[:_SAMPLE_ROWS] if n_rows > _SAMPLE_ROWS else slice(None)
    drawn = [replace(column, codes=column.codes[rows]) for column in columns]
    best: dict[str, tuple[int, list[Coded]]] = {}
    for places in combinations(range(len(columns)), min(_MOST_COLUMNS, len(columns))):
        n_unique = Alike.whole(len(drawn[0].codes)).n_unique_with([drawn[place] for place in places])
        for place in places:
            if n_unique > best.get(columns[place].name, (0,))[0]:
                best[columns[place].name] = n_unique, [columns[other] for other in places if other != place]
    return {name: others for name, (_, others) in best.items()}
