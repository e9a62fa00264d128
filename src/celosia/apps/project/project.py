"""Project: the eight steps of a release walked one by one, with evidence, and signed by named people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from celosia.apps.dossier.case import STEPS, Acceptance, Case, Event, Signature, Step, StepName
from celosia.apps.project.configuring import config_in, refuse_purposeless, roles_in
from celosia.apps.project.desk import Desk
from celosia.apps.project.file import locked, record_text, with_acceptance
from celosia.apps.project.judging import BLOCKING, acceptance_digests, content_digest, open_findings
from celosia.apps.project.looking import looked_at, source_of
from celosia.apps.project.measured import technique_evidence
from celosia.apps.project.placed import is_ours, release_stands, withdraw_documents
from celosia.apps.project.record import Outcome, Record, now
from celosia.apps.project.starting import Wanted, new_text
from celosia.apps.project.status import Todo, status_of, todo
from celosia.base.errors import InputError, OptionError, nearest
from celosia.base.progress import Progress, Quiet
from celosia.data import io
from celosia.data.io.durable import fresh_file
from celosia.data.io.files import sha256_of
from celosia.jobs.places import check_file
from celosia.jobs.suggest import seen_from
from celosia.measure.risk.situation import accepted_risk
from celosia.measure.risk.thresholds import Thresholds

_ON_THE_RELEASE = STEPS[5:]
"""Who signs one of these signs what lies in the output folder."""


class Project:
    r"""A release as a project: eight steps, each with answers, evidence and a signature, in one file.

    The file is edited by people; its last part is written by Celosía. A step can be signed once all earlier ones are,
    nothing lacks and no warning is open. What was signed cannot be changed unseen: a change shows, and nothing goes on
    until the signature is taken off, with the reason. All of this is evidence for the controller's assessment; it
    claims nothing about the law, and whoever owns the file could write it anew. Every method reads the file afresh.

    Attributes
    ----------
    path
        The project file.

    Raises
    ------
    PlanError, OptionError
        The file is no project file, or has a value that is not allowed; with the line.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "exams.csv").write_text("exam,professor\n" + "3,Doe\n4,Doe\n8,Roe\n9,Roe\n" * 5)
    >>> project = Project.new(folder / "exams.csv", folder / "project.yaml", title="Exams")
    >>> [step["state"] for step in project.status()["steps"]][:2]
    ['open', 'waiting']
    """

    def __init__(self, path: str | Path) -> None:
        self._desk = Desk(Path(path))

    @classmethod
    def load(cls, path: str | Path = "project.yaml") -> Project:
        """Read a project file."""
        return cls(path)

    @classmethod
    def new(
        cls,
        data: str | Path,
        path: str | Path = "project.yaml",
        *,
        title: str = "",
        controller: str = "",
        contact: str = "",
        public: bool = False,
        recipients: Sequence[str] = (),
        threshold: float | str | None = None,
        harm: str | None = None,
        overwrite: bool = False,
    ) -> Project:
        """Look at a table and write a project file with guesses, their reasons as comments, and questions.

        Parameters
        ----------
        data
            The data file.
        path
            The project file.
        title, controller, contact
            What the data are called, who answers for them, and how to reach them.
        public, recipients
            Whether anybody may have the release; if not, who.
        threshold, harm
            The accepted risk in (0, 1], or the harm of a re-identification: low, medium or high.
        overwrite
            Whether an existing file may be replaced.

        Raises
        ------
        InputError, OptionError, FormatError
            The data cannot be read, the file exists, or an option has a value that is not allowed.
        """
        data, path = Path(data), Path(path)
        hint, replacing = "name a file in it: project.yaml.", "replace it, signatures and all,"
        check_file(path, "project file", hint, overwrite=overwrite, data=data, replacing=replacing)
        if threshold is not None or harm is not None:
            accepted_risk(threshold, harm, Thresholds())
        if public and recipients:
            raise OptionError("a public release has no list of recipients.", hint="leave them out.")
        source = io.read(data)
        evidence, found = looked_at(source, sha256_of(data))
        wanted = Wanted(
            title or data.stem,
            controller,
            contact,
            public,
            tuple(recipients),
            None if threshold is None else str(threshold),
            harm,
        )
        record = Record().with_evidence("attributes", evidence).with_event(Event("made", now()))
        text = new_text(wanted, found, input=seen_from(path.parent, data)) + record_text(record.to_dict())
        with locked(path.resolve()), fresh_file(path) as file:
            file.write(text.encode())
        return cls(path)

    def __repr__(self) -> str:
        n_signed = sum(step.state == "signed" for step in self._desk.standing.steps)
        return f"Project({self.path.name}, {n_signed} of {len(STEPS)} steps signed)"

    @property
    def path(self) -> Path:
        """The project file."""
        return self._desk.path

    def case(self) -> Case:
        """Return the project as documents read it.

        Raises
        ------
        InputError
            The targets are not written down yet.
        """
        return self._desk.refresh().case()

    def status(self) -> dict[str, Any]:
        """Return where all steps stand, as ``celosia project status --json`` prints it."""
        return status_of(self._desk.refresh())

    def next(self) -> Todo:
        """Return what to do now, in words."""
        return todo(self._desk.refresh())

    def run(self, progress: Progress | None = None, *, overwrite: bool = False) -> Outcome:
        """Anonymise and measure until the targets hold, and write the release with its documents.

        Every round is written into the file as soon as it is measured: a run that was cut off goes on there. A release
        that stands already, made from what the file says now, is not made again.

        Parameters
        ----------
        overwrite
            Whether a release that is not the project's own may be replaced.

        Returns
        -------
        ``feasible``; or ``not feasible``, which is a result and no error: then there are documents, and no data.

        Raises
        ------
        InputError
            Steps 1 to 4 are not signed, or something signed has been changed.
        AuditError
            The verifier rejected the release; nothing was written.
        """
        from celosia.apps.project.running import (
            run_loop,  # here: templates and pictures are no part of the other commands
        )

        with self._desk.changing():
            run_loop(self._desk, progress or Quiet(), overwrite=overwrite)
            self._assemble()
        outcome = self._desk.record.outcome
        assert outcome is not None  # a loop that does not end raises
        return outcome

    def sign(self, step: str | int, *, by: str, role: str, note: str = "") -> None:
        """Sign a step as it stands now.

        Parameters
        ----------
        step
            Its name or its number.
        by, role
            Who signs, in which function.
        note
            What they add.

        Raises
        ------
        InputError
            An earlier step is not signed, something lacks, a warning is open, or something signed has been changed.
        PlanError, OptionError, HierarchyError
            What the step says does not fit the input.
        """
        name = _step_named(step)
        signer, function = _given(by, "by"), _given(role, "role")
        desk = self._desk
        with desk.changing():
            desk.refuse_changed()
            _refuse_order(desk, desk.standing.step(name))
            record = _with_evidence(desk, name)
            if record is not desk.record:
                desk.save(record)
            _refuse_open(desk, desk.standing.step(name))
            at = now()
            content = content_digest(name, desk.answers, desk.record)
            signature = Signature(name, signer, function, at, content, note.strip())
            record = replace(desk.record, signatures=(*desk.record.signatures, signature))
            for one in desk.standing.step(name).accepted:  # also those that people wrote into the file by hand
                if acceptance_digests(name, one, ())["acceptance"] not in record.vouched("acceptance"):
                    record = _with_accepted(record, desk.standing.step(name), one)
            desk.save(record.with_event(Event("signed", at, signer, name, note.strip()), content=content))
            self._assemble()

    def unsign(self, step: str | int, *, by: str, reason: str) -> None:
        """Take the signature off a step, and off all later ones, which stood on it; the history keeps them.

        Raises
        ------
        InputError
            The step is not signed.
        """
        name = _step_named(step)
        who, why = _given(by, "by"), _given(reason, "reason")
        desk = self._desk
        with desk.changing():
            if desk.record.signature(name) is None:
                raise InputError(
                    f"step {STEPS.index(name) + 1} ({name}) is not signed.", hint="see celosia project status."
                )
            record = desk.record
            fallen = [one.step for one in record.signatures if STEPS.index(one.step) >= STEPS.index(name)]
            record = replace(record, signatures=tuple(one for one in record.signatures if one.step not in fallen))
            for one in fallen:
                told = why if one == name else f"it stood on step {STEPS.index(name) + 1} ({name})"
                record = record.with_event(Event("unsigned", now(), who, one, told))
            desk.save(record)
            self._assemble()

    def accept(self, code: str, *, by: str, reason: str, column: str | None = None) -> None:
        """Accept an open warning by name; it is written into the step in which it was found.

        Parameters
        ----------
        code
            The code of the finding.
        column
            The column that it is about; may be left out where only one is open.

        Raises
        ------
        InputError
            No such warning is open, several are, or it is one that nobody can accept.
        """
        who, why = _given(by, "by"), _given(reason, "reason")
        desk = self._desk
        with desk.changing():
            desk.refuse_changed()
            name, about = _open_warning(desk, code, column)
            acceptance = Acceptance(code, who, why, about)
            people = with_acceptance(desk.stored, name, acceptance)
            desk.save(_with_accepted(desk.record, desk.standing.step(name), acceptance), people)

    def _assemble(self) -> None:
        """Make the documents of a release anew, so that they show what has been signed; or take them away."""
        folder = self._desk.places.output
        if folder is None or not is_ours(folder, self._desk.record):
            return
        if not release_stands(self._desk):  # they would tell of other targets, or of signatures that were taken off
            withdraw_documents(folder)
            return
        from celosia.apps.dossier import assemble

        assemble(self._desk.case(), folder)


def _step_named(step: str | int) -> StepName:
    """Return a step by its name or number."""
    text = str(step).strip()
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(STEPS):
        return STEPS[int(text) - 1]
    if text not in STEPS:
        raise OptionError(f"there is no step '{text}'.", hint=nearest(text, STEPS))
    return text


def _given(text: str, option: str) -> str:
    if not isinstance(text, str) or not text.strip():
        what = {"by": "the name of a person", "role": "the function of that person", "reason": "a reason"}[option]
        raise OptionError(f"'{option}' must be {what}.", hint=f"add --{option} TEXT.", about=option)
    return text.strip()


def _refuse_order(desk: Desk, step: Step) -> None:
    """Refuse a step that is signed already, or before which another one stands open."""
    if step.signature is not None:
        raise InputError(
            f"step {step.number} ({step.name}) is signed by {step.signature.by} already.",
            hint="to change it: celosia project unsign.",
        )
    first = next(one for one in desk.standing.steps if one.state != "signed")
    if first.number < step.number:
        raise InputError(
            f"step {first.number} ({first.name}) is not signed: each step stands on those before it.",
            hint=f"first: celosia project sign {first.name} --by NAME --role ROLE.",
        )


def _refuse_open(desk: Desk, step: Step) -> None:
    """Refuse a step in which something lacks or a warning is open."""
    lacks = [one.message for one in desk.standing.lacks[step.name]]
    warnings = open_findings(step)
    if not lacks and not warnings:
        return
    stuck = [one for one in warnings if one.code in BLOCKING]
    told = [*lacks, *(f"{one.code}: {one.message}" for one in warnings)]
    hint = "mend it in the file, then sign."
    if stuck:
        hint = "nobody can accept that: change the steps before, and run again."
    elif warnings and not lacks:
        hint = "mend it, or: celosia project accept CODE --by NAME --reason TEXT."
    raise InputError(f"step {step.number} ({step.name}) cannot be signed yet. {' '.join(told)}", hint=hint)


def _with_evidence(desk: Desk, name: StepName) -> Record:
    """Return the record with what is seen when a step is signed; what the loop measured stands there already."""
    record, answers = desk.record, desk.answers
    if name == "targets" and answers.targets.situation is not None:
        situation = answers.targets.situation
        return record.with_evidence(
            name,
            {
                "threshold": float(situation.accepted),
                "attempt": float(situation.attempt),
                "minimal_k": situation.minimal_k,
                "floor": situation.floor,
            },
        )
    if name == "attributes":
        return _with_look(desk)
    if name == "anonymisation" and not desk.standing.lacks[name]:
        config = config_in(desk.stored.top, desk.path, answers)
        published = refuse_purposeless(config, config.table(), answers)
        return record.with_evidence(name, technique_evidence(config.plan, published))
    is_measured = record.outcome is not None and desk.standing.seen.is_measured
    if name in _ON_THE_RELEASE and is_measured and not release_stands(desk):
        raise InputError(
            "what the loop made is not in the output folder as it was made.",
            hint="put it back; or move away what lies there, unsign risk if it is signed, and run again.",
        )
    return record


def _with_accepted(record: Record, step: Step, one: Acceptance) -> Record:
    """Return the record with the event of an acceptance, which is of the findings as they are now."""
    about = "" if one.column is None else f" ({one.column})"
    event = Event("accepted", now(), one.by, step.name, f"{one.code}{about}: {one.reason}")
    return record.with_event(event, **acceptance_digests(step.name, one, step.findings))


def _with_look(desk: Desk) -> Record:
    """Look at the input, anew where it is another one; its cells must fit the kinds that the schema names."""
    if desk.input_hash is None:
        raise InputError("the input cannot be read.", hint="check 'input' in the project file.")
    evidence = dict(desk.record.evidence.get("attributes", {}))
    if evidence.get("input", {}).get("sha256") != desk.input_hash:
        evidence, _ = looked_at(source_of(desk.places), desk.input_hash)
    record = desk.record.with_evidence("attributes", evidence)
    seen = replace(desk.standing.seen, evidence=record.evidence)
    if not desk.answers.attributes.lacking(seen):
        config = roles_in(desk.stored.top, desk.path)
        with config.locating():
            _ = config.table().quasi_identifiers
    differs = {column: suggested for column, (suggested, _) in desk.answers.attributes.differs(seen).items()}
    return record.with_evidence("attributes", evidence | {"differs": differs})


def _open_warning(desk: Desk, code: str, column: str | None) -> tuple[StepName, str | None]:
    """Return the step and the column of the one open warning that is meant."""
    found = [(step, one) for step in desk.standing.steps for one in open_findings(step) if one.code == code]
    if code in BLOCKING:
        raise InputError(f"{code} cannot be accepted by anybody.", hint="change the steps before, and run again.")
    if column is not None:
        found = [(step, one) for step, one in found if one.column == column]
    columns = sorted({one.column for _, one in found if one.column is not None})
    if not found:
        known = sorted({one.code for step in desk.standing.steps for one in open_findings(step)} - BLOCKING)
        of = "" if column is None else f" of '{column}'"
        raise InputError(
            f"no warning {code}{of} is open.", hint=nearest(code, known) if known else "no warning is open at all."
        )
    if len(columns) > 1:
        raise InputError(f"{code} is open for {len(columns)} columns.", hint=f"add --column: {', '.join(columns)}.")
    step, finding = found[0]
    if step.signature is not None:
        raise InputError(f"step {step.number} ({step.name}) is signed.", hint="unsign it first.")
    return step.name, finding.column
