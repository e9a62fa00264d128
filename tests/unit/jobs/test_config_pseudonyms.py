"""Plan files and command lines that ask for pseudonyms: keys, vaults and lists of codes, and what is refused."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from leaks import leaks
from typer.testing import CliRunner

import celosia as cl
from celosia.cli import app
from celosia.jobs.plan_file import mask_of
from celosia.jobs.registry import build
from celosia.masks import Pseudonymise
from celosia.masks.vault import Vault, new_key_file

KEY = bytes(range(160, 192))
DESIGN = """\
version: 1
input: exams.csv
schema:
  identifiers: [dni]
  quasi_identifiers:
    exam: number
    professor: category
  sensitive: [diagnosis]
masks:
  - pseudonymise: {column: dni, key: {env: CELOSIA_KEY}}
models:
  - k_anonymity: {k: 5}
output: {path: release/, format: csv}
"""
DNIS = [f"{row * 7919 % 100_000_000:08d}" for row in range(30)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of a plan that is not the working folder."""
    monkeypatch.setenv("CELOSIA_KEY", KEY.hex())
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    (tmp_path / "plans").mkdir()
    pl.DataFrame(
        {
            "dni": DNIS,
            "exam": [row % 11 for row in range(30)],
            "professor": ["Doe", "Roe", "Poe"] * 10,
            "diagnosis": ["flu", "none"] * 15,
        }
    ).write_csv(tmp_path / "plans" / "exams.csv")
    return tmp_path / "plans"


def load(folder: Path, option: str = "key: {env: CELOSIA_KEY}") -> cl.Config:
    (folder / "plan.yaml").write_text(DESIGN.replace("key: {env: CELOSIA_KEY}", option))
    return cl.load(folder / "plan.yaml")


def published(config: cl.Config) -> list[str]:
    return config.plan.run(config.table()).rows["dni"].to_list()


def test_the_plan_of_the_design_works(folder):
    config = load(folder)
    assert config.plan.masks == (Pseudonymise("dni", key={"env": "CELOSIA_KEY"}),)
    found = CliRunner().invoke(app, ["run", str(folder / "plan.yaml")])
    assert found.exit_code == 0, found.output
    written = cl.io.read(folder / "release" / "data.csv").frame
    assert written["dni"].n_unique() == 30
    assert not set(written["dni"]) & set(DNIS)
    assert set(written["dni"]) == set(published(config))


def test_files_of_keys_and_vaults_are_looked_for_from_the_plan(folder):
    new_key_file(folder / "key")
    Vault.create(folder / "people.vault", {"file": folder / "key"})
    assert len(set(published(load(folder, "key: {file: key}")))) == 30
    config = load(folder, "vault: {path: people.vault, key: {file: key}}, prefix: S")
    codes = published(config)
    assert all(code.startswith("S") for code in codes)
    assert Vault.open(folder / "people.vault", {"file": folder / "key"}).summary()["n_identities"] == 30
    assert set(published(load(folder, "vault: {path: people.vault, key: {file: key}}, prefix: S"))) == set(codes)
    assert {Path(one).parent for one in config.plan.masks[0].kept_apart} == {folder}


def test_no_command_but_a_true_run_changes_a_vault(folder):
    Vault.create(folder / "people.vault", KEY)
    load(folder, "vault: {path: people.vault, key: {env: CELOSIA_KEY}}")
    before, plan = (folder / "people.vault").read_bytes(), str(folder / "plan.yaml")
    for command in (
        ["run", plan, "--dry-run", "--by", "professor"],
        ["run", plan, "--dry-run", "--classify", "diagnosis"],
        ["frontier", plan, "--k", "2,5"],
        ["frontier", plan, "--why-not"],
        ["risk", plan],
        ["risk", plan, "--no-run"],
    ):
        found = CliRunner().invoke(app, command)
        assert found.exit_code == 0, found.output
        assert (folder / "people.vault").read_bytes() == before, command
    assert CliRunner().invoke(app, ["run", plan]).exit_code == 0
    after = (folder / "people.vault").read_bytes()
    assert after != before
    compared = ["compare", str(folder / "exams.csv"), str(folder / "release" / "data.csv"), "--plan", plan]
    for record in ([], ["--record", str(folder / "release" / "internal" / "record.json")]):
        assert CliRunner().invoke(app, [*compared, *record]).exit_code == 0
    assert (folder / "people.vault").read_bytes() == after


def test_a_list_of_codes_may_be_a_file_of_texts(folder):
    values = [f"{row:06}" for row in range(40)]
    (folder / "codes.txt").write_text("\ufeff" + "\r\n".join([*values, "", "  "]), encoding="utf-8", newline="")
    assert set(published(load(folder, "values: codes.txt"))) <= set(values)
    config = load(folder, "values: [" + ", ".join(f"'{one}'" for one in values) + "], shuffle: false")
    assert set(published(config)) == set(values[:30])


