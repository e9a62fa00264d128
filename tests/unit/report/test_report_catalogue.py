"""The message catalogue: current, complete, and with the same places in both languages."""

from __future__ import annotations

import ast
import gettext
import io
import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import celosia

PACKAGE = Path(celosia.__file__).parent
FOLDER = PACKAGE / "report" / "locale" / "es" / "LC_MESSAGES"
KEYWORDS = {"_": None, "text": (1,), "plural": (1, 2), "Finding": (3,), "Leaves": (2,), "Said": (1,)}


@pytest.fixture(scope="module")
def catalogue():
    with open(FOLDER / "celosia.po", "rb") as file:
        return read_po(file, locale="es")


def used() -> set[str | tuple[str, ...]]:
    """Every message in the code and the templates."""
    with open(PACKAGE / "report" / "locale" / "babel.cfg") as file:
        methods, _options = parse_mapping_cfg(file)
    found = extract_from_dir(PACKAGE, methods, keywords=KEYWORDS)
    return {message for _file, _line, message, _comments, _context in found}


def keys(catalogue) -> set[str | tuple[str, ...]]:
    return {message.id for message in catalogue if message.id}


def test_every_message_of_the_code_is_in_the_catalogue_and_no_other(catalogue):
    assert used() == keys(catalogue)


def test_every_message_is_translated(catalogue):
    for message in catalogue:
        if message.id:
            assert not message.fuzzy
            assert all(message.string if isinstance(message.string, tuple) else [message.string]), message.id


def places(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w*)\}", text))


def test_the_places_agree(catalogue):
    for message in catalogue:
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        for string in strings:
            assert places(string) == places(ids[-1]), message.id


def test_the_compiled_catalogue_is_current(catalogue):
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    with open(FOLDER / "celosia.mo", "rb") as file:
        committed = gettext.GNUTranslations(file)
    fresh = gettext.GNUTranslations(compiled)
    for message in catalogue:
        if isinstance(message.id, tuple):
            assert [committed.ngettext(*message.id, n) for n in (1, 2)] == list(message.string)
            assert [fresh.ngettext(*message.id, n) for n in (1, 2)] == list(message.string)
        elif message.id:
            assert committed.gettext(message.id) == fresh.gettext(message.id) == message.string


def test_findings_are_made_of_literal_templates_whose_places_are_filled():
    """A template that is put together at run time could not be translated."""
    n_found = 0
    for path in PACKAGE.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding":
                if not node.args and [word.arg for word in node.keywords] == [None]:
                    continue  # one that is read back from a record
                template = node.args[2]
                if not isinstance(template, ast.Constant):
                    assert "Said" in source or "HIDDEN_WORDS" in source, (
                        f"{path.name}:{node.lineno}"
                    )  # sentences that are marked themselves
                    continue
                filled = {"column"} if len(node.args) > 3 else set()
                for values in [*node.args[4:5], *(word.value for word in node.keywords if word.arg == "values")]:
                    assert isinstance(values, ast.Dict)
                    filled |= {key.value for key in values.keys if isinstance(key, ast.Constant)}
                assert set(places(template.value)) <= filled, f"{path.name}:{node.lineno}"
                n_found += 1
    assert n_found >= 8
