"""The page about a checked graph: what was asked, what holds, who hides among how many, and what is given away."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.graphs.checking import Result
from celosia.graphs.judging import GraphModel, Judgement
from celosia.graphs.risk import KnowledgeRisk
from celosia.report.charts import Column, Pair, columns
from celosia.report.graphs.page_words import (
    left_out,
    meaning_of,
    parameters_of,
    strongest_words,
    title_of,
    verdict_words,
)
from celosia.report.graphs.pictures import Layout, draw_blocks, draw_graph, is_drawable, layout_of, risk_bars
from celosia.report.house import DASH, poured
from celosia.report.language import Language
from celosia.report.sections.findings import findings_in_words

_FEW = 1_000
"""So many vertices and edges together may be drawn once for every model."""
_EDGES_OF_SIZES = (1, 2, 3, 5, 10, 50, 500)


def render(result: Result, lang: str = "en", holds: bool | None = None) -> str:
    r"""Return the page of a result: no script, no network, no outside fonts, and no name of a vertex.

    It is for the house: it shows the graph.

    Parameters
    ----------
    lang
        ``en`` or ``es``.
    holds
        Whether what was asked holds; ``None``: nothing was asked, everything was measured.

    Raises
    ------
    OptionError
        There is no page in this language.

    Examples
    --------
    >>> from celosia.graphs.checking import check
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.models import NeighbourhoodAnonymity
    >>> result = check(Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0]), NeighbourhoodAnonymity(2))
    >>> page = render(result, "es", result.satisfied)
    >>> page[:32], 'class="hides"' in page
    ('<!DOCTYPE html>\n<html lang="es">', True)
    """
    language = Language(lang)
    found = ResultPage(result, language)
    return poured(
        "graphs/graph.html",
        language,
        title=result.graph.name,
        byline=found.byline(),
        n_holding=sum(judgement.satisfied for judgement in result.judgements),
        holds=holds,
        models=found.models(),
        sets=found.sets(),
        pictures=found.pictures(),
        is_drawn=is_drawable(result.graph),
        undecided=any(len(judgement.undecided) for judgement in result.judgements),
        bars=found.bars(),
        risk=result.risk,
        left_out=left_out(result.risk, language),
        profiles=found.profiles(),
        findings=findings_in_words(told_findings(result, holds), language),
        limited={model.name for model in result.models},
    )


def told_findings(result: Result, holds: bool | None) -> list[Finding]:
    """Return the findings that people are told: where nothing was asked one of each code is enough.

    Examples
    --------
    >>> from celosia.graphs.checking import check
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.naming import models_at
    >>> result = check(Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0]), models_at(2))
    >>> len(told_findings(result, True)), len(told_findings(result, None))
    (2, 1)
    """
    if holds is not None:
        return list(result.findings)
    return list({finding.code: finding for finding in reversed(result.findings)}.values())[::-1]


@dataclass(frozen=True)
class Figure:
    """A picture with what stands above and below it."""

    title: str
    picture: Markup
    said: str


class ResultPage:
    """What a template pours in of a result, in one language.

    Examples
    --------
    >>> from celosia.graphs.checking import check
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.models import DegreeAnonymity
    >>> result = check(Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0]), DegreeAnonymity(2))
    >>> ResultPage(result, Language("en")).byline()
    '4 vertices, 4 edges'
    """

    def __init__(self, result: Result, language: Language) -> None:
        self._result, self._graph, self._say = result, result.graph, language

    def byline(self) -> str:
        """Return counts and kind of the graph."""
        say, graph = self._say, self._graph
        kinds = [
            word
            for word, is_so in (
                (say.text("bipartite"), graph.sides is not None),
                (say.text("directed"), graph.directed),
                (say.text("with parallel edges"), graph.multigraph),
                (say.text("weighted"), graph.weight is not None),
            )
            if is_so
        ]
        counts = [
            say.plural("{n} vertex", "{n} vertices", graph.n_vertices),
            say.plural("{n} edge", "{n} edges", graph.n_edges),
        ]
        return ", ".join([*counts, *kinds])

    def models(self) -> list[dict[str, Any]]:
        """Return title, meaning and verdict of every model."""
        say = self._say
        return [
            {
                "title": title_of(model, say),
                "parameters": parameters_of(model, say),
                "meaning": meaning_of(model, say),
                "verdict": verdict_words(judgement, say),
                "k": strongest_words(judgement, "k", say),
                "l": strongest_words(judgement, "l", say),
                "judgement": judgement,
            }
            for model, judgement in self._judged()
        ]

    def _judged(self) -> list[tuple[GraphModel, Judgement]]:
        return list(zip(self._result.models, self._result.judgements, strict=True))

    def sets(self) -> list[Figure]:
        """Return the sizes of anonymity sets, one picture for models whose sets are the same."""
        if not self._graph.n_vertices:
            return []
        titles: dict[bytes, dict[str, NDArray[np.int64]]] = {}
        for model, judgement in self._judged():
            same = titles.setdefault(judgement.labels.tobytes(), {})
            same[title_of(model, self._say)] = judgement.labels
        return [
            sizes_chart(np.bincount(next(iter(same.values()))), " · ".join(same), self._say) for same in titles.values()
        ]

    def pictures(self) -> list[Figure]:
        """Return the graph for every model, or for the first where it is large."""
        graph, judged = self._graph, self._judged()
        if not graph.n_vertices:
            return []
        n_shown = len(judged) if graph.n_vertices + graph.n_edges <= _FEW else 1
        layout = layout_of(graph) if is_drawable(graph) else None
        return [self._picture(*one, layout, half=n_shown > 1) for one in judged[:n_shown]]

    def _picture(self, model: GraphModel, judgement: Judgement, layout: Layout | None, *, half: bool) -> Figure:
        say, graph = self._say.about(k=self._say.whole(model.k)), self._graph
        title = f"{title_of(model, say)}, {parameters_of(model, say)}"
        n_hiding = graph.n_vertices - len(judgement.breaking) - len(judgement.undecided)
        said = say.text(
            "{n_hiding} of {n} vertices hide among at least {k}, {n_breaking} do not.",
            n_hiding=say.whole(n_hiding),
            n=say.whole(graph.n_vertices),
            n_breaking=say.whole(len(judgement.breaking)),
        )
        words = f"{title}: {said}"
        if layout is not None:
            drawn = draw_graph(graph, layout, judgement.breaking, judgement.undecided, words, half=half)
        else:
            labels = (say.text("hide among at least {k}"), say.text("break the model"))
            drawn = draw_blocks(graph, judgement.labels, judgement.breaking, labels, words)
        return Figure(title, drawn, said)

    def bars(self) -> Markup | None:
        """Return the risk by knowledge as bars."""
        risk = self._result.risk
        pairs = [
            Pair(
                self._title(known),
                known.share_below_k if risk.k > 2 else 0.0,
                known.share_unique,
                self._bar_figures(known),
            )
            for known in risk.known
            if known.share_below_k is not None and known.share_unique is not None
        ]
        said = [f"{self._title(known)}: {self._bar_figures(known)}" for known in risk.known]
        return risk_bars(pairs, "; ".join(said)) if pairs else None

    def _title(self, known: KnowledgeRisk) -> str:
        return self._say.text(known.template, **known.values)

    def _bar_figures(self, known: KnowledgeRisk) -> str:
        """Spell both shares of a pair of bars, or the one there is: with k = 2 they are the same."""
        shares = [known.share_below_k, known.share_unique][self._result.risk.k == 2 :]
        return " / ".join(share_or_dash(share, self._say) for share in shares)

    def profiles(self) -> list[Figure]:
        """Return for every (k, l)-anonymity how many vertices each l breaks first."""
        return [
            self._profile(model, judgement, Counter(judgement.profile.tolist()))
            for model, judgement in self._judged()
            if judgement.profile is not None and len(judgement.profile)
        ]

    def _profile(self, model: GraphModel, judgement: Judgement, counts: Counter[int]) -> Figure:
        say, up_to = self._say, judgement.profile_up_to or 0
        sizes = {f"l = {size}": counts[size] for size in range(1, up_to + 1)} | {say.text("none"): counts[0]}
        if counts[-1]:
            sizes[say.text("cut off")] = counts[-1]
        bars = [Column(label, count, say.whole(count)) for label, count in sizes.items()]
        said = say.text(
            "How many known places it takes to leave fewer than {k} candidates, searched up to l = {up_to}.",
            k=say.whole(model.k),
            up_to=say.whole(up_to),
        )
        title = title_of(model, say)
        figures = ", ".join(f"{bar.label}: {bar.figure}" for bar in bars)
        return Figure(title, columns(bars, f"{title}: {figures}"), said)


def share_or_dash(share: float | None, language: Language) -> str:
    """Spell a share, or a dash where there is none.

    Examples
    --------
    >>> share_or_dash(0.5, Language("en")), share_or_dash(None, Language("en"))
    ('50%', '–')
    """
    return DASH if share is None else language.percent(share)


def sizes_chart(sizes: NDArray[np.int64], title: str, language: Language) -> Figure:
    """Return how many vertices are in sets of each size.

    Examples
    --------
    >>> sizes_chart(np.array([2, 3]), "Sets", Language("en")).said
    '2 sets; the smallest has 2, the largest 3.'
    """
    said = language.text(
        "{n_sets} sets; the smallest has {smallest}, the largest {largest}.",
        n_sets=language.whole(len(sizes)),
        smallest=language.whole(int(sizes.min())),
        largest=language.whole(int(sizes.max())),
    )
    return Figure(title, columns(_by_size(sizes, language), f"{title}: {said}"), said)


def _by_size(sizes: NDArray[np.int64], language: Language) -> list[Column]:
    """Return how many vertices are in sets of each size; sizes in ranges, without those beyond the largest."""
    bars = []
    for low, after in zip(_EDGES_OF_SIZES, [*_EDGES_OF_SIZES[1:], None], strict=True):
        within = sizes[(sizes >= low) & (sizes < after if after is not None else True)]
        if low > sizes.max():
            break
        label = f"{low}+" if after is None else str(low) if after == low + 1 else f"{low}-{after - 1}"
        bars.append(Column(label, int(within.sum()), language.whole(int(within.sum()))))
    return bars
