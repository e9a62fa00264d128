"""The models by slow definitions on what was published: rows as anybody sees them, in exact numbers."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from tables import Case

ILLS = [
    ("cancer", "grave", "*"),
    ("hiv", "grave", "*"),
    ("cold", "mild", "*"),
    ("flu", "mild", "*"),
    ("gout", "slow", "*"),
]


@dataclass
class Published:
    """Rows as anybody sees them, and who each is about."""

    cells: list[tuple[Any, ...]]
    secrets: dict[str, list[Any]]
    people: list[Any]
    case: Case
    n_drawn: int
    population: list[dict[str, Any]] = field(default_factory=list)

    def classes(self) -> list[list[int]]:
        members = defaultdict(list)
        for row, cells in enumerate(self.cells):
            members[cells].append(row)
        return list(members.values())

    def n_people(self, rows: Sequence[int]) -> int:
        return len({self.people[row] for row in rows})

    def histograms(self, on: str) -> Iterator[Counter[Any]]:
        for rows in self.classes():
            yield Counter(self.secrets[on][row] for row in rows)

    def all(self, on: str) -> Counter[Any]:
        return Counter(self.secrets[on])


def exact(number: float) -> Fraction:
    return Fraction(str(number))


def shares(counts: Counter[Any]) -> dict[Any, Fraction]:
    return {value: Fraction(n, counts.total()) for value, n in counts.items()}


def ln(ratio: Fraction) -> Decimal:
    with localcontext(prec=60):
        return Decimal(ratio.numerator).ln() - Decimal(ratio.denominator).ln()


def decimal(number: Fraction) -> Decimal:
    with localcontext(prec=60):
        return Decimal(number.numerator) / Decimal(number.denominator)


# Each says whether a model holds.


def k_anonymity(seen: Published, k: int) -> bool:
    return all(seen.n_people(rows) >= k for rows in seen.classes())


def alpha_k(seen: Published, alpha: float, on: str, values: list[str] | None = None) -> bool:
    return all(
        share <= exact(alpha)
        for counts in seen.histograms(on)
        for value, share in shares(counts).items()
        if values is None or value in values
    )


def p_sensitive(seen: Published, p: int, on: str, hierarchy: Any = None, level: int | None = None) -> bool:
    label = {row[0]: row[level or 0] for row in ILLS}
    return all(
        len({value if hierarchy is None else label[value] for value in counts if value is not None}) >= p
        for counts in seen.histograms(on)
    )


def l_diversity(seen: Published, l: float, on: str, kind: str = "distinct", c: float | None = None) -> bool:  # noqa: E741
    return all(_is_diverse(counts, l, kind, c) for counts in seen.histograms(on))


def _is_diverse(counts: Counter[Any], least: float, kind: str, c: float | None) -> bool:
    if kind == "distinct":
        return len(set(counts) - {None}) >= least
    falling = sorted(counts.values(), reverse=True)
    if kind == "entropy":
        f = sum(falling)
        return f**f >= exact(least) ** f * math.prod(n**n for n in falling)
    return len(falling) >= least and falling[0] < exact(c) * sum(falling[int(least) - 1 :])


def t_closeness(seen: Published, t: float, on: str, distance: str = "equal", hierarchy: Any = None) -> bool:
    whole = shares(seen.all(on))
    return all(_moved(shares(own), whole, distance, hierarchy) <= exact(t) for own in seen.histograms(on))


def _moved(own: dict[Any, Fraction], whole: dict[Any, Fraction], distance: str, hierarchy: Any) -> Fraction:
    extra = {value: own.get(value, Fraction(0)) - share for value, share in whole.items()}
    if distance == "equal":
        return sum(map(abs, extra.values()), Fraction(0)) / 2
    if distance == "hierarchical":
        return _moved_in_tree(extra)
    known = [value for value in whole if value is not None]
    if hierarchy is not None:
        known.sort(key=list(hierarchy.values).index)
    else:
        known.sort()
    line = ([None] if None in whole else []) + known
    places = [Fraction(value) for value in line] if distance == "numeric" else [Fraction(i) for i in range(len(line))]
    carried, total = Fraction(0), Fraction(0)
    for i in range(len(line) - 1):
        carried += extra[line[i]]
        total += abs(carried) * (places[i + 1] - places[i])
    return total / (places[-1] - places[0]) if len(line) > 1 else Fraction(0)


def _moved_in_tree(extra: dict[Any, Fraction]) -> Fraction:
    """Sum over nodes of height / H * min(what children have too much, what they lack); missing hangs on the root."""
    missing = extra.get(None, Fraction(0))
    height = len(ILLS[0]) - 1
    at_level = {("leaf", row[0]): extra.get(row[0], Fraction(0)) for row in ILLS}
    total = Fraction(0)
    for level in range(1, height + 1):
        children: dict[Any, list[Fraction]] = defaultdict(list)
        below = level - 1
        for node in {(below or "leaf", row[below]) for row in ILLS}:
            (parent,) = {row[level] for row in ILLS if row[below] == node[1]}
            children[(level, parent)].append(at_level[node])
        if level == height:
            children[(level, "*")].append(missing)
        for parts in children.values():
            total += Fraction(level, height) * min(sum(max(x, 0) for x in parts), sum(max(-x, 0) for x in parts))
        at_level = {node: sum(parts, Fraction(0)) for node, parts in children.items()}
    return total


def delta_disclosure(seen: Published, delta: float, on: str, kind: str = "strict", base: float | None = None) -> bool:
    whole = shares(seen.all(on))
    for counts in seen.histograms(on):
        own = shares(counts)
        if kind == "strict" and set(own) != set(whole):
            return False
        for value, share in own.items():
            ratio = max(share / whole[value], whole[value] / share)
            if base is None and ln(ratio) >= decimal(exact(delta)):
                return False
            power = exact(delta)
            if base is not None and ratio**power.denominator >= exact(base) ** power.numerator:
                return False
    return True


def beta_likeness(seen: Published, beta: float, on: str, kind: str = "basic") -> bool:
    whole = shares(seen.all(on))
    for counts in seen.histograms(on):
        for value, share in shares(counts).items():
            gain = (share - whole[value]) / whole[value]
            if gain > exact(beta):
                return False
            if kind == "enhanced" and gain > 0 and decimal(gain) > -ln(whole[value]):
                return False
    return True


def k_map(seen: Published, k: int, population: Any, significance: float = 0.05) -> bool:
    if isinstance(population, int):
        return k_anonymity(
            seen, _least_in_sample(k, Fraction(seen.n_drawn * k, population), population, seen, significance)
        )
    names = list(seen.case.columns)
    for cells in set(seen.cells):
        fitting = {
            person["who"]
            for person in seen.population
            if all(seen.case.contains(name, cell, person[name]) for name, cell in zip(names, cells, strict=True))
        }
        if len(fitting) < k:
            return False
    return True


def _least_in_sample(k: int, mean: Fraction, population: int, seen: Published, significance: float) -> int:
    """min(k, k'): k' is the least with P(X >= k') <= significance for a Poisson X; of a whole population, k."""
    if seen.n_drawn >= population:
        return k
    below, least = 0.0, 0
    while 1 - below > significance:
        below += math.exp(-float(mean)) * float(mean) ** least / math.factorial(least)
        least += 1
    return min(k, least)


def average_risk(seen: Published, limit: float) -> bool:
    risks = [Fraction(len(rows), seen.n_people(rows)) for rows in seen.classes()]
    return sum(risks, Fraction(0)) / len(seen.cells) <= exact(limit)


def share_at_risk(seen: Published, share: float, threshold: float = 0.2) -> bool:
    at_risk = [len(rows) for rows in seen.classes() if Fraction(1, seen.n_people(rows)) > exact(threshold)]
    return Fraction(sum(at_risk), len(seen.cells)) <= exact(share)


def sample_uniqueness(seen: Published, share: float) -> bool:
    alone = [len(rows) for rows in seen.classes() if seen.n_people(rows) == 1]
    return Fraction(sum(alone), len(seen.cells)) <= exact(share)
