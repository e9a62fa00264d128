"""The run: the loop, its rounds written down as they come, and the release put in its place with its documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from celosia.apps.dossier import assemble, write_documents
from celosia.apps.dossier.case import STEPS, Event, Round
from celosia.apps.project.configuring import config_in, refuse_purposeless
from celosia.apps.project.desk import Desk
from celosia.apps.project.judging import fingerprint, targets_digest, wanted_digest
from celosia.apps.project.looking import hash_of
from celosia.apps.project.loop import Outcome, Targets, search
from celosia.apps.project.measured import risk_evidence, unmet_evidence, utility_evidence
from celosia.apps.project.placed import clear_refusal, is_ours, is_refusal, kept_digest, mark_refusal, release_stands
from celosia.apps.project.record import Record, now
from celosia.base.errors import InputError
from celosia.base.progress import Progress
from celosia.data.io.folder import check_target, placing
from celosia.data.schema import Table
from celosia.jobs.plan_file import Config
from celosia.jobs.release import Release
from celosia.masks.apart import check_apart

_BEFORE_THE_LOOP = STEPS[:4]


def run_loop(desk: Desk, progress: Progress, *, overwrite: bool) -> None:
    """Run the loop of a desk that is held, or go on where an earlier run was cut off."""
    desk.refuse_changed()
    _refuse_too_early(desk)
    if release_stands(desk):
        return
    config = config_in(desk.stored.top, desk.path, desk.answers)
    targets = _targets(desk)
    target = _checked_target(desk, config, overwrite=overwrite)
    progress.stage("read")
    table = _table(desk, config)
    refuse_purposeless(config, table, desk.answers)
    run = _Run(desk, config, table, targets, target, may_replace=overwrite)
    run.begin()
    with config.locating():
        found = search(
            config.plan,
            table,
            targets,
            desk.answers.anonymisation.candidates,
            known=desk.record.rounds,
            on_round=run.keep_round,
            progress=progress,
        )
    progress.stage("write")
    run.end(found)


class _Run:
    """One run of the loop on a desk."""

    def __init__(
        self, desk: Desk, config: Config, table: Table, targets: Targets, target: Path, *, may_replace: bool
    ) -> None:
        self.desk, self.config, self.table, self.targets, self.target = desk, config, table, targets, target
        self.may_replace = may_replace
        assert desk.input_hash is not None  # the table has been read
        self.input_hash = desk.input_hash
        self.fingerprint = fingerprint(desk.answers, self.input_hash)

    def begin(self) -> None:
        """Write down that a run begins; rounds of other answers or another input are forgotten."""
        record = self.desk.record
        if record.rounds_of != self.fingerprint:
            record = replace(record, rounds=(), rounds_of=self.fingerprint)
        evidence = {step: own for step, own in record.evidence.items() if step not in ("risk", "evaluation")}
        record = replace(record, outcome=None, evidence=evidence)
        answers = self.desk.answers
        vouched = {"targets": targets_digest(answers), "wanted": wanted_digest(answers)}
        self._save(record.with_event(Event("run", now()), **vouched))

    def keep_round(self, found: Round) -> None:
        """Write down a round as soon as it is measured."""
        self._save(replace(self.desk.record, rounds=_with_round(self.desk.record.rounds, found)))

    def end(self, found: Outcome) -> None:
        """Write down the result and put what came of it in its place."""
        overwrite = self.may_replace or is_ours(self.target, self.desk.record)
        clear_refusal(self.target, self.desk.record)
        self.found = found
        if found.release is None:
            self._place_nothing(overwrite=overwrite)
            return

        def documents(folder: Path, claim: Mapping[str, Any], checks: Sequence[tuple[str, str]]) -> None:
            assert found.release is not None
            self._write_down(found.release, claim, checks)
            write_documents(self.desk.case(), found.release, folder, claim, checks)
            self._save(
                self.desk.record.with_event(
                    Event("released", now()),
                    release=claim["data"]["sha256"],
                    files=kept_digest(folder),
                )
            )

        found.release.write(
            self.target,
            format=self.config.format,
            claim=self.config.claim,
            overwrite=overwrite,
            database=self.config.target,
            documents=documents,
        )

    def _write_down(self, release: Release, claim: Mapping[str, Any], checks: Sequence[tuple[str, str]]) -> None:
        """Record what was measured on the release, so that documents can tell it."""
        record = replace(self.desk.record, rounds=self.found.rounds, outcome="feasible")
        record = record.with_evidence(
            "risk",
            risk_evidence(release, self.table, self.targets, input=self._input, output=claim["data"], checks=checks),
        ).with_evidence("evaluation", utility_evidence(release, self.targets))
        self._save(record)

    def _place_nothing(self, *, overwrite: bool) -> None:
        """Put a folder with documents and no data in its place: that there is no such release is a result, too."""
        evidence = unmet_evidence(self.table, self.targets, input=self._input, findings=self.found.findings)
        with placing(self.target, overwrite=overwrite) as folder:
            (folder / "internal").mkdir(mode=0o700)
            mark = mark_refusal(folder, now())
            record = replace(self.desk.record, rounds=self.found.rounds, outcome="not feasible")
            record = record.with_evidence("risk", evidence)
            self._save(record.with_event(Event("refused", now()), release=mark))
            assemble(self.desk.case(), folder)

    @property
    def _input(self) -> dict[str, Any]:
        looked: dict[str, Any] = self.desk.record.evidence["attributes"]["input"]
        return {"name": looked["name"], "sha256": self.input_hash}

    def _save(self, record: Record) -> None:
        """Replace the project file, and stop where people changed meanwhile what the run stands on."""
        self.desk.save(record)
        self.desk.refuse_changed()
        if fingerprint(self.desk.answers, self.input_hash) != self.fingerprint:
            raise InputError(
                f"{self.desk.path.name} or its input was changed while the loop ran; nothing was released.",
                hint="look at the change, and run again.",
            )


def _with_round(rounds: tuple[Round, ...], found: Round) -> tuple[Round, ...]:
    """Return the rounds with a new one, in the place of an earlier one that tried the same."""

    def key(one: Round) -> tuple[int, str, float]:
        return one.k, one.algorithm, one.max_suppression

    kept = {key(one): one for one in rounds}
    return tuple((kept | {key(found): found}).values())


def _refuse_too_early(desk: Desk) -> None:
    standing = desk.standing
    for name in _BEFORE_THE_LOOP:
        step = standing.step(name)
        if step.state != "signed":
            raise InputError(
                f"step {step.number} ({name}) is not signed: what is wanted is fixed before any result is seen.",
                hint=f"celosia project sign {name} --by NAME --role ROLE.",
            )
    signed = standing.step("risk").signature
    if signed is not None and not release_stands(desk):
        raise InputError(
            f"step 6 (risk) is signed by {signed.by}, but the release is not in its place as it was signed.",
            hint="put it back, or: celosia project unsign risk --by NAME --reason TEXT.",
        )
    if standing.lacks["anonymisation"]:
        raise InputError(" ".join(one.message for one in standing.lacks["anonymisation"]), hint="see step 5.")


def _targets(desk: Desk) -> Targets:
    answers = desk.answers.targets
    assert answers.situation is not None  # step 2 is signed
    assert answers.max_loss is not None
    assert answers.max_suppression is not None
    return Targets(
        answers.situation,
        answers.max_loss,
        answers.max_suppression,
        counts_controls=answers.covers == "data and controls",
    )


def _table(desk: Desk, config: Config) -> Table:
    """Read the input; it must be the same before and after, and the one that was signed."""
    table = config.table()
    if desk.input_hash is None or hash_of(desk.places) != desk.input_hash:
        raise InputError("the input changed while it was read.", hint="run again when nobody writes to it.")
    return table


def _checked_target(desk: Desk, config: Config, *, overwrite: bool) -> Path:
    """Return the output folder, or refuse one that must not be replaced, before the loop and not after it."""
    target = config.output
    assert target is not None  # step 5 lacks nothing
    with config.locating():
        check_apart(config.plan.masks, folder=target, database=None if config.target is None else config.target.url)
    if not is_refusal(target, desk.record):
        check_target(target, overwrite=overwrite or is_ours(target, desk.record))
    for file, what in ((config.input, "the input"), (desk.path, "the project file")):
        if file is not None and file.resolve().is_relative_to(target.resolve()):
            raise InputError(
                f"{what} lies in the output folder, which the release would replace.", hint="move one of them away."
            )
    return target
