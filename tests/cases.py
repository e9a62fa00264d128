"""Cases for the tests of documents: real releases of a made-up hospital, and the projects that they could come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import celosia as cl
from celosia.apps.dossier import STEPS, Acceptance, Case, Event, Round, Signature, Step, write_documents
from celosia.base.findings import Finding
from celosia.measure.risk.scenarios import Insider, PublicRelease
from celosia.measure.risk.situation import Situation

__all__ = ["JOBS", "WARDS", "case_of", "hospital", "hospital_schema", "release_of", "rounds_of", "signed", "written"]

JOBS = [
    ("nurse", "health", "*"),
    ("surgeon", "health", "*"),
    ("judge", "law", "*"),
    ("notary", "law", "*"),
    ("cook", "food", "*"),
    ("baker", "food", "*"),
]
WARDS = ["cardiology", "oncology", "surgery", "urology"]


def hospital(n_rows: int = 400, seed: int = 5) -> pl.DataFrame:
    """Return made-up stays: identity number, age, postcode, job, ward, days."""
    draw = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "dni": [f"{40_000_000 + 7919 * row:08d}" for row in range(n_rows)],
            "age": draw.normal(54, 17, n_rows).clip(18, 97).round().astype(int),
            "postcode": draw.choice(["37003", "37007", "37891", "28108", "28111", "24700"], n_rows),
            "job": draw.choice([job for job, *_ in JOBS], n_rows),
            "ward": draw.choice(WARDS, n_rows, p=[0.4, 0.3, 0.2, 0.1]),
            "days": draw.geometric(0.2, n_rows),
        }
    )


def hospital_schema(**changes: Any) -> cl.Schema:
    """Return the roles of the hospital's columns, some of them changed."""
    options: dict[str, Any] = {
        "identifiers": ["dni"],
        "quasi_identifiers": {
            "age": "number",
            "postcode": cl.Prefix(keep=[5, 3, 1]),
            "job": cl.Tree(JOBS),
        },
        "sensitive": ["ward"],
        "insensitive": ["days"],
    }
    return cl.Schema(**{**options, **changes})


def release_of(
    table: cl.Table | None = None, models: Sequence[Any] = (cl.KAnonymity(8),), **options: Any
) -> cl.Release:
    """Return a release, of the hospital unless another table is given."""
    given = cl.Table(hospital(), hospital_schema(), name="stays.csv") if table is None else table
    return cl.Plan(models=list(models), **{"algorithm": cl.Mondrian(), **options}).run(given)


def rounds_of(release: cl.Release, situation: Situation) -> tuple[Round, ...]:
    """Return a loop that could have ended with a release: one too risky, one out of reach, one too lossy, and it."""
    k, gcp = release.k, release.loss.gcp
    attempt = situation.attempt
    left_out = release.classes.n_suppressed / len(release.classes)
    return (
        Round(
            2, "mondrian", 0.0, "too risky", attempt / 2, 2, gcp / 3, 0.0, 0.1, "The risk is not within the threshold."
        ),
        Round(
            10 * k, "datafly", 0.0, "out of reach", reason="There are fewer people in the table than a class must have."
        ),
        Round(
            *(2 * k, "mondrian", 0.02, "too lossy", attempt / (2 * k), 2 * k, min(1.0, gcp * 2.4), 0.01, 0.2),
            "More information is lost than the target allows.",
        ),
        Round(k, "mondrian", 0.0, "accepted", attempt / k, k, gcp, left_out, 0.3, chosen=True),
    )


_BLANKS = Finding(
    "TRIMMED_BLANKS", "note", "Blanks around {count} cells of '{column}' were trimmed.", "ward", {"count": 31}
)
_REFUSED = (
    Round(
        5,
        "mondrian",
        0.0,
        "too lossy",
        Fraction(1, 20),
        5,
        0.71,
        0.0,
        0.1,
        "More information is lost than the target allows.",
    ),
    Round(5, "datafly", 0.02, "out of reach", reason="There are fewer people in the table than a class must have."),
)

_ANSWERS: dict[str, dict[str, Any]] = {
    "release_model": {"kind": "non_public", "recipients": ["Health Institute"], "fixed_number": True},
    "targets": {
        "covers": "data and controls",
        "risk": {"threshold": 0.05, "insider": {"controls": "medium", "motivation": "medium"}},
        "utility": {"max_loss": 0.5, "max_suppression": 0.02},
        "why": "ANSWERwhy: stays are health data.",
    },
    "attributes": {
        "schema": {
            "identifiers": ["dni"],
            "quasi_identifiers": {
                "age": "number",
                "postcode": {"prefix": {"keep": [5, 3, 1]}},
                "job": {"tree": "job.csv"},
            },
            "sensitive": ["ward"],
            "insensitive": ["days"],
        }
    },
    "purposes": {
        "keep": {
            "age": "ANSWERage: demand by age group.",
            "postcode": "ANSWERpostcode: demand by district.",
            "job": "ANSWERjob: occupational disease.",
            "ward": "ANSWERward: what is planned for.",
            "days": "ANSWERdays: length of stay.",
        },
        "drop": {"dni": "ANSWERdni: not needed."},
    },
    "anonymisation": {
        "masks": [],
        "models": [],
        "try": {"algorithms": ["mondrian", "datafly"], "max_suppression": [0, 0.02]},
    },
    "risk": {"accepted": [{"finding": "HOMOGENEOUS", "column": "ward", "by": "Ana Ruiz", "reason": "ANSWERaccepted"}]},
    "evaluation": {
        "benefit": "ANSWERbenefit: wards are planned better.",
        "harm": "ANSWERharm: a stay becomes known.",
        "balance": "ANSWERbalance: the ward is coarse, the recipient is bound.",
    },
    "documentation": {
        "controls": {
            "contractual": "ANSWERcontract: no re-identification.",
            "technical": "ANSWERtechnical: closed network.",
        },
        "review": "2027-11-15",
        "triggers": ["ANSWERtrigger: new recipient", "new public source"],
    },
}


