"""Small random tables whose columns are trees, and what recoding whole columns comes to, by plain definitions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

import celosia as cl
from celosia.data.classes import Classes

Value = str | None
Cut = Mapping[Value, int]
"""The level on which each value of a column is published."""


@dataclass
class SmallForest:
    paths: list[dict[str, tuple[str, ...]]]  # of each column: leaf -> labels, the leaf first and * last
    rows: list[tuple[Value, ...]]
    secrets: list[str]
    people: list[str] | None = None

    @property
    def names(self) -> list[str]:
        return [f"c{j}" for j in range(len(self.paths))]

    def height(self, column: int) -> int:
        return len(next(iter(self.paths[column].values()))) - 1

    def table(self) -> cl.Table:
        data: dict[str, Any] = {name: [row[j] for row in self.rows] for j, name in enumerate(self.names)}
        data["secret"] = self.secrets
        if self.people is not None:
            data["who"] = self.people
        trees = {name: cl.Tree(list(paths.values())) for name, paths in zip(self.names, self.paths, strict=True)}
        schema = cl.Schema(
            quasi_identifiers=trees, sensitive=["secret"], subject=None if self.people is None else "who"
        )
        return cl.Table(pl.DataFrame(data, schema_overrides=dict.fromkeys(self.names, pl.String)), schema)

    def values(self, column: int) -> list[Value]:
        return list(dict.fromkeys(row[column] for row in self.rows))

    def cell(self, column: int, value: Value, level: int) -> tuple[Any, ...]:
        """What is published, so that equal things are equal and different things are not."""
        has_values = any(row[column] is not None for row in self.rows)
        if level == self.height(column) and has_values:
            return ("*",)
        return ("missing",) if value is None else (level, self.paths[column][value][level])

    def loss(self, column: int, value: Value, level: int) -> Fraction:
        """The loss of one cell: that of its node, or 1 if it is * for missing values."""
        paths = self.paths[column]
        values = self.values(column)
        if self.cell(column, value, level) == ("*",) and None in values:
            return Fraction(1)
        if value is None or len(paths) < 2 or len([one for one in values if one is not None]) < 2:
            return Fraction(0)
        under = sum(path[level] == paths[value][level] for path in paths.values())
        return Fraction(under - 1, len(paths) - 1)

    def labels(self, cuts: Sequence[Cut]) -> list[int]:
        keys = [tuple(self.cell(j, value, cuts[j][value]) for j, value in enumerate(row)) for row in self.rows]
        numbers = {key: place for place, key in enumerate(dict.fromkeys(keys))}
        return [numbers[key] for key in keys]

    def gcp(self, cuts: Sequence[Cut], labels: Sequence[int]) -> Fraction:
        spent = Fraction(0)
        for row, label in zip(self.rows, labels, strict=True):
            for j, value in enumerate(row):
                spent += 1 if label < 0 else self.loss(j, value, cuts[j][value])
        return spent / (len(self.rows) * len(self.paths))

    def steps(self, cuts: Sequence[Cut]) -> Iterator[list[Cut]]:
        """All cuts in which one node with two or more children is replaced by these."""
        for j, cut in enumerate(cuts):
            nodes: dict[Any, list[Value]] = {}
            for value in self.values(j):
                nodes.setdefault(self.cell(j, value, cut[value]), []).append(value)
            for values in nodes.values():
                level = cut[values[0]]
                while level > 0:
                    level -= 1
                    if len({self.cell(j, value, level) for value in values}) > 1:
                        yield [*cuts[:j], {**cut, **dict.fromkeys(values, level)}, *cuts[j + 1 :]]
                        break


def small_forest(seed: int) -> SmallForest:
    """One with missing values, subjects, columns of one value or none, and levels that change nothing, now and then."""
    dice = random.Random(seed)
    paths = []
    for j in range(dice.randint(1, 3)):
        n_leaves = dice.choice([1, 2, 4, 6])
        labels = [[f"v{j}{leaf}"] for leaf in range(n_leaves)]
        keys = list(range(n_leaves))
        for level in range(dice.randint(0, 2)):
            parent_of = {key: dice.randrange(max(keys) + 1) for key in sorted(set(keys))}
            keys = [parent_of[key] for key in keys]
            labels = [[*own, f"n{j}{level}{key}"] for own, key in zip(labels, keys, strict=True)]
        paths.append({own[0]: (*own, "*") for own in labels})
    n_rows = dice.randint(4, 30)
    gaps = dice.choice([0.0, 0.0, 0.2])
    rows = [tuple(None if dice.random() < gaps else dice.choice(list(own)) for own in paths) for _ in range(n_rows)]
    if dice.random() < 0.1:
        rows = [(None, *row[1:]) for row in rows]
    secrets = [dice.choice("aabbc") for _ in range(n_rows)]
    people = [f"p{dice.randrange(n_rows)}" for _ in range(n_rows)] if dice.random() < 0.25 else None
    return SmallForest(paths, rows, secrets, people)


def settled(labels: Sequence[int], models: Sequence[Any], table: cl.Table, n_spare: int) -> list[int] | None:
    """Suppress what breaks a model until nothing does; None if that takes too many rows, or all."""
    while True:
        classes = Classes(np.array(labels))
        if not classes.n_classes or classes.n_suppressed > n_spare:
            return None
        broken = {int(label) for model in models for label in model.broken(classes, table)}
        if not broken:
            return [int(label) for label in classes.labels]
        labels = [-1 if label in broken else int(label) for label in classes.labels]


MONOTONE = [
    [cl.KAnonymity(2)],
    [cl.KAnonymity(3)],
    [cl.KAnonymity(2), cl.LDiversity(2, on="secret")],
    [cl.KAnonymity(2), cl.LDiversity(1.5, on="secret", kind="entropy")],
    [cl.KAnonymity(2), cl.TCloseness(0.4, on="secret")],
    [cl.KAnonymity(2), cl.AlphaK(0.75, on="secret")],
    [cl.AverageRisk(0.4)],
    [cl.ShareAtRisk(0.2, threshold=0.4)],
]
NOT_MONOTONE = [
    [cl.KAnonymity(2), cl.DeltaDisclosure(1.2, on="secret")],
    [cl.KAnonymity(2), cl.LDiversity(2, on="secret", kind="recursive", c=2)],
    [cl.KAnonymity(2), cl.BetaLikeness(0.8, on="secret")],
]
