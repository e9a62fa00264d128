"""Same seed, same plan, same published bytes as before: every search, model and mask, end to end.

The hashes in ``same_bytes.json`` were taken at commit 4e79077, before the rooms were built anew. Nothing here is given
a time limit, so that a result depends neither on the machine, nor on the number of threads, nor on ``PYTHONHASHSEED``.

A later issue that changes a result renews the hash with its reason in the commit::

    python tests/golden/test_same_bytes.py            # print the hashes as they are now, and which are others
    python tests/golden/test_same_bytes.py --write    # and put them into same_bytes.json

The people are made by integer arithmetic alone, since no library promises to draw the same numbers for ever.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import itertools
import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

import celosia as cl

KEPT = Path(__file__).with_name("same_bytes.json")
Parts = dict[str, bytes]

# The people

JOBS = [
    ("nurse", "care", "health", "*"),
    ("midwife", "care", "health", "*"),
    ("doctor", "cure", "health", "*"),
    ("dentist", "cure", "health", "*"),
    ("judge", "court", "law", "*"),
    ("notary", "office", "law", "*"),
    ("clerk", "office", "law", "*"),
    ("cook", "kitchen", "food", "*"),
    ("waiter", "service", "food", "*"),
]
GRADES = ["fail", "pass", "notable", "outstanding"]
TOWNS = ["Salamanca", "Zamora", "Ávila", "León", "Madrid", "Soria", "A Coruña", "San Sebastián; Donostia"]
DISEASES = ["flu", "cold", "asthma", "diabetes", "hepatitis", "HIV"]
GREEK = ["alpha", "beta", "gamma", "delta"]


def drawn(n: int, stream: int) -> NDArray[np.int64]:
    """Return n whole numbers below 2^32, always the same ones (splitmix64)."""
    word = np.arange(n, dtype=np.uint64) + np.uint64(stream << 32)
    word = (word + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((word ^ (word >> np.uint64(31))) >> np.uint64(32)).astype(np.int64)


def skewed(n: int, stream: int, n_values: int) -> NDArray[np.int64]:
    """Return n numbers below n_values, low ones more often: the least of two draws."""
    return np.minimum(drawn(n, stream) % n_values, drawn(n, stream + 1000) % n_values)


def people(n: int, visits: int = 1) -> pl.DataFrame:
    """Return n rows of every kind of column, so many of each person on average; some ages and trades are unknown."""
    who = np.arange(n) if visits == 1 else drawn(n, 7) % (n // visits)
    ages = (16 + skewed(n, 1, 40) + drawn(n, 2) % 35)[who]
    trades = np.where(drawn(n, 3) % 1000 == 0, len(JOBS), skewed(n, 4, len(JOBS)))
    names = [*(row[0] for row in JOBS), "astronaut"]
    diseases = np.minimum(skewed(n, 5, len(DISEASES)), drawn(n, 6) % len(DISEASES))
    postcodes = 1000 * (1 + 6 * skewed(n, 12, 9)) + skewed(n, 13, 60)
    start = dt.date(1940, 1, 1)
    return pl.DataFrame(
        {
            "dni": [f"{40_000_000 + 37 * row:08d}" for row in range(n)],
            "person": [f"p{number}" for number in who],
            "age": pl.Series(ages).set(pl.Series(drawn(n, 8) % 100 == 0), None),
            "income": (1000 + skewed(n, 9, 3000) + 7 * (ages % 50)) / 2,
            "sex": [("f", "m")[number] for number in drawn(n, 10)[who] % 2],
            "town": [TOWNS[number] for number in skewed(n, 11, len(TOWNS))[who]],
            "postcode": [f"{number:05d}" for number in postcodes[who]],
            "born": [start + dt.timedelta(days=number) for number in (drawn(n, 14)[who] % 24_000).tolist()],
            "job": [JOBS[number][0] for number in skewed(n, 15, len(JOBS))[who]],
            "trade": [names[number] for number in trades],
            "grade": [GRADES[number] for number in drawn(n, 16) % len(GRADES)],
            "diagnosis": [DISEASES[number] for number in diseases],
            "salary": 900 + 100 * skewed(n, 17, 30),
        }
    )


HIERARCHIES: dict[str, Any] = {
    "age": cl.Intervals(width=5, levels=4),
    "income": "number",
    "sex": "category",
    "town": "category",
    "postcode": cl.Prefix(keep=[4, 2, 1]),
    "born": cl.Dates(levels=["month", "year", "decade"]),
    "job": cl.Tree(JOBS),
    "trade": cl.Tree(JOBS, on_missing="suppress"),
    "grade": cl.Order(values=GRADES, groups=[2]),
}
FLAT: dict[str, Any] = {"age": "number", "income": "number", "sex": "category", "town": "category"}
NODES = {name: HIERARCHIES[name] for name in ("age", "postcode", "born", "job", "grade")}
MIXED = {name: HIERARCHIES[name] for name in ("age", "income", "town", "postcode", "job")}
COARSE = {name: HIERARCHIES[name] for name in ("age", "sex", "postcode", "job", "grade")}
SMALL: dict[str, Any] = {"age": "number", "sex": "category", "grade": HIERARCHIES["grade"]}

# Plans


@dataclass(frozen=True)
class Job:
    """A plan, and the people that it is run on."""

    rows: int
    columns: Mapping[str, Any]
    models: Sequence[Any]
    algorithm: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    schema: Mapping[str, Any] = field(default_factory=dict)
    beside: Sequence[str] = ()
    visits: int = 1
    format: str = "csv"

    def release(self) -> Any:
        """Run it with a seed."""
        has_visits = {"subject": "person"} if self.visits > 1 else {}
        sensitive = ["diagnosis", "salary"]
        schema = cl.Schema(
            **{"identifiers": ["dni"], "sensitive": sensitive, "insensitive": self.beside}
            | has_visits
            | {**self.schema},
            quasi_identifiers=self.columns,
        )
        frame = people(self.rows, self.visits)
        used = frame.select("dni", *has_visits.values(), *self.columns, *self.beside, *sensitive)
        plan = cl.Plan(models=self.models, algorithm=self.algorithm, seed=7, **self.options)
        return plan.run(cl.Table(used, schema))


def k(number: int) -> list[Any]:
    return [cl.KAnonymity(number)]


def secret(model: Any, number: int = 4) -> list[Any]:
    return [cl.KAnonymity(number), model]


def masked(*masks: Any, **options: Any) -> dict[str, Any]:
    return {"masks": list(masks), **options}


FAST = cl.Weave(effort="fast")
SOME_GO = {"max_suppression": 0.1}
CHAIN = (
    cl.Drop(column="income"),
    cl.TopCode(column="age", at=75),
    cl.Round(column="salary", to=500),
    cl.Generalise(column="postcode", prefix=3),
    cl.Swap(column="diagnosis", within=["sex"]),
    cl.Derive(column="year", expression="year(born)", drop=True),
)
PLANS: dict[str, Job] = {
    # Every search, on what it is made for
    "weave_fast": Job(20_000, FLAT, k(25), FAST),
    "weave_fast_hierarchies": Job(20_000, NODES, k(5), FAST),
    "weave_balanced": Job(1_500, FLAT, k(5), cl.Weave()),
    "weave_passes": Job(20_000, MIXED, k(10), cl.Weave(passes=2)),
    "weave_hierarchies": Job(4_000, NODES, k(4), cl.Weave(passes=6)),
    "weave_best": Job(150, SMALL, k(3), cl.Weave(effort="best")),
    "lattice": Job(20_000, COARSE, k(5), cl.Lattice(), {"max_suppression": 0.02}),
    "lattice_loss": Job(20_000, COARSE, k(5), cl.Lattice(objective="loss", levels={"sex": 0, "age": [1, 4]})),
    "lattice_local": Job(20_000, COARSE, k(5), cl.Lattice(local=True)),
    "k_members": Job(10_000, FLAT, k(5), cl.KMembers()),
    "l_greedy": Job(20_000, MIXED, k(5), cl.LGreedy()),
    "l_greedy_hierarchies": Job(6_000, NODES, k(5), cl.LGreedy()),
    "mondrian": Job(20_000, MIXED, k(5), cl.Mondrian()),
    "mondrian_relaxed": Job(20_000, FLAT, k(5), cl.Mondrian(strict=False)),
    "hilbert_order": Job(20_000, MIXED, k(5), cl.HilbertOrder()),
    "reference_order": Job(6_000, MIXED, k(5), cl.ReferenceOrder()),
    "reference_order_mean": Job(6_000, FLAT, k(5), cl.ReferenceOrder(reference="mean")),
    "datafly": Job(20_000, COARSE, k(5), cl.Datafly(), {"max_suppression": 0.05}),
    "top_down": Job(20_000, COARSE, k(5), cl.TopDown()),
    "genetic": Job(1_000, COARSE, k(5), cl.Genetic(generations=20)),
    "genetic_levels": Job(1_000, COARSE, k(5), cl.Genetic(coding="levels", generations=20)),
    "exact": Job(18, SMALL, k(3), cl.Exact()),
    # Secrets
    "l_distinct": Job(20_000, FLAT, secret(cl.LDiversity(3, on="diagnosis")), FAST),
    "l_entropy": Job(6_000, MIXED, secret(cl.LDiversity(2, on="diagnosis", kind="entropy")), cl.Weave(passes=2)),
    "l_recursive": Job(3_000, FLAT, secret(cl.LDiversity(2, on="diagnosis", kind="recursive", c=2)), cl.LGreedy()),
    "l_diversity_k_members": Job(2_000, FLAT, secret(cl.LDiversity(3, on="diagnosis")), cl.KMembers()),
    "l_diversity_mondrian": Job(6_000, NODES, secret(cl.LDiversity(2, on="diagnosis", kind="entropy")), cl.Mondrian()),
    "t_equal": Job(3_000, FLAT, secret(cl.TCloseness(0.3, on="diagnosis")), cl.Weave(passes=1)),
    "t_numeric": Job(3_000, MIXED, secret(cl.TCloseness(0.2, on="salary", distance="numeric")), cl.Mondrian()),
    "alpha_k": Job(3_000, FLAT, secret(cl.AlphaK(0.6, on="diagnosis")), FAST),
    "beta_likeness": Job(2_000, FLAT, secret(cl.BetaLikeness(3, on="diagnosis")), cl.HilbertOrder()),
    "delta_disclosure": Job(2_000, FLAT, secret(cl.DeltaDisclosure(3, on="diagnosis", kind="present")), FAST),
    "two_secrets": Job(
        3_000,
        MIXED,
        [cl.KAnonymity(4), cl.PSensitive(2, on="diagnosis"), cl.LDiversity(3, on="salary")],
        cl.Weave(passes=1),
    ),
    "risk_models": Job(3_000, COARSE, [cl.AverageRisk(0.2), cl.ShareAtRisk(0.1, threshold=0.5)], cl.Lattice()),
    "sample_uniqueness": Job(3_000, SMALL, [cl.SampleUniqueness(0.01)], cl.TopDown()),
    "k_map": Job(1_000, SMALL, [cl.KMap(12, population=people(6_000))], FAST),
    "secret_quasi_identifier": Job(
        3_000, SMALL, secret(cl.LDiversity(2, on="grade")), FAST, schema={"sensitive": ["grade", "diagnosis", "salary"]}
    ),
    # Rows that go, people with several rows, ways to publish
    "thinning": Job(
        6_000, FLAT, secret(cl.LDiversity(4, on="diagnosis", kind="entropy")), FAST, {"max_suppression": 0.3}
    ),
    "unknown_values": Job(6_000, {**SMALL, "trade": HIERARCHIES["trade"]}, k(8), FAST, {"max_suppression": 0.01}),
    "unknown_values_lattice": Job(
        6_000, {**COARSE, "trade": HIERARCHIES["trade"]}, k(8), cl.Lattice(local=True), {"max_suppression": 0.02}
    ),
    "suppression": Job(3_000, NODES, secret(cl.LDiversity(4, on="diagnosis")), FAST, SOME_GO),
    "suppression_hilbert": Job(3_000, FLAT, secret(cl.LDiversity(4, on="diagnosis")), cl.HilbertOrder(), SOME_GO),
    "suppression_k_members": Job(3_000, FLAT, secret(cl.LDiversity(4, on="diagnosis")), cl.KMembers(), SOME_GO),
    "suppression_top_down": Job(3_000, COARSE, k(5), cl.TopDown(), SOME_GO),
    "suppression_genetic": Job(1_000, COARSE, k(5), cl.Genetic(generations=20), SOME_GO),
    "subject": Job(20_000, FLAT, k(5), FAST, visits=3),
    "subject_passes": Job(3_000, MIXED, k(4), cl.Weave(passes=2), visits=3),
    "subject_k_members": Job(1_500, FLAT, k(4), cl.KMembers(), visits=3),
    "subject_l_diversity": Job(3_000, NODES, secret(cl.LDiversity(2, on="diagnosis")), cl.Mondrian(), visits=3),
    "weights_and_dashes": Job(
        3_000, FLAT, k(5), FAST, {"range_style": "dash", "keep_order": True}, {"weights": {"age": 2.0, "town": 0.5}}
    ),
    "grid": Job(3_000, {**SMALL, "age": cl.Number(grid=5)}, k(5), FAST),
    "csv_es": Job(3_000, MIXED, k(5), FAST, format="csv-es"),
    "csv_es_dashes": Job(3_000, FLAT, k(5), cl.Mondrian(), {"range_style": "dash"}, format="csv-es"),
    "parquet": Job(3_000, NODES, k(5), FAST, format="parquet"),
    # Masks before and after a search
    "mask_chain": Job(20_000, MIXED, k(5), FAST, masked(*CHAIN), beside=["sex", "born"]),
    "drop_rows": Job(
        6_000, MIXED, k(5), FAST, masked(cl.DropRows(where="age > 80"), cl.DropRows(columns=["income"], outliers="iqr"))
    ),
    "masks_after": Job(
        6_000, COARSE, k(3), cl.Lattice(), {"max_suppression": 0.05, "masks_after": [cl.DropRows(class_below=6)]}
    ),
    "sampled_and_pseudonymised": Job(
        6_000,
        FLAT,
        k(5),
        FAST,
        masked(cl.Sample(fraction=0.5), cl.Pseudonymise(column="dni", key={"env": "CELOSIA_KEY"})),
    ),
}


def published(folder: Path, format: str = "csv") -> Parts:
    """Return the data file as it is, or its cells where the bytes hang on a library, and the claim without versions."""
    file = folder / f"data.{format.removesuffix('-es')}"
    data, claim = file.read_bytes(), json.loads((folder / "claim.json").read_bytes())
    assert claim["data"].pop("sha256") == hashlib.sha256(data).hexdigest()
    for changing in ("made", "celosia_version"):
        claim.pop(changing, None)
    if format == "parquet":
        cells = pl.read_parquet(file)
        data = repr([cells.columns, *cells.rows()]).encode()
    return {"data": data, "claim": json.dumps(claim, ensure_ascii=False, sort_keys=True).encode()}


def of_plan(job: Job, folder: Path) -> Parts:
    return published(job.release().write(folder / "release", format=job.format), job.format)


# Masks alone

MASKS: dict[str, Sequence[Any]] = {
    "add_noise": [cl.AddNoise(columns=["income", "salary"], share=0.2, correlated=True)],
    "add_noise_laplace": [cl.AddNoise(column="age", sd=3, distribution="laplace", within=[0, 110])],
    "blank": [cl.Blank(column="diagnosis", values=["HIV"], symbol="*"), cl.Blank(column="town", where="age > 70")],
    "derive": [cl.Derive(column="year", expression="year(born)"), cl.Drop(columns=["born", "dni"])],
    "drop_rows": [cl.DropRows(class_below=3, by=["town", "sex", "job"]), cl.DropRows(column="grade", values=["pass"])],
    "generalise": [
        cl.Generalise(column="age", ranges=["<20", "20-39", "40-64", ">64"]),
        cl.Generalise(column="born", dates="quarter"),
        cl.Generalise(column="job", tree=JOBS, level=2),
        cl.Generalise(column="income", grid=250),
    ],
    "mask_characters": [
        cl.MaskCharacters(column="dni", positions=["4-7"]),
        cl.MaskCharacters(column="postcode", keep_first=2, symbol="X"),
    ],
    "microaggregate": [cl.Microaggregate(columns=["income", "salary"], k=4, within=["sex"])],
    "pram": [cl.Pram(column="town", keep=0.7), cl.Pram(column="grade", keep=0.5, invariant=False)],
    "pseudonyms_at_random": [cl.Pseudonymise(column="dni"), cl.Pseudonymise(column="postcode", form="digits")],
    "pseudonyms_by_key": [
        cl.Pseudonymise(column="dni", key={"env": "CELOSIA_KEY"}, prefix="D-", length=20),
        cl.Pseudonymise(column="postcode", key={"env": "CELOSIA_KEY"}, form="digits", length=6),
    ],
    "rank_swap": [cl.RankSwap(column="salary", window=0.05), cl.RankSwap(column="born", window=0.1)],
    "round": [cl.Round(column="salary", to=250), cl.Round(column="income", to=100, random=True)],
    "sample": [cl.Sample(n=1_000), cl.Swap(columns=["job", "grade"], joint=True)],
    "sample_bernoulli": [cl.Sample(fraction=0.3, bernoulli=True)],
    "swap": [cl.Swap(column="diagnosis", within=["sex", "grade"], no_fixed_points=True)],
    "top_and_bottom_code": [
        cl.TopCode(column="age", share=0.05, label="oldest"),
        cl.BottomCode(column="salary", at=1000),
    ],
    "chain": [*CHAIN, cl.Pseudonymise(column="dni", key={"env": "CELOSIA_KEY"}), cl.Sample(fraction=0.5)],
}


def of_masks(masks: Sequence[Any], folder: Path) -> Parts:
    made = cl.mask(people(3_000), masks, seed=7, k=3, shuffle=len(masks) > 4)
    made.write(folder / "masked.csv")
    return {"data": (folder / "masked.csv").read_bytes()}


# Graphs


def friends(n: int, per_vertex: int) -> Any:
    """Return a graph in which early vertices have many friends, as in a town."""
    target = np.repeat(np.arange(1, n), per_vertex)
    source = np.minimum(drawn(len(target), 50) % target, drawn(len(target), 51) % target)
    return cl.graphs.Graph.of_edges(*np.unique(np.stack([source, target]), axis=1), n)


def of_edits(model: Any, edits: str, n: int) -> Any:
    return cl.graphs.run(friends(n, 3), model, edits=edits, time_limit=None, seed=7)


GRAPHS: dict[str, Callable[[], Any]] = {
    "degree_both": lambda: of_edits(cl.graphs.DegreeAnonymity(5), "both", 300),
    "degree_add": lambda: of_edits(cl.graphs.DegreeAnonymity(3), "add", 300),
    "degree_delete": lambda: of_edits(cl.graphs.DegreeAnonymity(3), "delete", 300),
    "neighbourhood": lambda: of_edits(cl.graphs.NeighbourhoodAnonymity(2), "both", 20),
    "closed_twins": lambda: of_edits(cl.graphs.ClosedTwinAnonymity(2), "both", 16),
    "k_l": lambda: of_edits(cl.graphs.KLAnonymity(k=2, l=1), "both", 24),
    "super_graph": lambda: cl.graphs.super_graph(friends(200, 3), 4, seed=7),
    "perturbed": lambda: cl.graphs.perturbed(friends(60, 3), 0.2, seed=7),
}


def of_graph(make: Callable[[], Any], folder: Path) -> Parts:
    made = make()
    # The lines of a super-graph's CSV are shuffled by the system's chance, seed or not; its JSON is in order.
    return files_of(made.write(folder / "release", format="json" if hasattr(made, "n_clusters") else "csv"))


def files_of(folder: Path) -> Parts:
    """Return every file of a folder that may be published."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}


