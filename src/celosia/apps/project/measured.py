"""Evidence of a release: what was measured on it, for steps 6 and 7; no cell value, no seed, no path, no key."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from celosia.apps.project.loop_targets import Targets
from celosia.apps.project.steps.techniques import told_finding
from celosia.base.findings import Finding
from celosia.base.version import __version__
from celosia.data.schema import Table
from celosia.jobs.plan import Plan
from celosia.jobs.release import Release
from celosia.masks.base import Mask
from celosia.masks.naming import called, left_behind
from celosia.models.base import Model

_SHOWN_OPTIONS = ("on", "kind", "distance")


def technique_evidence(plan: Plan, published: Sequence[str]) -> dict[str, Any]:
    """Return what step 5 amounts to: masks by what they leave behind, models by their parameters, columns."""
    masks: tuple[Mask, ...] = (*plan.masks, *plan.masks_after)
    return {
        "masks": [left_behind(mask) for mask in masks],
        "models": [{model.name: _parameters(model)} for model in plan.models if model.name != "k_anonymity"],
        "published": list(published),
        "called": called(masks),
    }


def risk_evidence(
    release: Release,
    table: Table,
    targets: Targets,
    *,
    input: Mapping[str, Any],
    output: Mapping[str, Any],
    checks: Sequence[tuple[str, str]],
) -> dict[str, Any]:
    """Return what step 6 records: risk before and after, scenarios, the audit, hashes, versions, findings."""
    before, after = targets.situation.assess(table), targets.situation.assess(release)
    scenarios = [
        {
            "scenario": own.name,
            "attempt": float(own.attempt),
            "risk_before": None if earlier.risk is None else float(earlier.risk),
            "risk_after": None if own.risk is None else float(own.risk),
            "holds": own.holds,
        }
        for earlier, own in zip(before.results, after.results, strict=True)
    ]
    return {
        "threshold": float(after.threshold),
        "risk_before": None if before.overall is None else float(before.overall),
        "risk_after": None if after.overall is None else float(after.overall),
        "holds": after.holds,
        "k": release.plan.models[0].smallest_class,
        "smallest": after.k,
        "n_rows": release.masked.given.n_rows,
        "n_published": release.classes.n_published,
        "n_classes": release.classes.n_classes,
        "scenarios": scenarios,
        "audit": {"holds": True, "checks": dict(checks)},
        "input": dict(input),
        "output": {key: output[key] for key in ("format", "sha256", "n_rows")},
        "versions": _versions(),
        "findings": [told_finding(finding) for finding in release.findings],
    }


def unmet_evidence(
    table: Table, targets: Targets, *, input: Mapping[str, Any], findings: Sequence[Finding]
) -> dict[str, Any]:
    """Return what step 6 records where no release meets the targets."""
    before = targets.situation.assess(table)
    return {
        "threshold": float(before.threshold),
        "risk_before": None if before.overall is None else float(before.overall),
        "n_rows": table.n_rows,
        "input": dict(input),
        "versions": _versions(),
        "findings": [told_finding(finding) for finding in findings],
    }


def utility_evidence(release: Release, targets: Targets) -> dict[str, Any]:
    """Return what step 7 records: the loss and the rows left out, against what step 2 wanted."""
    summary = release.summary
    share = summary["n_suppressed"] / summary["n_rows"]
    return {
        "gcp": summary["gcp"],
        "max_loss": targets.max_loss,
        "share_suppressed": share,
        "max_suppression": targets.max_suppression,
        "holds": targets.is_useful(summary["gcp"], share),
        "columns": dict(summary["columns"]),
        "called": summary["called"],
    }


def _parameters(model: Model) -> dict[str, Any]:
    """Return the options of a model that hold no cell value and no path."""
    return {
        option: value
        for option, value in model.to_dict().items()
        if isinstance(value, bool | int | float) or (option in _SHOWN_OPTIONS and isinstance(value, str))
    }


def _versions() -> dict[str, str]:
    return {
        "celosia": __version__,
        "python": platform.python_version(),
        "polars": pl.__version__,
        "numpy": np.__version__,
    }
