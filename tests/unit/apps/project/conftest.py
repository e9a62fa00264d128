"""A small project, filled in by hand, whose loop is quick; documents are written by others and only noted here."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

PEOPLE = "id,age,zip,sex,ill\n" + "".join(
    f"{70_000 + 7 * n},{20 + n % 40},{('28001', '28002', '08001')[n % 3]},{'MF'[n % 2]},{('flu', 'cold')[n % 2]}\n"
    for n in range(48)
)
REVIEW = datetime.date.today() + datetime.timedelta(days=300)
TEXT = f"""\
# Ours: a comment of people, at the top.
celosia: project
version: 1
title: "People: a study"   # with a colon
controller: 'Universidad de Ejemplo'
contact: dpo@example.org
input: people.csv
output: {{path: release/, format: csv}}

steps:
  release_model:   # who
    kind: non_public
    recipients: [Instituto de Estadística]
    fixed_number: true
  targets:
    covers: data and controls
    risk:
      threshold: 0.1   # agreed on Monday
      insider: {{controls: medium, motivation: medium}}
    utility: {{max_loss: 0.9, max_suppression: 0.1}}
    why: talked over
  attributes:
    schema:
      identifiers: [id]
      quasi_identifiers: {{age: number, zip: category, sex: category}}
      sensitive: [ill]
  purposes:
    keep: {{age: trends, zip: place, sex: equality, ill: the study itself}}
    drop: {{}}
  anonymisation:
    masks: []
    models: []
    try: {{algorithms: [mondrian], max_suppression: [0], k: null}}
  risk:
    accepted: []   # nobody yet
  evaluation:
    benefit: better care
    harm: |
      shame, and
      loss of work
    balance: small classes are gone
  documentation:
    controls: {{organisational: training, contractual: no re-identification, technical: none}}
    review: {REVIEW.isoformat()}
    triggers: [new recipient, new release]

# A last comment of people.
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder with data and a project file that nobody has signed."""
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "project.yaml").write_text(TEXT)
    return tmp_path


@pytest.fixture
def written(monkeypatch) -> list[tuple[str, str]]:
    """Note which documents would be written, with the state of step 6 that they would show."""
    import celosia.apps.dossier
    import celosia.apps.project.running as running

    told: list[tuple[str, str]] = []

    def write_documents(case, release, folder, claim, checks):
        told.append(("written", case.step("risk").state))
        (folder / "internal" / "dossier.en.html").write_text("x")

    def assemble(case, folder):
        told.append(("assembled", case.step("risk").state))

    monkeypatch.setattr(running, "write_documents", write_documents)
    monkeypatch.setattr(running, "assemble", assemble)
    monkeypatch.setattr(celosia.apps.dossier, "assemble", assemble)
    return told


@pytest.fixture
def project(folder, written):
    from celosia.apps.project import Project

    return Project.load(folder / "project.yaml")


@pytest.fixture
def sign(project):
    """Sign steps in turn up to one, accepting what is open on the way."""

    def up_to(last: int, first: int = 1) -> None:
        for step in range(first, last + 1):
            for warning in project.status()["steps"][step - 1]["open"]:
                project.accept(warning["code"], column=warning["column"], by="Ana Ruiz", reason="looked at")
            project.sign(step, by="Ana Ruiz", role="DPO")

    return up_to


@pytest.fixture
def edit(folder):
    """Change a text of the project file by hand."""

    def change(old: str, new: str) -> None:
        file = folder / "project.yaml"
        text = file.read_bytes().decode()
        assert old in text
        file.write_bytes(text.replace(old, new, 1).encode())

    return change