# The command line

PLAN_FILE = """
version: 1
input: people.csv
schema:
  identifiers: [dni, person]
  quasi_identifiers:
    age: {intervals: {width: 5, levels: 4}}
    town: category
    postcode: {prefix: {keep: [4, 2, 1]}}
    born: {dates: {levels: [year, decade]}}
    trade: {tree: {path: jobs.csv, on_missing: suppress}}
  sensitive: [diagnosis, salary]
  insensitive: [grade]
masks:
  - drop: {columns: [income, sex, job]}
  - pseudonymise: {column: dni, key: {env: CELOSIA_KEY}}
  - add_noise: {column: salary, share: 0.1}
models:
  - k_anonymity: {k: 5}
  - l_diversity: {l: 2, on: diagnosis}
algorithm: {weave: {passes: 2}}
max_suppression: 0.05
seed: 7
output: {path: release/, format: csv-es}
"""


def command(*words: str | Path) -> None:
    """Run the command line, which must end well."""
    from celosia.cli import app

    ended = CliRunner().invoke(app, [str(word) for word in words])
    assert ended.exit_code == 0, ended.output


def by_demo(folder: Path) -> Parts:
    """Run the demo; it takes no seed, so that the system's chance is replaced by numbers that repeat."""
    n_calls = itertools.count()

    def repeating(n_bytes: int) -> bytes:
        return drawn(n_bytes, 100 + next(n_calls)).astype(np.uint8).tobytes()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_bytes", repeating)
        patch.setattr("secrets.token_hex", lambda n_bytes: os.urandom(n_bytes).hex())  # names of passing files
        patch.setattr("secrets.randbelow", lambda limit: int.from_bytes(repeating(8)) % limit)
        command("demo", "--out", folder / "release")
    return published(folder / "release")


