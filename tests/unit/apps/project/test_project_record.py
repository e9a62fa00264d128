"""The record: every change by hand shows, whatever it is made to."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from celosia.apps.dossier.case import Event, Round, Signature
from celosia.apps.project import Project
from celosia.apps.project.record import Record, plain
from celosia.base.errors import InputError, PlanError

TEXT = st.text(max_size=12)


def full() -> Record:
    record = Record(
        rounds=(
            Round(5, "weave", 0.0, "accepted", Fraction(1, 20), 5, 0.25, 0.0, 1.5, chosen=True),
            Round(10, "weave (effort best)", 0.02, "out of reach", reason="There are too few."),
        ),
        rounds_of="ab" * 32,
        outcome="feasible",
        signatures=(Signature("targets", "Ana", "DPO", "2026-01-01T00:00:00+00:00", "cd" * 32, "fine"),),
    ).with_evidence("targets", {"threshold": 0.05, "names": ["a", {"b": None}]})
    for step, why in ((None, ""), ("targets", "x"), ("risk", "y: z")):
        record = record.with_event(Event("signed", "2026-01-01T00:00:00+00:00", "Ana", step, why), release="ef" * 32)
    return record


def test_a_record_reads_back():
    record = full()
    assert Record.of(plain(record.to_dict()), "p.yaml") == record
    assert Record.of({}, "p.yaml") == Record()
    assert Record.of(Record().to_dict(), "p.yaml") == Record()
    assert record.vouched("release") == {"ef" * 32}


def leaves(value, at=()):
    """Return the places of all leaves of a record."""
    if isinstance(value, dict):
        return [place for key, own in value.items() for place in leaves(own, (*at, key))]
    if isinstance(value, list):
        return [place for key, own in enumerate(value) for place in leaves(own, (*at, key))]
    return [at]


def is_noticed(told):
    try:
        return Record.of(told, "p.yaml").broken is not None
    except PlanError as error:
        return "changed by hand" in str(error)


@pytest.mark.parametrize("place", leaves(full().to_dict()), ids=str)
def test_every_leaf_that_is_changed_or_removed_shows(place):
    for change in ("changed", "removed"):
        told = plain(full().to_dict())
        holder = told
        for key in place[:-1]:
            holder = holder[key]
        if change == "removed":
            del holder[place[-1]]
        else:
            was = holder[place[-1]]
            holder[place[-1]] = was + 1 if isinstance(was, float | int) and not isinstance(was, bool) else "other"
        assert is_noticed(told)


@given(st.lists(st.tuples(st.text(min_size=1, max_size=12), TEXT, TEXT), min_size=2, max_size=6), st.data())
def test_an_entry_that_is_removed_moved_or_edited_shows_even_under_a_new_seal(events, data):
    record = Record()
    for what, by, why in events:
        record = record.with_event(Event(what, "2026-01-01T00:00:00+00:00", by, None, why))
    place = data.draw(st.integers(0, len(events) - 2))
    removed = (*record.history[:place], *record.history[place + 1 :])
    swapped = (*record.history[:place], record.history[place + 1], record.history[place], *record.history[place + 2 :])
    entry = record.history[place]
    edited = list(record.history)
    edited[place] = replace(entry, event=replace(entry.event, by=entry.event.by + "x"))
    for history in (removed, swapped, tuple(edited)):
        told = replace(record, history=history).to_dict()  # sealed anew
        assert "history" in str(Record.of(told, "p.yaml").broken)


def test_a_removed_last_entry_shows_by_the_seal():
    told = full().to_dict()
    told["history"].pop()
    assert Record.of(told, "p.yaml").broken == "it is not what was written last"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("by: Ana Ruiz", "by: Eva Gil"),
        ("role: DPO", "role: Dean"),
        ("n_rows: 48", "n_rows: 4800"),
        ("  signatures:\n", "  signatures:\n    - {step: risk, by: X, role: Y, at: Z, digest: W, note: ''}\n"),
    ],
)
def test_a_record_changed_in_the_file_stops_everything(project, sign, edit, old, new):
    sign(3)
    edit(old, new)
    broken = Project.load(project.path)
    before = project.path.read_text()
    assert broken.status()["intact"] is False
    assert "changed by hand" in broken.next().what[0]
    for action in (
        lambda: broken.sign(4, by="Ana", role="DPO"),
        lambda: broken.unsign(1, by="Ana", reason="x"),
        lambda: broken.run(),
        lambda: broken.accept("X", by="Ana", reason="x"),
    ):
        with pytest.raises(InputError, match=r"the record of project.yaml was changed by hand"):
            action()
    assert project.path.read_text() == before
    edit(new, old)
    Project.load(project.path).sign(4, by="Ana", role="DPO")


def test_a_removed_line_of_the_history_shows(project, sign, folder):
    sign(4)
    lines = (folder / "project.yaml").read_text().split("\n")
    entries = [at for at, line in enumerate(lines) if line.startswith("    - {what:")]
    assert len(entries) == 4
    for at in entries:
        (folder / "project.yaml").write_text("\n".join(lines[:at] + lines[at + 1 :]))
        assert Project.load(folder / "project.yaml").status()["intact"] is False


def test_a_record_written_in_another_way_is_the_same(project, sign, folder):
    sign(3)
    file = folder / "project.yaml"
    people, _, record = file.read_text().partition("record:\n")
    writer = YAML(typ="rt")
    writer.default_flow_style = False
    with file.open("w") as stream:
        stream.write(people)
        writer.dump({"record": plain(YAML(typ="rt").load("record:\n" + record)["record"])}, stream)
    assert Project.load(file).status()["intact"] is True
    Project.load(file).sign(4, by="Ana", role="DPO")


def test_a_removed_record_takes_all_signatures_with_it(project, sign, folder):
    sign(3)
    file = folder / "project.yaml"
    file.write_text(file.read_text().split("record:\n")[0])
    assert [step["state"] for step in Project.load(file).status()["steps"]][:3] == ["ready", "waiting", "waiting"]