SECRET = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
PASSPHRASE = "correct horse battery staple"
WRONG = {
    "a literal key": (f"key: {SECRET}", "must not be written here"),
    "a literal passphrase": (f"key: '{PASSPHRASE}'", "must not be written here"),
    "a key of digits": (f"key: {'7' * 64}", "neither"),
    "a key as the name of a variable": (f"key: {{env: a{SECRET[1:]}}}", "must not be written here"),
    "a key as the name of a file": (f"key: {{file: {SECRET}}}", "must not be written here"),
    "a key under another name": (f"key: {{hex: {SECRET}}}", "must not be written here"),
    "a literal key of a vault": (f"vault: {{path: v, key: {SECRET}}}", "must not be written here"),
    "a password in an address": (
        f"vault: {{url: 'postgresql://ana:{SECRET}@db/school', key: {{env: CELOSIA_KEY}}}}",
        "must not hold a password",
    ),
    "a password behind a question mark": (
        f"vault: {{url: 'postgresql://db/school?password={SECRET}', key: {{env: CELOSIA_KEY}}}}",
        "must not hold a password",
    ),
    "a path that is an address": (
        f"vault: {{path: 'postgresql://ana:{SECRET}@db/school', key: {{env: CELOSIA_KEY}}}}",
        "path of a vault",
    ),
    "a vault that is a text": (f"vault: 'postgresql://ana:{SECRET}@db/school'", "path or url"),
}


@pytest.mark.parametrize(("option", "message"), WRONG.values(), ids=list(WRONG))
def test_a_secret_in_a_plan_is_refused_with_its_line_and_not_repeated(folder, option, message):
    with pytest.raises(cl.OptionError, match=message) as caught:
        load(folder, option)
    assert "plan.yaml:10" in str(caught.value)
    assert leaks(caught.value, [SECRET, SECRET[1:], PASSPHRASE, "7" * 64]) == []
    mask = "{pseudonymise: {column: dni, " + option + "}}"
    found = CliRunner().invoke(app, ["mask", str(folder / "exams.csv"), "--mask", mask, "-o", "masked.csv"])
    assert found.exit_code == 2
    assert leaks(found.output, [SECRET, SECRET[1:], PASSPHRASE, "7" * 64]) == []


@pytest.mark.parametrize("values", ["[094532, 543456]", "[1.50, 2]", "[true, no]", "[0x1F, a]", "12", "{a: b}", "[]"])
def test_codes_that_yaml_reads_as_numbers_are_refused_with_the_way_to_write_them(folder, values):
    with pytest.raises(cl.OptionError, match="values must be a list of codes") as caught:
        load(folder, f"values: {values}")
    assert "plan.yaml:10" in str(caught.value)
    assert 'quote codes of digits: ["094532"]' in str(caught.value)
    assert "94532" not in str(caught.value).replace('["094532"]', "")
    with pytest.raises(cl.OptionError, match="values must be a list of codes"):
        mask_of("{pseudonymise: {column: dni, values: " + values + "}}")


def test_wrong_lists_and_options_are_named_with_their_line(folder):
    (folder / "twice.txt").write_text("000001\n000002\n000001\n")
    (folder / "empty.txt").write_text("\n")
    (folder / "binary.txt").write_bytes(b"\xff\xfe\x00")
    for option, message in [
        ("values: nowhere.txt", "nowhere.txt"),
        ("values: twice.txt", "repeated"),
        ("values: empty.txt", "values must be a list"),
        ("values: binary.txt", "UTF-8"),
        ("length: 0", "length"),
        ("key: ", "key is neither"),
        ("vault: ", "vault"),
        ("alphabet: aa", "alphabet"),
        ("colour: red", "no option 'colour'"),
        ("key: {env: A}, vault: {path: v, key: {env: B}}", "do not go together"),
    ]:
        with pytest.raises(cl.InputError, match=message) as caught:
            load(folder, option)
        assert "plan.yaml:10" in str(caught.value)


def test_an_option_on_a_line_of_its_own_is_named_by_it(folder):
    lines = "\n      column: dni\n      length: 6\n      key: secret-secret-secret\n"
    (folder / "plan.yaml").write_text(DESIGN.replace("{column: dni, key: {env: CELOSIA_KEY}}", lines))
    with pytest.raises(cl.OptionError) as caught:
        cl.load(folder / "plan.yaml")
    assert "plan.yaml:13" in str(caught.value)


def test_what_fails_only_in_the_run_is_named_by_its_line_too(folder, monkeypatch):
    monkeypatch.delenv("CELOSIA_KEY")
    load(folder)
    for option, message in [
        ("key: {env: CELOSIA_KEY}", "'CELOSIA_KEY' holds no key"),
        ("key: {file: nowhere}", "'nowhere' cannot be read"),
        ("vault: {path: nowhere, key: {env: CELOSIA_KEY}}", "CELOSIA_KEY"),
        ("values: ['1', '2']", "30 codes are wanted"),
        ("alphabet: digits, length: 1", "30 codes are wanted"),
    ]:
        config = load(folder, option)
        with pytest.raises(cl.CelosiaError, match=message) as caught, config.locating():
            config.plan.run(config.table())
        assert "plan.yaml:10" in str(caught.value)


def test_what_a_plan_describes_can_be_read_again(folder):
    new_key_file(folder / "key")
    for option in ("key: {file: key}, dataset: y, scope: s", "vault: {path: v, key: {env: K}}", "values: [a, b]"):
        config = load(folder, option)
        (described,) = config.plan.to_dict()["masks"]
        assert build("masks", described) == config.plan.masks[0]