def by_run(folder: Path) -> Parts:
    people(3_000).write_csv(folder / "people.csv")
    cl.Tree(JOBS).to_csv(folder / "jobs.csv")
    (folder / "plan.yaml").write_text(PLAN_FILE, encoding="utf-8")
    command("run", folder / "plan.yaml")
    return published(folder / "release", "csv-es")


def by_mask(folder: Path) -> Parts:
    people(2_000).write_csv(folder / "people.csv")
    masks = ["{mask_characters: {column: dni, positions: ['4-7']}}", "{swap: {column: salary, within: [sex]}}"]
    words = [word for mask in masks for word in ("--mask", mask)]
    command("mask", folder / "people.csv", *words, "--seed", "7", "-o", folder / "masked.csv")
    return {"data": (folder / "masked.csv").read_bytes()}


def by_exam(folder: Path) -> Parts:
    n = 90
    names = [f"student {number}" for number in range(n)]
    marks = {"name": names} | {name: drawn(n, at) % 101 / 10 for at, name in enumerate(("exam", "practicals"), 60)}
    pl.DataFrame(marks).write_csv(folder / "marks.csv")
    command("exam", folder / "marks.csv", "--seed", "7", "--no-pdf", "--out", folder / "release")
    return published(folder / "release")


def by_graph(folder: Path) -> Parts:
    friends = drawn(240, 70).reshape(-1, 2) % np.array([40, 60])
    lines = sorted({f"v{min(pair)},v{max(pair)}" for pair in friends.tolist() if pair[0] != pair[1]})
    (folder / "friends.csv").write_text("\n".join(["source,target", *lines, ""]))
    options = ("--seed", "7", "--format", "json", "--out", folder / "release")
    command("graph", "run", folder / "friends.csv", "--method", "{super_graph: {k: 3}}", *options)
    return files_of(folder / "release")


