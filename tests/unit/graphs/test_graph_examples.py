"""The plans in examples/graphs run on the graphs that ship with networkx."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from celosia.graphs import read
from celosia.jobs.graphs.plans import load_plan

ROOT = Path(__file__).parents[3]
PLANS = sorted((ROOT / "examples" / "graphs").glob("*.yaml"))


@pytest.mark.parametrize("file", PLANS, ids=lambda file: file.stem)
def test_the_plans_of_the_examples_run(file, tmp_path):
    runpy.run_path(str(ROOT / "examples" / "make_graphs.py"))["main"](tmp_path)
    (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    plan = load_plan(tmp_path / file.name)
    plan = replace(plan, time_limit=1) if plan.method is None else plan
    graph = plan.graph()
    assert graph.n_edges in (78, 89, 254)
    release = plan.run(graph)
    assert all(model.judge(release.graph).satisfied for model in plan.models)
    assert plan.output is not None
    folder = release.write(plan.output, format=plan.format)
    beside = next(iter(folder.glob("vertices.*")), None)
    sides = graph.sides is not None
    written = read(folder / f"graph.{plan.format}", vertices=beside, bipartite=sides)
    assert (written.n_vertices, written.n_edges) == (release.graph.n_vertices, release.graph.n_edges)
    assert release.graph.n_vertices == graph.n_vertices or plan.method is not None


def test_there_are_plans():
    assert len(PLANS) == 4
