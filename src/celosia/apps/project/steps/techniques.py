"""Steps 5 and 6: which techniques; whether the risk is below the threshold, which the loop finds out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from celosia.apps.project.loop_targets import Candidates
from celosia.apps.project.steps.base import Answered, Lack, Seen, lacks, mapping_of
from celosia.base.errors import PlanError
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.base.yaml import Section
from celosia.jobs.registry import build
from celosia.models import KAnonymity
from celosia.search import Weave
from celosia.search.base import Algorithm


@dataclass(frozen=True)
class Anonymisation(Answered):
    """What the loop may try, and whether anything is written down to be written to.

    Attributes
    ----------
    candidates
        The searches, the shares of rows that may be left out, and the k to begin with.
    made
        The columns that masks make.

    Examples
    --------
    >>> top = Section({"input": "people.csv"}, "p.yaml")
    >>> found = Anonymisation.read(Section({"try": {"k": 5}}, "p.yaml"), top, max_suppression=0.1)
    >>> found.candidates.k, [lack.sentence for lack in found.lacking(Seen())]
    (5, ['The project names no output folder.'])
    """

    candidates: Candidates
    made: tuple[str, ...]
    has_input: bool
    has_output: bool

    @classmethod
    def read(cls, section: Section, top: Section, max_suppression: float | None) -> Anonymisation:
        """Return what stands in the file; masks and models are looked at when the step is signed.

        Raises
        ------
        PlanError, OptionError
            A key or value is not allowed, k-anonymity is among the further models, or more rows may go than step 2
            allows.
        """
        section.allow(("masks", "masks_after", "models", "range_style", "try", "accepted"))
        for key in ("masks", "masks_after", "models"):
            if not isinstance(section.get(key), list | None):
                raise PlanError(f"'{key}' must be a list.", hint=f"write {key}: [].", where=section.place(key))
        for entry in section.get("models") or []:
            if entry == KAnonymity.name or (isinstance(entry, Mapping) and KAnonymity.name in entry):
                raise PlanError(
                    "the loop finds the k of k-anonymity.",
                    hint="take it off the models; a k to begin with stands under try: {k: 5}.",
                    where=section.place("models"),
                )
        return cls(
            _candidates(mapping_of(section, "try"), max_suppression),
            tuple(_made(section.get("masks") or [])),
            top.get("input") is not None,
            top.get("output") is not None,
        )

    def lacking(self, seen: Seen) -> list[Lack]:
        """Return what is still to be answered."""
        return lacks(
            (Said("The project names no input."), not self.has_input),
            (Said("The project names no output folder."), not self.has_output),
        )


def _candidates(section: Section, most: float | None) -> Candidates:
    section.allow(("algorithms", "max_suppression", "k"))
    named = section.get("algorithms")
    algorithms: list[Algorithm] = (
        [Weave()] if named is None else section.list_of("algorithms", lambda spec: build("algorithms", spec))
    )
    given = section.get("max_suppression")
    shares = [0.0] if given is None else [given] if isinstance(given, int | float) else given
    with section.locating("max_suppression"):
        found = Candidates(algorithms, shares, section.get("k"))
    if most is not None and max(found.suppressions) > most:
        raise PlanError(
            f"the loop may try to leave out more rows than step 2 allows ({most:g}).",
            hint="take the greater shares off max_suppression.",
            where=section.place("max_suppression"),
        )
    return found


def _made(masks: list[object]) -> list[str]:
    """Return the columns that masks make."""
    derived = [entry["derive"] for entry in masks if isinstance(entry, Mapping) and "derive" in entry]
    return [str(own["column"]) for own in derived if isinstance(own, Mapping) and own.get("column") is not None]


@dataclass(frozen=True)
class Risk(Answered):
    """Nothing but acceptances: the rest is measured.

    Examples
    --------
    >>> [lack.sentence for lack in Risk().lacking(Seen())]
    ['The loop has not been run to its end.']
    """

    @classmethod
    def read(cls, section: Section) -> Risk:
        """Return what stands in the file.

        Raises
        ------
        PlanError
            A key is not allowed.
        """
        section.allow(("accepted",))
        return cls()

    def lacking(self, seen: Seen) -> list[Lack]:
        """Return what is still to be done: to run the loop, on what the file says now."""
        if seen.outcome is None:
            return [Lack(Said("The loop has not been run to its end."))]
        if not seen.is_measured:
            return [Lack(Said("The loop was run on other answers or on another input: run it again."))]
        return []

    def findings(self, seen: Seen) -> list[Finding]:
        """Return what was found on the release."""
        return [finding_of(one) for one in seen.evidence.get("risk", {}).get("findings", [])]


def told_finding(finding: Finding) -> dict[str, object]:
    """Return a finding as it stands in the record, so that documents can say it in another language.

    Examples
    --------
    >>> found = Finding("CHILD_DATA", "note", "Rows about children: {count}.", values={"count": 2})
    >>> finding_of(told_finding(found)) == found
    True
    """
    return {
        "code": finding.code,
        "severity": finding.severity,
        "template": finding.template,
        **({} if finding.column is None else {"column": finding.column}),
        **({} if not finding.values else {"values": dict(finding.values)}),
        **({} if finding.n_rows is None else {"n_rows": finding.n_rows}),
    }


def finding_of(told: dict[str, object]) -> Finding:
    """Return the finding that stands in the record.

    Examples
    --------
    >>> finding_of({"code": "SEED_FIXED", "severity": "warning", "template": "The seed is fixed."}).code
    'SEED_FIXED'
    """
    return Finding(**told)  # type: ignore[arg-type]
