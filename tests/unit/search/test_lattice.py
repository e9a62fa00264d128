"""Lattice against brute force over all recodings, by plain definitions of what they cost."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from small_forests import settled

import celosia as cl
from celosia.base.chance import Randomness
from celosia.base.progress import Quiet
from celosia.search import Lattice
from celosia.search.base import Problem
from celosia.search.whole_columns import WholeColumns

Row = tuple[str | None, ...]

OBJECTIVES = ["gcp", "loss", "precision", "discernibility", "non_uniform_entropy", "average_class_size"]


@dataclass
class Forest:
    """A small table whose columns are all trees, and its secrets."""

    trees: list[dict[str, list[str]]]  # leaf -> labels from level 0 up to *
    rows: list[Row]
    secrets: list[str]
    people: list[str] | None = None

    @property
    def names(self) -> list[str]:
        return [f"c{j}" for j in range(len(self.trees))]

    def table(self) -> cl.Table:
        data = {name: [row[j] for row in self.rows] for j, name in enumerate(self.names)}
        data["secret"] = list(self.secrets)
        if self.people is not None:
            data["who"] = list(self.people)
        schema = cl.Schema(
            quasi_identifiers={
                name: cl.Tree([tuple(path) for path in tree.values()])
                for name, tree in zip(self.names, self.trees, strict=True)
            },
            sensitive=["secret"],
            subject=None if self.people is None else "who",
        )
        return cl.Table(pl.DataFrame(data, schema_overrides=dict.fromkeys(self.names, pl.String)), schema)

    def n_levels(self, column: int) -> int:
        return len(next(iter(self.trees[column].values())))

    def published(self, row: Row, levels: Sequence[int]) -> Row:
        cells: list[str | None] = []
        for j, (value, level) in enumerate(zip(row, levels, strict=True)):
            if value is None:
                cells.append("*" if level == self.n_levels(j) - 1 and self.holds_values(j) else None)
            else:
                cells.append(f"{level}:{self.trees[j][value][level]}")
        return tuple("*" if cell is not None and cell.endswith(":*") else cell for cell in cells)

    def holds_values(self, column: int) -> bool:
        return any(row[column] is not None for row in self.rows)


def forest(seed: int, *, with_missing: bool = False, with_people: bool = False) -> Forest:
    dice = random.Random(seed)
    trees = []
    for j in range(dice.randint(1, 3)):
        n_leaves, n_inner = dice.randint(1, 5), dice.randint(0, 2)
        paths = {f"v{j}{leaf}": [f"v{j}{leaf}"] for leaf in range(n_leaves)}
        keys = list(range(n_leaves))
        for level in range(n_inner):
            n_groups = dice.randint(1, max(keys) + 1)
            group_of = {key: dice.randrange(n_groups) for key in set(keys)}
            keys = [group_of[key] for key in keys]
            for path, key in zip(paths.values(), keys, strict=True):
                path.append(f"n{j}{level}{key}")
        for path in paths.values():
            path.append("*")
        trees.append(paths)
    n_rows = dice.randint(4, 24)
    rows = [
        tuple(None if with_missing and dice.random() < 0.15 else dice.choice(list(tree)) for tree in trees)
        for _ in range(n_rows)
    ]
    secrets = [dice.choice("abbccc") for _ in range(n_rows)]
    people = [f"p{dice.randrange(max(n_rows * 2 // 3, 1))}" for _ in range(n_rows)] if with_people else None
    return Forest(trees, rows, secrets, people)


def cell_cost(data: Forest, objective: str, column: int, value: str | None, level: int | None) -> float:
    """What one cell costs on a level; None: suppressed."""
    tree, top = data.trees[column], data.n_levels(column) - 1
    is_top = level is None or level == top
    known = [row[column] for row in data.rows if row[column] is not None]
    mixes = is_top and len(known) < len(data.rows) and bool(known)
    if objective == "precision":
        if top == 0:
            return 0.0
        return (
            1.0 if (is_top and (value is not None or mixes)) or level is None else 0.0 if value is None else level / top
        )
    if objective == "non_uniform_entropy":
        own = sum(row[column] == value for row in data.rows)
        if is_top:
            return math.log2(len(data.rows) / own)
        if value is None:
            return 0.0
        under = sum(row[column] is not None and tree[row[column]][level] == tree[value][level] for row in data.rows)
        return math.log2(under / own)
    if level is None or mixes:
        return 1.0
    if value is None:
        return 0.0
    if objective == "gcp":
        if len(set(known)) < 2 or len(tree) < 2:
            return 0.0
        return (sum(path[level] == tree[value][level] for path in tree.values()) - 1) / (len(tree) - 1)
    if len(tree) == 1:
        return 0.0
    return sum(path[level] == tree[value][level] for path in tree.values()) / len(tree)


def objective_of(data: Forest, objective: str, levels: Sequence[int], labels: Sequence[int]) -> float:
    n_rows = len(data.rows)
    sizes = Counter(label for label in labels if label >= 0)
    if objective == "discernibility":
        return sum(size**2 for size in sizes.values()) + n_rows * sum(label < 0 for label in labels)
    if objective == "average_class_size":
        return n_rows / len(sizes)

    def total(level_of: Callable[[int, int], int | None]) -> float:
        return sum(
            cell_cost(data, objective, j, row[j], level_of(i, j))
            for i, row in enumerate(data.rows)
            for j in range(len(levels))
        )

    spent = total(lambda i, j: levels[j] if labels[i] >= 0 else None)
    if objective == "non_uniform_entropy":
        whole = total(lambda i, j: None)
        return spent / whole if whole else 0.0
    return spent / (n_rows * len(levels))


def brute_force(
    data: Forest, models: Sequence[Any], objective: str, n_spare: int, bounds: Sequence[tuple[int, int]]
) -> float | None:
    """The least objective over all levels within bounds; None if no levels hold."""
    table = data.table()
    best = None
    for levels in itertools.product(*(range(low, high + 1) for low, high in bounds)):
        keys = [data.published(row, levels) for row in data.rows]
        names = {key: place for place, key in enumerate(dict.fromkeys(keys))}
        labels = settled([names[key] for key in keys], models, table, n_spare)
        if labels is not None:
            value = objective_of(data, objective, levels, labels)
            best = value if best is None else min(best, value)
    return best


def models_for(dice: random.Random) -> list[Any]:
    k = cl.KAnonymity(dice.choice([2, 2, 3]))
    others: list[list[Any]] = [
        [],
        [cl.LDiversity(2, on="secret")],
        [cl.LDiversity(1.5, on="secret", kind="entropy")],
        [cl.LDiversity(2, on="secret", kind="recursive", c=2)],
        [cl.AlphaK(0.7, on="secret")],
        [cl.TCloseness(0.3, on="secret")],
        [cl.TCloseness(0.25, on="secret", distance="ordered")],
        [cl.DeltaDisclosure(0.8, on="secret", kind="present")],
        [cl.DeltaDisclosure(1.2, on="secret")],
        [cl.BetaLikeness(0.8, on="secret")],
        [cl.BetaLikeness(0.8, on="secret", kind="enhanced")],
        [cl.AverageRisk(0.3)],
        [cl.ShareAtRisk(0.3, threshold=0.34)],
        [cl.PSensitive(2, on="secret")],
        [cl.KMap(4, population=200)],
    ]
    extra = dice.choice(others)
    if extra and isinstance(extra[0], cl.AverageRisk | cl.ShareAtRisk) and dice.random() < 0.5:
        return extra
    return [k, *extra]


@pytest.mark.parametrize("seed", range(360))
def test_it_finds_what_brute_force_over_all_recodings_finds(seed: int) -> None:
    dice = random.Random(1000 + seed)
    data = forest(seed, with_missing=seed % 3 == 0, with_people=seed % 5 == 0)
    models = models_for(dice)
    objective = OBJECTIVES[seed % len(OBJECTIVES)]
    share = Fraction(dice.choice(["0", "0", "0.1", "0.3", "1"]))
    n_spare = math.floor(share * len(data.rows))
    bounds = [(0, data.n_levels(j) - 1) for j in range(len(data.trees))]
    given = {}
    if dice.random() < 0.3:
        low = dice.randint(0, bounds[0][1])
        bounds[0] = (low, dice.randint(low, bounds[0][1]))
        given = {"c0": list(bounds[0])}
    table = data.table()
    problem = Problem.of(table, models, Randomness(seed), Quiet(), n_spare=n_spare)
    wanted = brute_force(data, models, objective, n_spare, bounds)
    search = Lattice(objective=objective, levels=given, time_limit=None)
    if wanted is None:
        with pytest.raises(cl.UnreachableError):
            search.search(problem)
        return
    found = search.search(problem)
    labels = np.full(table.n_rows, -1)
    labels[problem.rows] = found.labels
    assert found.proof is not None
    assert found.proof.is_optimal
    assert found.proof.lower_bound == found.proof.value
    assert int((labels < 0).sum()) <= n_spare
    levels = [found.proof.levels[name] for name in data.names]
    keys = [data.published(row, levels) for row in data.rows]
    assert len({(key, label) for key, label in zip(keys, labels.tolist(), strict=True) if label >= 0}) == len(
        {label for label in labels.tolist() if label >= 0}
    )
    own = objective_of(data, objective, levels, labels.tolist())
    assert own == pytest.approx(wanted, abs=1e-9)
    assert found.proof.value == pytest.approx(own, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("seed", range(8))
def test_the_levels_do_not_depend_on_the_number_of_threads(seed: int, threads: int) -> None:
    data = forest(500 + seed)
    problem = Problem.of(data.table(), [cl.KAnonymity(2)], Randomness(seed), Quiet(), n_spare=2)
    columns = WholeColumns(problem, "precision")
    tops = [data.n_levels(j) - 1 for j in range(len(data.trees))]
    found = columns.recoder.optimum([0] * len(tops), tops, 0.0, 1, None, None, threads)
    first = columns.recoder.optimum([0] * len(tops), tops, 0.0, 77, None, None, 1)
    assert found[:4] == first[:4]


def plain_rounds(data: Forest, k: int, n_spare: int) -> dict[int, tuple[int, ...]]:
    """The levels of every row that is published, by a plain reading of local recoding."""
    n_columns = len(data.trees)
    tops = tuple(data.n_levels(j) - 1 for j in range(n_columns))
    every = range(len(data.rows))

    def cost(levels: Sequence[int], rows: Sequence[int]) -> float:
        return sum(
            math.floor(cell_cost(data, "gcp", j, data.rows[i][j], levels[j]) * 2**36 / n_columns)
            for i in rows
            for j in range(n_columns)
        )

    nodes = sorted(itertools.product(*(range(top + 1) for top in tops)), key=lambda node: (cost(node, every), node))
    nodes = [node for node in nodes if node != tops] + [tops]
    left, found = list(every), {}
    for node in nodes:
        sizes = Counter(data.published(data.rows[i], node) for i in left)
        going = [i for i in left if sizes[data.published(data.rows[i], node)] >= k]
        n_rest = len(left) - len(going)
        if n_rest > n_spare and n_rest < k:
            continue
        found |= dict.fromkeys(going, node)
        left = [i for i in left if i not in found]
    return found


def plain_cost(data: Forest, way: dict[int, tuple[int, ...]]) -> int:
    n_columns = len(data.trees)
    return sum(
        math.floor(cell_cost(data, "gcp", j, row[j], way[i][j] if i in way else None) * 2**36 / n_columns)
        for i, row in enumerate(data.rows)
        for j in range(n_columns)
    )


@pytest.mark.parametrize("seed", range(60))
def test_local_recoding_equals_its_plain_definition(seed: int) -> None:
    data = forest(2000 + seed, with_missing=seed % 4 == 0)
    n_spare, k = seed % 3, 2 + seed % 2
    problem = Problem.of(data.table(), [cl.KAnonymity(k)], Randomness(seed), Quiet(), n_spare=n_spare)
    found = Lattice(local=True).search(problem)
    ways = [(n, plain_rounds(data, k, n)) for n in sorted({0, n_spare})]  # rows that may go need not
    ways = [(n, way) for n, way in ways if len(data.rows) - len(way) <= n]
    wanted = min((way for _, way in ways), key=lambda way: plain_cost(data, way))
    place = {int(row): position for position, row in enumerate(problem.rows)}
    assert {row for row in place if found.labels[place[row]] >= 0} == set(wanted)
    for row, levels in wanted.items():
        label = int(found.labels[place[row]])
        own = [found.extents[name].level[label] for name in data.names]  # type: ignore[index]
        for j, level in enumerate(levels):
            if data.rows[row][j] is not None:
                assert own[j] == level
    assert found.proof is None


def test_a_search_that_ends_early_states_a_gap_that_holds() -> None:
    dice = np.random.default_rng(5)
    n_columns, n_rows = 9, 3000
    data = pl.DataFrame({f"c{j}": [str(v) for v in dice.integers(0, 16, n_rows)] for j in range(n_columns)})
    tree = cl.Tree([(str(v), f"a{v // 2}", f"b{v // 4}", f"c{v // 8}", "*") for v in range(16)])
    table = cl.Table(data, cl.Schema(quasi_identifiers=dict.fromkeys(data.columns, tree)))

    def run(seconds: float) -> cl.Release:
        plan = cl.Plan(models=[cl.KAnonymity(3)], algorithm=Lattice(time_limit=seconds), max_suppression=0.2, seed=1)
        return plan.run(table)

    early, late = run(0.2), run(4.0)
    assert early.proof is not None
    assert late.proof is not None
    assert not early.proof.is_optimal
    assert early.proof.lower_bound is not None
    assert early.proof.lower_bound <= late.proof.value <= early.proof.value
    assert early.proof.gap == pytest.approx(1 - early.proof.lower_bound / early.proof.value)
    assert [finding.code for finding in early.findings].count("SEARCH_NOT_PROVED") == 1
    assert early.proof.n_recodings == 5**n_columns


def test_levels_within_bounds_are_kept_and_named() -> None:
    table = forest(3).table()
    names = list(table.schema.quasi_identifiers)
    plan = cl.Plan(models=[cl.KAnonymity(2)], algorithm=Lattice(levels={names[0]: 0}), max_suppression=1.0, seed=1)
    release = plan.run(table)
    assert release.proof is not None
    assert release.proof.levels[names[0]] == 0
    assert release.summary["search"]["levels"] == dict(release.proof.levels)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"objective": "entropy"}, "not an objective"),
        ({"levels": [1, 2]}, "bounds by column"),
        ({"levels": {"age": -1}}, "levels of 'age'"),
        ({"levels": {"age": [2, 1]}}, "levels of 'age'"),
        ({"levels": {"age": "01"}}, "levels of 'age'"),
        ({"levels": {"age": [0, 1.5]}}, "levels of 'age'"),
        ({"levels": {"age": True}}, "levels of 'age'"),
        ({"local": 1}, "local"),
        ({"time_limit": 0}, "time_limit"),
        ({"time_limit": True}, "time_limit"),
        ({"time_limit": float("nan")}, "time_limit"),
        ({"time_limit": math.inf}, "time_limit"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(cl.OptionError, match=said):
        Lattice(**options)


def test_levels_of_a_column_that_is_not_there_are_refused() -> None:
    plan = cl.Plan(models=[cl.KAnonymity(2)], algorithm=Lattice(levels={"nowhere": 1}))
    with pytest.raises(cl.OptionError, match="'nowhere'"):
        plan.run(forest(3).table())
    plan = cl.Plan(models=[cl.KAnonymity(2)], algorithm=Lattice(levels={"c0": [40, 41]}))
    with pytest.raises(cl.OptionError, match="'c0'"):
        plan.run(forest(3).table())


def test_bounds_that_leave_nothing_are_unreachable_and_say_so() -> None:
    data = pl.DataFrame({"age": [1, 2, 3, 4]})
    table = cl.Table(data, cl.Schema(quasi_identifiers={"age": cl.Intervals(width=2)}))
    plan = cl.Plan(models=[cl.KAnonymity(2)], algorithm=Lattice(levels={"age": 0}))
    with pytest.raises(cl.UnreachableError, match="at most 0 of 4 rows"):
        plan.run(table)


@pytest.mark.parametrize("local", [False, True])
def test_numbers_and_categories_without_hierarchy_are_recoded_too(local: bool) -> None:
    dice = np.random.default_rng(1)
    ages, towns = dice.integers(18, 90, 300).tolist(), dice.choice(["a", "b", "c"], 300).tolist()
    data = pl.DataFrame({"age": [None if i % 50 == 0 else age for i, age in enumerate(ages)], "town": towns})
    schema = cl.Schema(quasi_identifiers={"age": "number", "town": "category"}, weights={"age": 3})
    release = cl.Plan(models=[cl.KAnonymity(4)], algorithm=Lattice(local=local), seed=2).run(cl.Table(data, schema))
    assert release.k >= 4
    assert release.scope.table == ("cell-local" if local else "full-domain")
    if not local:
        assert release.proof is not None
        assert release.proof.value == pytest.approx(release.loss.gcp, abs=1e-9)
        assert set(release.frame["town"]) in ({"*"}, {"a", "b", "c"})
    again = cl.Plan(models=[cl.KAnonymity(4)], algorithm=Lattice(local=local), seed=2).run(cl.Table(data, schema))
    assert again.frame.equals(release.frame)


def test_a_release_is_written_and_verified_with_levels(tmp_path: Any) -> None:
    data = forest(12, with_missing=True)
    plan = cl.Plan(models=[cl.KAnonymity(2)], algorithm=Lattice(), max_suppression=0.5, seed=4)
    folder = plan.run(data.table()).write(tmp_path / "release", lang="es")
    assert (folder / "claim.json").exists()
    assert (folder / "internal" / "report.html").exists()


@pytest.mark.parametrize("kind", ["number", "category"])
def test_a_column_of_one_value_and_missing_ones_need_not_be_lost(kind: str) -> None:
    data = pl.DataFrame({"a": [7, 7, 7, None, None], "b": ["x", "x", "x", "x", "x"]})
    table = cl.Table(data, cl.Schema(quasi_identifiers={"a": kind, "b": "category"}))
    release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=Lattice(), seed=1).run(table)
    assert sorted(release.frame["a"].to_list(), key=str) == ["7", "7", "7", None, None]
    coarse = cl.Plan(models=[cl.KAnonymity(3)], algorithm=Lattice(), seed=1).run(table)
    assert set(coarse.frame["a"]) == {"*"}
    assert coarse.loss.columns == {"a": 1.0, "b": 0.0}


@pytest.mark.parametrize("with_people", [False, True])
def test_a_kept_secret_beside_another_one_or_beside_people_is_judged_by_its_parts(with_people: bool) -> None:
    data = {"a": ["x"] * 4 + ["y"] * 4, "k": list("ppqq") * 2, "t": list("uuvvvvuu")}
    models: list[Any] = [cl.LDiversity(2, on="k"), cl.LDiversity(2, on="t")]
    subject = None
    if with_people:
        data["who"], subject = list("11223456"), "who"
        models = [cl.KAnonymity(2), cl.LDiversity(2, on="k")]
    roles = cl.Schema(quasi_identifiers={"a": "category", "k": "category"}, sensitive=["k", "t"], subject=subject)
    release = cl.Plan(models=models, algorithm=Lattice(), seed=1).run(cl.Table(pl.DataFrame(data), roles))
    assert release.proof is not None
    assert release.proof.levels == {"a": 1}


def test_an_order_is_measured_anew_once_a_value_is_gone() -> None:
    data = pl.DataFrame({"a": [4, 5, 0, 1, 3, 1, 1, 1], "b": list("xxxzzzwx"), "n": [1, 9, 1, 2, 2, 2, 6, 2]})
    table = cl.Table(data, cl.Schema(quasi_identifiers={"a": "number", "b": "category"}, sensitive=["n"]))
    models = [cl.TCloseness(0.3, on="n", distance="ordered")]
    problem = Problem.of(table, models, Randomness(1), Quiet(), n_spare=1)
    columns = WholeColumns(problem, "gcp")
    costs = []
    for levels in itertools.product(*(range(ladder.n_levels) for ladder in columns.ladders)):
        cut = columns.cut_at(levels)
        labels = columns.settled(columns.classes(cut))
        if labels is not None:
            costs.append(columns.value(columns.cost(cut, labels)))
    found = Lattice().search(problem)
    assert found.proof is not None
    assert found.proof.is_optimal
    assert found.proof.value == min(costs)


@pytest.mark.parametrize("algorithm", [Lattice(), Lattice(local=True), cl.Genetic(), cl.TopDown()], ids=repr)
@pytest.mark.parametrize("seed", range(6))
def test_numbers_on_a_grid_cost_what_is_published(algorithm: Any, seed: int) -> None:
    dice = np.random.default_rng(seed)
    data = pl.DataFrame(
        {"a": (dice.random(24) * 9).round(2), "b": dice.choice(list("xy"), 24), "s": dice.choice(list("pqr"), 24)}
    )
    kinds = {"a": cl.hierarchies.Number(grid=2.0), "b": "category"}
    table = cl.Table(data, cl.Schema(quasi_identifiers=kinds, sensitive=["s"]))
    models = [cl.KAnonymity(2), cl.DeltaDisclosure(0.8, on="s", kind="present")]
    try:
        release = cl.Plan(models=models, algorithm=algorithm, max_suppression=0.2, seed=1).run(table)
    except cl.UnreachableError:
        return
    if release.proof is not None and release.classes.n_suppressed == 0:
        assert release.proof.value == pytest.approx(release.loss.gcp, abs=1e-9)
