"""How each figure of the dossier is computed, and the command that computes it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from celosia.report.facts import Facts


def commands(facts: Facts, claim: Mapping[str, Any]) -> dict[str, str]:
    """Return the command lines for the figures of a release; the plan in them is the one that the dossier prints.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [40, 44, 37, 31]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> release = cl.Plan(models=[cl.KAnonymity(2)]).run(table)
    >>> claim = release.claim | {"data": {"format": "csv", "n_rows": 4, "sha256": "c0ffee"}}
    >>> commands(Facts.of(release), claim)["check"]
    'celosia check release/data.csv --quasi-identifiers age'
    """
    file = f"release/data.{claim['data']['format']}"
    names = [
        name
        for entry in claim["columns"]
        if entry["role"] == "quasi_identifier"
        for name in entry.get("columns", [entry["name"]])
    ]
    secrets = [entry["name"] for entry in claim["columns"] if entry["role"] == "sensitive"]
    check = ["celosia", "check", file, "--quasi-identifiers", ",".join(names)]
    return {
        "check": shlex.join([*check, *(["--sensitive", ",".join(secrets)] if secrets else [])]) if names else "",
        "risk": "celosia risk plan.yaml",
        "compare": shlex.join(["celosia", "compare", facts.table.name, file, "--plan", "plan.yaml"]),
        "verify": f"celosia verify {file} release/claim.json",
        "hash": f"sha256sum {file}",
    }
