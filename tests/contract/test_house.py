"""The house: few rooms, and imports that go one way, whatever stands in them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import celosia

ROOT = Path(celosia.__file__).parent
FROM_THE_GROUND_UP = (
    *("base", "kernels", "data", "models", "masks", "search", "measure", "graphs", "report", "jobs", "apps", "cli"),
)


def imports_of(path: Path) -> set[str]:
    """Every room that a file imports from: at its top, in functions, for type checkers alone."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            modules = [node.module] if node.module != "celosia" else [f"celosia.{name.name}" for name in node.names]
        elif isinstance(node, ast.Import):
            modules = [name.name for name in node.names]
        else:
            continue
        rooms |= {module.split(".")[1] for module in modules if module.startswith("celosia.")}
    return rooms & {*FROM_THE_GROUND_UP, "audit"}


def test_the_rooms_are_those_of_the_design():
    there = {path.name.removesuffix(".py") for path in ROOT.iterdir()} - {"__pycache__"}
    assert there == {*FROM_THE_GROUND_UP, "audit", "__init__"}
    assert len(there) <= 14


@pytest.mark.parametrize("room", FROM_THE_GROUND_UP)
def test_a_room_imports_only_from_rooms_above_it(room):
    above = {*FROM_THE_GROUND_UP[: FROM_THE_GROUND_UP.index(room) + 1], "audit"}
    wrong = {
        f"{path.relative_to(ROOT)}: {other}"
        for path in (ROOT / room).rglob("*.py")
        for other in imports_of(path)
        if other not in above
    }
    assert not wrong


def test_no_room_imports_in_a_circle():
    graph = {
        room: {other for path in (ROOT / room).rglob("*.py") for other in imports_of(path)} - {room, "audit"}
        for room in FROM_THE_GROUND_UP
    }
    while graph:
        free = {room for room, others in graph.items() if not others & graph.keys()}
        assert free, f"a circle among {sorted(graph)}"
        graph = {room: others for room, others in graph.items() if room not in free}


def test_every_room_names_the_file_to_read_first():
    for room in FROM_THE_GROUND_UP:
        doc = ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text())) or ""
        assert "first" in doc, room


def test_bodies_of_functions_are_at_most_sixty_lines():
    long = []
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) is not None else node.body
                if body and (body[-1].end_lineno or 0) - body[0].lineno + 1 > 60:
                    long.append(f"{path.relative_to(ROOT)}:{node.name}")
    assert not long
