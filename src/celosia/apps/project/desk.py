"""The desk: a project file while it is worked on, read afresh under its lock and replaced whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from celosia.apps.dossier.case import Case
from celosia.apps.project.answers import Answers
from celosia.apps.project.configuring import places_in
from celosia.apps.project.file import Stored, locked, read_file, write_file
from celosia.apps.project.judging import Standing, judged
from celosia.apps.project.looking import hash_of
from celosia.apps.project.record import Record
from celosia.base.errors import InputError
from celosia.jobs.plan_file import Config


class Desk:
    """A project file and what it says.

    Attributes
    ----------
    path
        The file.
    stored, answers, record
        Its text, what people wrote, and what Celosía wrote.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._take(read_file(self.path))

    def _take(self, stored: Stored) -> None:
        self.stored = stored
        self.answers = Answers.of(stored.top, self.path.parent)
        self.record = Record.of(stored.record, self.path.name)
        for derived in ("places", "input_hash", "standing"):
            self.__dict__.pop(derived, None)

    def refresh(self) -> Desk:
        """Read the file again: people may have edited it."""
        self._take(read_file(self.path))
        return self

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Hold the lock, with the file as it is now.

        Raises
        ------
        InputError
            Another Celosía is at work on it, or its record was changed by hand.
        """
        with locked(self.path):
            self._take(read_file(self.path))
            self.refuse_broken()
            yield

    def save(self, record: Record, people: str | None = None) -> None:
        """Replace the file; what people changed in their part meanwhile stays, and is read."""
        self._take(write_file(self.path, self.stored, record.to_dict(), people))

    @cached_property
    def places(self) -> Config:
        """Where input and output are."""
        return places_in(self.stored.top, self.path)

    @cached_property
    def input_hash(self) -> str | None:
        """The hash of the input as it is now; ``None`` where it cannot be read."""
        return hash_of(self.places)

    @cached_property
    def standing(self) -> Standing:
        """Where all steps stand."""
        known = self.record.evidence.get("attributes", {}).get("input", {}).get("sha256")
        is_other = None if self.input_hash is None else known is not None and known != self.input_hash
        return judged(self.answers, self.record, is_other_input=is_other, input_hash=self.input_hash)

    def refuse_broken(self) -> None:
        """Refuse a record that is not as Celosía left it."""
        if self.record.broken is not None:
            raise InputError(
                f"the record of {self.path.name} was changed by hand: {self.record.broken}.",
                hint="put the file back as it was, from a copy or from version control; nothing goes on before.",
            )

    def refuse_changed(self) -> None:
        """Refuse to go on while a signed step is not what was signed."""
        for step in self.standing.changed:
            why = (
                "the input is another one"
                if self.standing.seen.is_other_input and step.name == "attributes"
                else (f"step {step.number} ({step.name}) has been changed")
            )
            by = "" if step.signature is None else f" since {step.signature.by} signed it"
            raise InputError(
                f"{why}{by}.",
                hint=f"put it back as it was, or: celosia project unsign {step.name} --by NAME --reason TEXT.",
            )

    def case(self) -> Case:
        """Return the project as documents read it.

        Raises
        ------
        InputError
            The targets are not written down yet.
        """
        answers, record = self.answers, self.record
        targets = answers.targets
        if targets.situation is None or targets.covers is None or targets.max_loss is None:
            lacks = self.standing.lacks["targets"]
            raise InputError(
                "the targets of the project are not written down yet.", hint=" ".join(one.message for one in lacks)
            )
        return Case(
            title=answers.title,
            controller=answers.controller,
            contact=answers.contact,
            is_public=answers.release_model.is_public,
            recipients=answers.release_model.recipients,
            situation=targets.situation,
            covers=targets.covers,
            max_loss=targets.max_loss,
            steps=self.standing.steps,
            rounds=record.rounds,
            outcome=record.outcome if self.standing.seen.is_measured else None,
            review=answers.documentation.review,
            history=tuple(entry.event for entry in record.history),
        )
