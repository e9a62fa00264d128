"""Demands on classes for the kernels' tests, written out plainly: sets of rows and of codes, nothing incremental."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray
from unit.kernels.kernel_secrets import KINDS, Secret, random_secrets

from celosia import kernels


@dataclass(frozen=True)
class Distinct:
    codes: Sequence[int]
    least: int

    def inside(self, rows: Sequence[int]) -> set[int]:
        return {self.codes[row] for row in rows if self.codes[row] >= 0}

    def n_needed(self, rows: Sequence[int]) -> int:
        return max(self.least - len(self.inside(rows)), 0)


@dataclass(frozen=True)
class PlainDemands:
    n_rows: int
    least_rows: Sequence[int] = ()
    distinct: Sequence[Distinct] = ()
    secrets: Sequence[Secret] = ()

    @property
    def n_least_rows(self) -> int:
        return max([1, *self.least_rows, *(demand.least for demand in self.distinct)])

    def met_by(self, rows: Sequence[int]) -> bool:
        enough_codes = all(demand.n_needed(rows) == 0 for demand in self.distinct)
        enough_rows = len(rows) >= max(self.least_rows, default=1)
        return enough_rows and enough_codes and all(demand.met_by(rows) for demand in self.secrets)

    def may_join(self, members: Sequence[int], free: Sequence[int]) -> list[int]:
        """The free rows that the unfinished class may take: any while there are places to spare, then those that help.

        There is no place to spare when one demand alone needs as many rows as are missing to the least size.
        """
        n_needed = max((demand.n_needed(members) for demand in self.distinct), default=0)
        if n_needed == 0 or n_needed < self.n_least_rows - len(members):
            return list(free)
        unmet = [(demand, demand.inside(members)) for demand in self.distinct if demand.n_needed(members) > 0]
        return [row for row in free if any(d.codes[row] >= 0 and d.codes[row] not in inside for d, inside in unmet)]

    def for_kernels(self) -> kernels.Demands:
        demands = kernels.Demands(self.n_rows)
        for least in self.least_rows:
            demands.add_rows(least)
        for demand in self.distinct:
            demands.add_distinct(np.array(demand.codes, dtype=np.int32), demand.least)
        for secret in self.secrets:
            secret.add_to(demands)
        return demands


def people_demands(n_rows: int, k: int, subjects: NDArray[np.int32] | None = None) -> PlainDemands:
    """Demand k rows or, with subjects, rows of k people."""
    if subjects is None:
        return PlainDemands(n_rows, [k])
    return PlainDemands(n_rows, [], [Distinct(subjects.tolist(), k)])


def k_rows(n_rows: int, k: int) -> kernels.Demands:
    return people_demands(n_rows, k).for_kernels()


def random_demands(random: Random, n_rows: int) -> PlainDemands:
    """Make a demand for rows, up to three for codes, or both; all rows together meet every one of them."""
    least_rows = [random.choice([1, 2, 3, 5, n_rows])] if random.randint(0, 3) > 0 else []
    distinct = [random_distinct(random, n_rows) for _ in range(random.choice([0, 0, 1, 1, 2, 3]))]
    return PlainDemands(
        n_rows,
        [min(least, n_rows) for least in least_rows],
        [demand for demand in distinct if not demand.n_needed(range(n_rows))],
    )


def random_secret_demands(random: Random, n_rows: int, kinds: Sequence[str] = KINDS) -> PlainDemands:
    """Make demands on secrets, and others beside; all rows together meet every one of them."""
    others = random_demands(random, n_rows)
    least_rows = [least for least in others.least_rows if least < n_rows]
    distinct = others.distinct if random.random() < 0.3 else []
    return PlainDemands(n_rows, least_rows, distinct, random_secrets(random, n_rows, kinds))


def random_distinct(random: Random, n_rows: int) -> Distinct:
    """Codes of a few or of many people, some unknown, with gaps between the codes."""
    n_codes = random.choice([2, 3, max(n_rows, 1)])
    unknown_one_in = random.choice([0, 0, 4])
    codes = [
        random.choice([-1, -9]) if unknown_one_in and random.randint(1, unknown_one_in) == 1 else code * 5
        for code in (random.randint(0, n_codes - 1) for _ in range(n_rows))
    ]
    return Distinct(codes, random.randint(1, 4))


def rows_of_classes(labels: NDArray[np.int32] | Sequence[int]) -> list[list[int]]:
    classes: dict[int, list[int]] = {}
    for row, label in enumerate(np.asarray(labels).tolist()):
        classes.setdefault(label, []).append(row)
    return [classes[label] for label in sorted(classes)]