COMMANDS: dict[str, Callable[[Path], Parts]] = {
    "demo": by_demo,
    "exam": by_exam,
    "graph": by_graph,
    "mask": by_mask,
    "run": by_run,
}

# The tests

CASES: dict[str, Callable[[Path], Parts]] = {
    **{f"plan {name}": partial(of_plan, job) for name, job in PLANS.items()},
    **{f"mask {name}": partial(of_masks, masks) for name, masks in MASKS.items()},
    **{f"graph {name}": partial(of_graph, make) for name, make in GRAPHS.items()},
    **{f"celosia {name}": run for name, run in COMMANDS.items()},
}


def hashes(name: str) -> dict[str, str]:
    """Return the SHA-256 of everything that a case publishes."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("CELOSIA_KEY", hashlib.sha256(b"a key for tests alone").hexdigest())
        parts = CASES[name](Path(folder))
    return {part: hashlib.sha256(content).hexdigest() for part, content in sorted(parts.items())}


@pytest.fixture(scope="module")
def kept() -> dict[str, dict[str, str]]:
    return json.loads(KEPT.read_text())


@pytest.mark.parametrize("name", CASES)
def test_the_same_bytes_are_published_as_before(name, kept):
    assert hashes(name) == kept[name]


def test_every_hash_that_is_kept_belongs_to_a_case(kept):
    assert list(kept) == list(CASES)


def main() -> None:
    """Print the hashes as they are now, tell which are others than those kept, and keep them if asked."""
    before = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    now = {name: hashes(name) for name in CASES}
    print(json.dumps(now, indent=1))
    others = [name for name in now if now[name] != before.get(name)]
    print(f"{len(others)} of {len(now)} differ: {', '.join(others)}" if others else "all as kept", file=sys.stderr)
    if "--write" in sys.argv[1:]:
        KEPT.write_text(json.dumps(now, indent=1) + "\n")


if __name__ == "__main__":
    main()
