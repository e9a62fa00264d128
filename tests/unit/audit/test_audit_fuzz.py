"""Random bytes: never a traceback, and never "holds" of a table or claim that does not."""

from __future__ import annotations

import hashlib
import io
import json
import math
import random
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineError
from tampering import FORMATS, Table, claim_of, data_of, read_table, rehash, released

from celosia.audit import AuditInputError, Verdict, verify

N_QUICK, N_WHOLE = 100, 2000
INSERTS = (b"null", b"true", b"1e999", b"-1", b"[]", b"{}", b'""', b"9" * 50, b"NaN", b"\r", b"\xef\xbb\xbf", b"</row>")
SIGNS = b'0123456789.,;:"{}[]<>-*eE \n\t\\\0\xff'


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Change a few bytes: flip, insert, delete, repeat, cut off, or put what readers may stumble over."""
    result = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        place = chance.randrange(max(len(result), 1))
        kind = chance.randrange(7)
        if kind == 0 and result:
            result[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            result[place:place] = bytes([chance.randrange(256)])
        elif kind == 2:
            del result[place : place + chance.choice((1, 1, 4, 50))]
        elif kind == 3:
            result[place : place + 1] = bytes([chance.choice(SIGNS)])
        elif kind == 4:
            start = chance.randrange(max(len(result), 1))
            result[place:place] = result[start : start + chance.randrange(1, 60)]
        elif kind == 5 and not chance.randrange(4):
            del result[place:]
        else:
            result[place : place + 1] = chance.choice(INSERTS)
    return bytes(result)


def mutated_part(workbook: bytes, chance: random.Random) -> bytes:
    """Change a part of a workbook: its sums are then right, and the change is read."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    chosen = chance.choice([name for name in parts if "sheet" in name or "Strings" in name or "workbook" in name])
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as book:
        for name, part in parts.items():
            book.writestr(name, mutated(part, chance) if name == chosen else part)
    return buffer.getvalue()


def judged(*arguments: Any, **options: Any) -> Verdict | None:
    """Judge, or be refused; anything else that is raised ends the test."""
    try:
        return verify(*arguments, **options)
    except AuditInputError:
        return None


def table_for_others(folder: Path) -> Table | None:
    """Read the data file with another program; ``None`` if that refuses it, and nobody is misled."""
    try:
        return read_table(folder)
    except CalamineError:
        return None


def is_true(claim: dict[str, Any], table: Table) -> bool:
    """Judge a claim of k-anonymity and entropy l-diversity by their definitions."""
    quasi_identifiers = [one["name"] for one in claim["columns"] if one["role"] == "quasi_identifier"]
    rows = list(zip(*(table[name] for name in quasi_identifiers), strict=True))
    sizes = Counter(rows)
    for model in claim["models"]:
        ((name, options),) = model.items()
        if name == "k_anonymity":
            if min(sizes.values()) < options["k"]:
                return False
            continue
        assert (name, options["kind"]) == ("l_diversity", "entropy")
        for row, size in sizes.items():
            own = Counter(
                secret for other, secret in zip(rows, table[options["on"]], strict=True) if other == row
            ).values()
            if -sum(n / size * math.log(n / size) for n in own) < math.log(options["l"]) - 1e-9:
                return False
    return True


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("n_times", [N_QUICK, pytest.param(N_WHOLE, marks=pytest.mark.slow)])
def test_mutated_data(tmp_path: Path, form: str, n_times: int) -> None:
    folder = released(tmp_path, form)
    chance, data, claim = random.Random(n_times), data_of(folder), folder / "claim.json"
    content, promise = data.read_bytes(), claim.read_bytes()
    for turn in range(n_times):
        is_part = form == "xlsx" and turn % 2
        changed = mutated_part(content, chance) if is_part else mutated(content, chance)
        data.write_bytes(changed)
        claim.write_bytes(promise)
        found = judged(data, claim)
        assert found is None or not found.holds or changed == content
        rehash(folder)
        found = judged(data, claim)
        if found is not None and found.holds and (table := table_for_others(folder)) is not None:
            assert is_true(json.loads(promise), table)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("n_times", [N_QUICK, pytest.param(N_WHOLE, marks=pytest.mark.slow)])
def test_mutated_claims(tmp_path: Path, form: str, n_times: int) -> None:
    folder = released(tmp_path, form)
    chance, data, claim = random.Random(n_times), data_of(folder), folder / "claim.json"
    content, table, record = claim.read_bytes(), read_table(folder), folder / "internal" / "record.json"
    digest = hashlib.sha256(content).hexdigest()
    for _ in range(n_times):
        changed = mutated(content, chance)
        claim.write_bytes(changed)
        found = judged(data, claim)
        if found is not None and found.holds:
            assert is_true(claim_of(folder), table)
        judged(data, claim, original=folder / "original.csv", record=record)
        found = judged(data, claim, claim_sha256=digest)
        assert found is None or not found.holds or changed == content


@pytest.mark.parametrize("n_times", [N_QUICK, pytest.param(N_WHOLE, marks=pytest.mark.slow)])
def test_mutated_records_and_originals(tmp_path: Path, n_times: int) -> None:
    folder = released(tmp_path, "csv")
    chance = random.Random(n_times)
    names = {"record": folder / "internal" / "record.json", "original": folder / "original.csv"}
    contents = {name: path.read_bytes() for name, path in names.items()}
    for turn in range(n_times):
        for name, path in names.items():
            path.write_bytes(mutated(contents[name], chance) if turn % 2 == (name == "record") else contents[name])
        judged(folder, **names)
