"""``--lang`` on the command line."""

from __future__ import annotations

import sys

import pytest

PLAN = """\
input: exams.csv
schema:
  quasi_identifiers: {exam: number}
models:
  - k_anonymity: {k: 2}
output: release
"""


@pytest.fixture
def celosia(monkeypatch, capsys, tmp_path):
    from celosia.cli import main

    (tmp_path / "plan.yaml").write_text(PLAN)
    (tmp_path / "exams.csv").write_text("exam\n" + "".join(f"{row % 5}\n" for row in range(20)))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["celosia", *arguments])
        with pytest.raises(SystemExit) as caught:
            main()
        return caught.value.code or 0, *capsys.readouterr()

    return run


@pytest.mark.parametrize(("command", "folder"), [(["run", "plan.yaml"], "release"), (["demo"], "demo-release")])
@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_report_is_written_in_the_language(celosia, tmp_path, command, folder, lang):
    code, _, _ = celosia(*command, "--lang", lang)
    assert code == 0
    page = (tmp_path / folder / "internal" / "report.html").read_text(encoding="utf-8")
    assert f'<html lang="{lang}">' in page


@pytest.mark.parametrize("command", [["run", "plan.yaml"], ["demo"]])
def test_another_language_is_wrong_input(celosia, tmp_path, command):
    code, _, err = celosia(*command, "--lang", "fr")
    assert code == 2
    assert "no report in 'fr'" in err
    assert "allowed: en, es" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["exams.csv", "plan.yaml"]
