"""The file as a script under bare Python: no site packages, no package around it."""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from celosia import audit

CANARY = "canary8c1f"
SOURCE = Path(str(audit.__file__))

CLAIM: dict[str, Any] = {
    "celosia": "claim",
    "version": 1,
    "models": [{"k_anonymity": {"k": 2}}],
    "columns": [
        {"name": "año", "role": "quasi_identifier", "kind": "number", "style": "bracket"},
        {"name": "city", "role": "quasi_identifier", "kind": "tree", "style": "label"},
        {"name": "ill", "role": "sensitive"},
    ],
    "policies": {"missing": "own", "suppressed": "deleted", "subject": None},
}


def write(folder: Path, rows: str = f'"[1, 3]",north,{CANARY}\n"[1, 3]",north,S\n', **changes: Any) -> None:
    data = folder / "data.csv"
    data.write_text(f"año,city,ill\n{rows}", encoding="utf-8")
    digest = hashlib.sha256(data.read_bytes()).hexdigest()
    facts = {"format": "csv", "sha256": digest, "n_rows": rows.count("\n")}
    (folder / "claim.json").write_text(json.dumps(CLAIM | {"data": facts} | changes))


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = folder / "audit.py"
    shutil.copy(SOURCE, script)
    command = [sys.executable, "-I", "-S", str(script), *arguments]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert CANARY not in result.stdout + result.stderr
    assert "Traceback" not in result.stderr
    return result


def test_holds(tmp_path: Path) -> None:
    write(tmp_path)
    result = run(tmp_path, "data.csv", "claim.json")
    assert result.returncode == 0, result
    assert result.stdout.endswith("The claim holds.\n")
    assert result.stdout.isascii()
    assert not result.stderr
    assert run(tmp_path, "data.csv").stdout == run(tmp_path, str(tmp_path)).stdout == result.stdout


def test_the_claims_hash_is_told_or_compared(tmp_path: Path) -> None:
    write(tmp_path)
    digest = hashlib.sha256((tmp_path / "claim.json").read_bytes()).hexdigest()
    assert digest in run(tmp_path, "data.csv").stdout
    assert run(tmp_path, "data.csv", "--claim-sha256", digest).returncode == 0
    wrong = run(tmp_path, "data.csv", "--claim-sha256", "0" * 64)
    assert wrong.returncode == 1
    assert "failed          claim hash" in wrong.stdout


def test_does_not_hold(tmp_path: Path) -> None:
    write(tmp_path, f'"[1, 3]",north,{CANARY}\n"[1, 4]",{CANARY},S\n"[9, 4]",north,S\n')
    result = run(tmp_path, "data.csv", "claim.json", "--json")
    verdict = json.loads(result.stdout)
    assert result.returncode == 1
    assert verdict["holds"] is False
    assert {check["name"]: check["status"] for check in verdict["checks"]} == {
        "claim hash": "not applicable",
        "claim": "passed",
        "hash": "passed",
        "rows": "passed",
        "columns": "passed",
        "values of 'año'": "failed",
        "values of 'city'": "passed",
        "k_anonymity": "failed",
        "truthfulness": "not applicable",
    }


def test_with_original_record_and_hierarchy(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "original.csv").write_text(f"año;city;ill\n3;Oslo;S\n1;Bergen;{CANARY}\n9;Rome;S\n", encoding="utf-8")
    order = base64.b64encode(zlib.compress(struct.pack("<2i", 1, 0))).decode()
    (tmp_path / "record.json").write_text(json.dumps({"order": order, "n_original": 3, "n_suppressed": 1}))
    (tmp_path / "city.csv").write_text("Oslo;north;*\nBergen;north;*\nRome;south;*\n")
    files = ["data.csv", "claim.json", "--original", "original.csv", "--record", "record.json"]
    assert run(tmp_path, *files, "--hierarchy", "city=city.csv").returncode == 0
    blind = run(tmp_path, *files)
    assert blind.returncode == 1
    assert "could not run" in blind.stdout
    swapped = base64.b64encode(zlib.compress(struct.pack("<2i", 0, 1))).decode()
    (tmp_path / "record.json").write_text(json.dumps({"order": swapped, "n_original": 3, "n_suppressed": 1}))
    wrong = run(tmp_path, *files, "--hierarchy", "city=city.csv")
    assert wrong.returncode == 1
    assert "truthfulness of 'ill'" in wrong.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["no.csv"],
        ["data.csv", "no.json"],
        ["data.csv", "claim.json", "--claim-sha256", "0"],
        ["internal"],
        ["no.csv", "claim.json"],
        ["data.csv", "data.csv"],
        ["data.csv", "claim.json", "--original", "no.csv"],
        ["data.csv", "claim.json", "--hierarchy", "city"],
        ["data.csv", "claim.json", "--hierarchy", "city=no.csv"],
        ["data.csv", "claim.json", "--frobnicate"],
    ],
)
def test_wrong_input(tmp_path: Path, arguments: list[str]) -> None:
    write(tmp_path)
    (tmp_path / "internal").mkdir()
    result = run(tmp_path, *arguments)
    assert result.returncode == 2
    assert result.stderr
    assert not result.stdout


def test_parquet_without_polars_says_what_to_install(tmp_path: Path) -> None:
    write(tmp_path)
    digest = hashlib.sha256((tmp_path / "data.csv").read_bytes()).hexdigest()
    write(tmp_path, data={"format": "parquet", "sha256": digest, "n_rows": 2})
    result = run(tmp_path, "data.csv", "claim.json")
    assert result.returncode == 2
    assert "polars" in result.stderr


def test_a_file_without_a_header_does_not_leak_its_first_row(tmp_path: Path) -> None:
    write(tmp_path)
    data = tmp_path / "data.csv"
    data.write_text(f"{CANARY},x,y\n1,2,3\n")
    digest = hashlib.sha256(data.read_bytes()).hexdigest()
    facts = {"format": "csv", "sha256": digest, "n_rows": 1}
    (tmp_path / "claim.json").write_text(json.dumps(CLAIM | {"data": facts}))
    assert run(tmp_path, "data.csv", "claim.json").returncode == 1


def test_imports_are_of_the_standard_library_alone() -> None:
    names: set[str] = set()
    for node in ast.walk(ast.parse(SOURCE.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(str(node.module).split(".")[0])
    assert names <= sys.stdlib_module_names
