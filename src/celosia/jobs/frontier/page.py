"""The page: picture and figures of a frontier as one HTML file."""

from __future__ import annotations

import math
from typing import Any

from markupsafe import Markup

from celosia.jobs.frontier.defaults import FEW_KS
from celosia.jobs.frontier.picture import draw
from celosia.jobs.frontier.result import Frontier
from celosia.jobs.frontier.words import budget, headline, named
from celosia.report.house import poured
from celosia.report.language import Language

_MOST_ROWS = 20


def render(frontier: Frontier, lang: str = "en", bearable_loss: float | None = None) -> str:
    r"""Return the page of a frontier: no script, no network, no outside fonts; for light and dark screens.

    It is for the house: it shows how coarse a release would be, and names the searches.

    Examples
    --------
    >>> from celosia.jobs.frontier.point import Point
    >>> page = render(Frontier(points=(Point(5, {"mondrian": {}}, 0.0, reached_k=5, gcp=0.1),)), "es")
    >>> page[:32]
    '<!DOCTYPE html>\n<html lang="es">'
    """
    language = Language(lang)
    return poured(
        "frontier/frontier.html",
        language,
        title=headline(language),
        table=frontier.table,
        rows=language.plural("{n} row", "{n} rows", frontier.n_rows),
        models=[_model(model) for model in frontier.models],
        wide=Markup(draw(frontier, lang, bearable_loss)),
        narrow=Markup(draw(frontier, lang, bearable_loss, narrow=True)),
        algorithms=[named(algorithm, frontier) for algorithm in frontier.algorithms],
        summaries=[_summary(frontier, share, language) for share in frontier.shares],
        points=[(point, named(point.algorithm, frontier)) for point in frontier.points],
        own=frontier.own,
        searched_by="" if frontier.own is None else named(frontier.own.algorithm, frontier),
    )


def shown_ks(frontier: Frontier) -> list[int]:
    """Return the values of k that a table for people shows: all if they are few, else round ones and the ends.

    Examples
    --------
    >>> from celosia.jobs.frontier.point import Point
    >>> shown_ks(Frontier(points=tuple(Point(k, {"mondrian": {}}, 0.0, gcp=0.1) for k in (2, 6, 90))))
    [2, 6, 90]
    """
    ks = frontier.ks
    if len(ks) <= _MOST_ROWS:
        return ks
    nearest = {min(ks, key=lambda k: abs(math.log(k / wanted))) for wanted in FEW_KS}
    wanted = {*nearest, ks[0], ks[-1], *([] if frontier.own is None else [frontier.own.k])}
    return [k for k in ks if k in wanted]


def _model(model: Any) -> str:
    name, options = next(iter(model.items()))
    return f"{name} ({', '.join(f'{option} = {value}' for option, value in options.items())})"


def _summary(frontier: Frontier, share: float, language: Language) -> dict[str, Any]:
    """Return the losses of one share of suppression: a row per k, a point per search, and the least loss."""
    at = {(point.k, repr(point.algorithm)): point for point in frontier.points if point.max_suppression == share}
    rows = []
    for k in shown_ks(frontier):
        points = [at.get((k, repr(algorithm))) for algorithm in frontier.algorithms]
        losses = [point.gcp for point in points if point is not None and point.gcp is not None]
        rows.append({"k": k, "points": points, "least": min(losses, default=None)})
    return {"title": budget(share, language), "rows": rows}