def case_of(release: cl.Release | None = None, *, is_public: bool = False, n_signed: int = 6, **changes: Any) -> Case:
    """Return a project that led to a release, or to none: all eight steps answered, the first ones signed."""
    threshold: dict[str, Any] = {"threshold": Fraction(1, 20)}
    situation = Situation([PublicRelease()] if is_public else [Insider("medium", "medium")], **threshold)
    answers = _ANSWERS | ({"release_model": {"kind": "public"}} if is_public else {})
    findings: dict[str, tuple[Finding, ...]] = {
        "attributes": (_BLANKS,),
        "risk": () if release is None else tuple(release.findings),
    }
    warnings = {(one.code, one.column): one for one in findings["risk"] if one.severity == "warning"}
    accepted = tuple(Acceptance(code, "Ana Ruiz", f"REASON{code}", column) for code, column in warnings)
    steps = tuple(
        Step(
            name,
            "ready" if place == 0 else "waiting",
            answers[name],
            _evidence(name, release),
            findings=findings.get(name, ()),
            accepted=accepted if name == "risk" else (),
        )
        for place, name in enumerate(STEPS)
    )
    options: dict[str, Any] = {
        "title": "Hospital stays",
        "controller": "Hospital of Soria",
        "contact": "dpo@example.org",
        "is_public": is_public,
        "recipients": () if is_public else ("Health Institute",),
        "situation": situation,
        "covers": "data" if is_public else "data and controls",
        "max_loss": 0.5,
        "steps": steps,
        "rounds": _REFUSED if release is None else rounds_of(release, situation),
        "outcome": "not feasible" if release is None else "feasible",
        "review": date(2027, 11, 15),
        "history": (Event("made", "2026-11-02T08:00:00+00:00", "Ana Ruiz"), Event("run", "2026-11-16T09:00:00+00:00")),
    }
    case = Case(**{**options, **changes})
    for name in STEPS[:n_signed]:
        case = signed(case, name)
    return case


def _evidence(name: str, release: cl.Release | None) -> dict[str, Any]:
    """Return what a project records for a step."""
    if name == "attributes":
        seen = {"suggested": "quasi_identifier", "reasons": ["EVIDENCEreason"]}
        given = {"name": "stays.csv", "sha256": "ab" * 32, "n_rows": 400, "n_columns": 6}
        return {"input": given, "columns": dict.fromkeys(["age", "job"], seen)}
    if name == "targets":
        return {"threshold": 0.05, "attempt": 0.25, "minimal_k": 5, "floor": 3}
    if name == "anonymisation":
        return {"masks": [], "models": [], "published": ["age", "postcode", "job", "ward", "days"], "called": []}
    if name == "evaluation" and release is not None:
        return {"gcp": release.loss.gcp, "max_loss": 0.5, "holds": True, "columns": dict(release.loss.columns)}
    if name == "risk" and release is not None:
        scenario = {"scenario": "insider", "attempt": 0.25, "risk_before": 0.25, "risk_after": 0.03, "holds": True}
        return {"smallest": release.k, "scenarios": [scenario], "audit": {"holds": True, "checks": {"hash": "passed"}}}
    return {}


def signed(case: Case, name: Any, by: str = "Ana Ruiz", role: str = "Data protection officer") -> Case:
    """Return a case with one more step signed."""
    place = STEPS.index(name)
    at = f"2026-11-16T1{place}:30:00+00:00"
    signature = Signature(name, by, role, at, f"{place}" * 64, f"NOTE{name}")
    steps = list(case.steps)
    steps[place] = replace(steps[place], state="signed", signature=signature)
    if place + 1 < len(steps) and steps[place + 1].state == "waiting":
        steps[place + 1] = replace(steps[place + 1], state="ready")
    return replace(case, steps=tuple(steps), history=(*case.history, Event("signed", at, by, name)))


def written(folder: Path, release: cl.Release, case: Case, **options: Any) -> Path:
    """Write a release with its documents, and return its folder."""
    return release.write(folder / "release", documents=partial(_write, case, release), **options)


def _write(case: Case, release: cl.Release, folder: Path, claim: Any, checks: Any) -> None:
    write_documents(case, release, folder, claim, checks)
