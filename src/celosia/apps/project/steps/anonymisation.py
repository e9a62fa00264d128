"""Step 5, which techniques; the loop finds k."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from celosia.apps.project.loop_targets import Candidates
from celosia.apps.project.steps.base import Lack, Seen, mapping_of
from celosia.base.errors import PlanError
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.base.yaml import Section
from celosia.jobs.registry import build
from celosia.models import KAnonymity
from celosia.search import Weave
from celosia.search.base import Algorithm


@dataclass(frozen=True)
class Anonymisation:
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
        lacks = []
        if not self.has_input:
            lacks.append(Lack(Said("The project names no input.")))
        if not self.has_output:
            lacks.append(Lack(Said("The project names no output folder.")))
        return lacks

    def findings(self, seen: Seen) -> list[Finding]:
        """Return nothing: what techniques leave behind is found when they are measured."""
        return []


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
