"""The verifier on every Python from 3.9 on: nothing newer in its source, and the same words from each interpreter."""

from __future__ import annotations

import ast
import builtins
import datetime
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import vermin
from hypothesis import given
from hypothesis import strategies as st
from tampering import BARE_FORMATS, claim_of, data_of, read_table, rehash, released, write_claim, write_table

from celosia import audit

SOURCE = Path(str(audit.__file__))
MINORS = (9, 10, 11, 12, 13)
BARE = ("-I", "-S", "-W", "error")
"""Isolated, without packages, and no warning is let pass."""

DRIVER = """
import contextlib, io, json, sys
sys.path.insert(0, ".")
import audit
said = []
with open("cases.json", encoding="utf-8") as file:
    cases = json.load(file)
for arguments in cases:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = audit.main(arguments)
    said.append([arguments, code, out.getvalue(), err.getvalue()])
print(json.dumps({"version": list(sys.version_info[:2]), "packages": "polars" in sys.modules, "said": said}))
"""


# The source


def test_nothing_in_the_source_is_newer_than_python_3_9() -> None:
    assert vermin.detect(SOURCE.read_text(encoding="utf-8"))[1] <= (3, 9)
    newer = ("from itertools import pairwise", "zip([1], [2], strict=True)", "match 1:\n    case _: ...")
    assert all(vermin.detect(f"{line}\n")[1] > (3, 9) for line in newer)


def unions_of_types(tree: ast.AST) -> Iterator[int]:
    """Yield the lines where ``X | Y`` of types is evaluated, which Vermin cannot tell from sets: not in annotations."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    types = {name for name, value in vars(builtins).items() if isinstance(value, type)} | {"NoneType", "Fraction"}
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            names = {ast.unparse(side) for side in (node.left, node.right)}
            if names & {*types, "None"}:
                yield node.lineno


def test_no_union_of_types_is_evaluated() -> None:
    assert not list(unions_of_types(ast.parse(SOURCE.read_text(encoding="utf-8"))))
    body = "    y: int | None = x\n    return isinstance(x, list | tuple)"
    evaluated = f"Cell = str | None\ndef f(x: int | None) -> str | None:\n{body}"
    assert sorted(unions_of_types(ast.parse(evaluated))) == [1, 4]


@given(
    st.one_of(st.datetimes(), st.datetimes(timezones=st.just(datetime.timezone(datetime.timedelta(minutes=-90))))),
    st.datetimes(timezones=st.just(datetime.UTC)),
)
def test_moments_are_read_as_the_standard_library_reads_them(one: datetime.datetime, other: datetime.datetime) -> None:
    for text in (one.isoformat(), one.isoformat(" "), one.isoformat(timespec="minutes"), one.date().isoformat()):
        same = audit._moment(text)
        assert same is not None
        read = datetime.datetime.fromisoformat(text)
        twin = read.astimezone(datetime.UTC).isoformat() if 2 < read.year < 9998 and read.tzinfo else read.isoformat()
        assert audit._moment(twin) == same
        assert (audit._moment(other.isoformat()) == same) is (other == read)


@pytest.mark.parametrize(
    "text",
    ["2020-02-30", "2020-03-14T24:00", "2020-03-14T10:60", "2020-3-14", "2020/03/14", "2020-W11-6", "20-03-14",
     "2020-03-14Z", "2020-03-14T", "2020-03-14T1", "2020-03-14T10:00:00.", "x", "", "0000-01-01"],
)  # fmt: skip
def test_what_is_no_moment_is_none(text: str) -> None:
    assert audit._moment(text) is None


@given(st.integers(0, 2**200))
def test_ones_are_counted_alike_with_and_without_the_newer_method(bits: int) -> None:
    assert audit._n_ones(bits) == bin(bits).count("1")


# The interpreters


def candidates(minor: int) -> list[str]:
    """Return where a Python may be: those that CELOSIA_PYTHONS names, or those on the path and of pyenv."""
    named = os.environ.get("CELOSIA_PYTHONS")
    if named is not None:
        return [path for path in named.split(os.pathsep) if path]
    homes = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = shutil.which(f"python3.{minor}")
    own = [str(path) for path in sorted(homes.glob(f"3.{minor}.*/bin/python3.{minor}"))]
    return [*([found] if found else []), *own]


def interpreter(minor: int) -> str | None:
    """Return a Python of this version that runs; pyenv has commands that do not."""
    if sys.version_info[:2] == (3, minor):
        return sys.executable
    for path in candidates(minor):
        command = [path, "-I", "-S", "-c", "import sys; print(sys.version_info[1])"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        except OSError:
            continue
        if done.returncode == 0 and done.stdout.strip() == str(minor):
            return path
    return None


def tampered(folder: Path, form: str, kind: str) -> None:
    released(folder, form)
    table = read_table(folder)
    if kind == "cell":
        table["age"][0] = "[1, 2]"
    elif kind == "row":
        table = {name: column[1:] for name, column in table.items()}
    elif kind == "secret":
        table["treated"][table["treated"].index("no")] = "sí"
    elif kind == "range":
        table["age"][0] = "[99, 2]"
    elif kind == "date":
        table["remark"][0] = "2020-03-14T10:00Z"
    if kind != "claim":
        write_table(folder, table)
        rehash(folder)
    else:
        claim = claim_of(folder)
        claim["models"] = [
            {"k_anonymity": {"k": 5}},
            {"delta_disclosure": {"delta": 0.1, "on": "treated", "kind": "strict"}},
            {"beta_likeness": {"beta": 1, "on": "treated", "kind": "enhanced"}},
            {"t_closeness": {"t": 0.4, "on": "treated", "distance": "ordered"}},
            {"l_diversity": {"l": 3, "on": "treated", "kind": "recursive", "c": 2}},
            {"k_map": {"k": 9, "population": 100, "significance": 0.05}},
            {"average_risk": {"limit": 0.2}},
        ]
        write_claim(folder, claim)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the one file, releases and what to ask about them."""
    folder = tmp_path_factory.mktemp("bare")
    shutil.copy(SOURCE, folder / "audit.py")
    (folder / "driver.py").write_text(DRIVER)
    cases: list[list[str]] = [["nothing.csv"]]
    for form in BARE_FORMATS:
        for kind in ("good", "cell", "row", "secret", "range", "date", "claim"):
            own = folder / f"{form} {kind}"
            released(own, form) if kind == "good" else tampered(own, form, kind)
            name, data = own.name, data_of(own).name
            evidence = ["--original", f"{name}/original.csv", "--record", f"{name}/internal/record.json"]
            cases += [[f"{name}/{data}", f"{name}/claim.json"], [name, "--json", *evidence]]
        (folder / f"{form} good" / "town.csv").write_text("age,zip,job\n21,28001,law\n")
        cases.append([f"{form} good", "--original", f"{form} good/original.csv"])
        cases.append([f"{form} good", "--population", f"{form} good/town.csv", "--claim-sha256", "0" * 64])
    (folder / "cases.json").write_text(json.dumps(cases))
    return folder


