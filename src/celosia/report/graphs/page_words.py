"""Models of graphs in words, for pages in two languages."""

from __future__ import annotations

from celosia.graphs.judging import GraphModel, Judgement
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.risk import GraphRisk
from celosia.report.language import Language


def title_of(model: GraphModel, language: Language) -> str:
    """Return what a model is called.

    Examples
    --------
    >>> title_of(DegreeAnonymity(2), Language("en"))
    'Degree anonymity'
    """
    if isinstance(model, NeighbourhoodAnonymity):
        return language.text("Neighbourhood anonymity")
    if isinstance(model, ClosedTwinAnonymity):
        return language.text("Closed twins")
    if isinstance(model, DegreeAnonymity):
        return language.text("Degree anonymity")
    if isinstance(model, KLAnonymity):
        if model.view == "rows":
            return language.text("(k, l)-anonymity, rows")
        return language.text("(k, l)-anonymity, neighbours")
    return model.name


def parameters_of(model: GraphModel, language: Language) -> str:
    """Return the parameters of a model.

    Examples
    --------
    >>> parameters_of(KLAnonymity(2, 3, exclude_known=True), Language("en"))
    'k = 2, l = 3, known vertices are no candidates'
    """
    said = [f"k = {language.whole(model.k)}"]
    if isinstance(model, KLAnonymity):
        said.append(f"l = {language.whole(model.l)}")
        if model.exclude_known:
            said.append(language.text("known vertices are no candidates"))
    if model.attributes:
        said.append(language.text("known attributes: {names}", names=language.listed(list(model.attributes))))
    return ", ".join(said)


def meaning_of(model: GraphModel, language: Language) -> str:
    """Return in a sentence what a model demands.

    Examples
    --------
    >>> meaning_of(NeighbourhoodAnonymity(3), Language("en"))
    'Every vertex has exactly the same neighbours as at least 2 others.'
    """
    k = language.whole(model.k)
    if isinstance(model, NeighbourhoodAnonymity):
        return language.plural(
            "Every vertex has exactly the same neighbours as at least {n} other.",
            "Every vertex has exactly the same neighbours as at least {n} others.",
            model.k - 1,
        )
    if isinstance(model, ClosedTwinAnonymity):
        return language.plural(
            "Every vertex has the same neighbours, itself counted in, as at least {n} other.",
            "Every vertex has the same neighbours, itself counted in, as at least {n} others.",
            model.k - 1,
        )
    if isinstance(model, DegreeAnonymity):
        return language.text("Every degree that occurs is that of at least {k} vertices.", k=k)
    if not isinstance(model, KLAnonymity):
        return ""
    if model.view == "rows":
        return language.text(
            "Whoever knows of at most {l} vertices whether they are neighbours of a person is left with at least {k} "
            "candidates.",
            l=language.whole(model.l),
            k=k,
        )
    return language.text(
        "Whoever knows at most {l} neighbours of a person is left with at least {k} candidates.",
        l=language.whole(model.l),
        k=k,
    )


def verdict_words(judgement: Judgement, language: Language) -> str:
    """Say whether a model holds; what a search could not settle does not.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> verdict_words(DegreeAnonymity(2).judge(Graph.of_edges([0], [1])), Language("en"))
    'it holds'
    """
    if judgement.satisfied:
        return language.text("it holds")
    if len(judgement.undecided) and not len(judgement.breaking):
        return language.text("could not be settled")
    return language.text("it does not hold")


def strongest_words(judgement: Judgement, parameter: str, language: Language) -> str:
    """Return the strongest k or l that holds; a dash where the model has no such parameter.

    Parameters
    ----------
    parameter
        ``k`` or ``l``.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> strongest_words(DegreeAnonymity(2).judge(Graph.of_edges([0, 1], [1, 2])), "k", Language("en"))
    'none'
    """
    name = f"strongest_{parameter}"
    value: int | None = getattr(judgement, name)
    if value is None:
        return "–"
    if name in judgement.lower_bounds:
        return language.text("at least {n}", n=language.whole(value))
    if value < (2 if parameter == "k" else 1):
        return language.text("none")
    return language.whole(value)


def left_out(risk: GraphRisk, language: Language) -> str:
    """Say that two known neighbours were not looked at, if they were not.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.risk import risk
    >>> path = Graph.of_edges([0, 1], [1, 2])
    >>> left_out(risk(path), Language("en")), left_out(risk(path, l=1), Language("en"))[:19]
    ('', 'Two known neighbour')
    """
    if any(known.name == "neighbours_2" for known in risk.known):
        return ""
    return language.text(
        "Two known neighbours are not in the table: the graph has too many pairs of neighbours to look at them in "
        "passing. Ask for (k, l)-anonymity with l = 2."
    )
