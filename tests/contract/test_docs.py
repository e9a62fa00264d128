"""Every Python example of the documentation and the README runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if EXAMPLE.search(page.read_text())], ids=lambda page: page.name
)
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for example in EXAMPLE.findall(page.read_text()):
        exec(compile(example, page.name, "exec"), names)
    assert names


def test_every_method_has_a_page():
    from celosia.jobs import registry

    pages = {page.stem for page in (ROOT / "docs" / "methods").glob("*.md")}
    for room in ("algorithms", "models", "masks"):
        assert set(registry.classes_in(room)) <= pages


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text()
    for page in (ROOT / "docs").rglob("*.md"):
        assert str(page.relative_to(ROOT / "docs")) in navigation