def answers(python: str, folder: Path) -> dict[str, Any]:
    command = [python, *BARE, "driver.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert not done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def expected(folder: Path) -> dict[str, Any]:
    return answers(sys.executable, folder)


def test_this_python_tells_good_from_tampered(expected: dict[str, Any]) -> None:
    codes = {(arguments[0].partition("/")[0], len(arguments)): code for arguments, code, _, _ in expected["said"]}
    for form in BARE_FORMATS:
        assert codes[f"{form} good", 2] == codes[f"{form} good", 6] == codes[f"{form} good", 3] == 0
        assert codes[f"{form} good", 5] == 1
        for kind in ("cell", "row", "secret", "range", "claim"):
            assert codes[f"{form} {kind}", 2] == codes[f"{form} {kind}", 6] == 1
        assert (codes[f"{form} date", 2], codes[f"{form} date", 6]) == (0, 1)
    assert codes["nothing.csv", 1] == 2


@pytest.mark.parametrize("minor", sorted({*MINORS, sys.version_info[1]}))
def test_every_python_says_the_same(minor: int, folder: Path, expected: dict[str, Any]) -> None:
    python = interpreter(minor)
    if python is None:
        pytest.skip(f"there is no Python 3.{minor} here")
    found = answers(python, folder)
    assert found["version"] == [3, minor]
    assert found["packages"] is False
    assert found["said"] == expected["said"]
    command = [python, *BARE, "audit.py", "csv good"]
    script = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert (script.returncode, script.stderr) == (0, "")
    assert script.stdout.endswith("The claim holds.\n")
