"""Two graphs compared, for people: every measure before and after in a row, and the page of it."""

from __future__ import annotations

from dataclasses import dataclass

from celosia.graphs.utility import Change, GraphUtility, PathLength
from celosia.report.house import poured
from celosia.report.language import Language


@dataclass(frozen=True)
class Row:
    """One measure: its figure before and after, or one figure for both; and why it is missing."""

    name: str
    before: str
    after: str
    reason: str


def rows_of(found: GraphUtility, language: Language) -> list[Row]:
    """Return every measure as people read it.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.utility import utility
    >>> square, path = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0]), Graph.of_edges([0, 1, 2], [1, 2, 3])
    >>> rows_of(utility(square, path, seed=1), Language("en"))[0]
    Row(name='edges', before='4', after='3', reason='')
    """
    return _Rows(found, language).all()


def render_comparison(found: GraphUtility, names: tuple[str, str], lang: str = "en") -> str:
    """Return the page of a comparison; no script, no network, and no name of a vertex.

    Parameters
    ----------
    names
        What the graphs are called, before and after.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.utility import utility
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> "a.csv" in render_comparison(utility(square, square, seed=1), ("a.csv", "b.csv"))
    True
    """
    language = Language(lang)
    rows, how = rows_of(found, language), how_matched(found, language)
    return poured("graphs/comparison.html", language, names=names, rows=rows, how=how)


def how_matched(found: GraphUtility, language: Language) -> str:
    """Say how it is known which vertex is which.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.utility import utility
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> how_matched(utility(square, square, seed=1), Language("en"))
    'Vertices are the same by their order.'
    """
    if found.matched_by == "order":
        return language.text("Vertices are the same by their order.")
    if found.matched_by == "names":
        return language.text("Vertices are the same by their names.")
    if found.matched_by == "given":
        return language.text("Which vertex is which was given.")
    return language.text("Which vertex is which is not known.")


class _Rows:
    def __init__(self, found: GraphUtility, language: Language) -> None:
        self._found, self._say = found, language

    def all(self) -> list[Row]:
        """Return the rows in their order."""
        found, _ = self._found, self._say.text
        edits = found.edits
        return [
            self._two("n_edges", _("edges"), found.n_edges),
            self._two("n_non_isolated", _("vertices with an edge"), found.n_non_isolated),
            self._one("edits", _("edges added"), None if edits is None else edits.n_added),
            self._one("edits", _("edges deleted"), None if edits is None else edits.n_deleted),
            self._share("edits", _("edits, of the edges before"), None if edits is None else edits.ratio),
            self._one("degree_distance", _("how far a degree moves on average"), found.degree_distance),
            self._two("clustering", _("clustering, over all pairs of neighbours"), found.clustering),
            self._two("clustering", _("clustering, mean over vertices"), found.mean_local_clustering),
            self._two("path_length", _("mean length of shortest paths"), found.path_length),
            self._two("largest_eigenvalue", _("largest eigenvalue"), found.largest_eigenvalue),
            self._one("betweenness", _("betweenness, rank correlation"), found.betweenness),
            self._one(
                "eigenvector_centrality", _("eigenvector centrality, rank correlation"), found.eigenvector_centrality
            ),
            self._one("communities", _("communities, agreement (NMI)"), found.communities),
            self._one("communities", _("communities, agreement of a mere rerun"), found.communities_rerun),
        ]

    def _two(self, key: str, name: str, change: Change[int] | Change[float] | Change[PathLength]) -> Row:
        before, after = self._spelt(change.before), self._spelt(change.after)
        return Row(name, before, after, self._reason(key, "–" in (before, after)))

    def _one(self, key: str, name: str, figure: float | None) -> Row:
        return Row(name, "", self._spelt(figure), self._reason(key, figure is None))

    def _share(self, key: str, name: str, share: float | None) -> Row:
        said = "–" if share is None else self._say.percent(share)
        return Row(name, "", said, self._reason(key, share is None))

    def _spelt(self, figure: float | PathLength | None) -> str:
        if isinstance(figure, PathLength):
            mean, reached = self._spelt(figure.mean), figure.share_reached
            if figure.mean is None or reached is None or reached == 1:
                return mean
            return self._say.text("{mean} ({share} of pairs linked)", mean=mean, share=self._say.percent(reached))
        if figure is None:
            return "–"
        return self._say.whole(figure) if isinstance(figure, int) else self._say.decimal(figure, 3)

    def _reason(self, key: str, is_missing: bool) -> str:
        reason = self._found.reasons.get(key)
        return self._say.text(reason) if is_missing and reason is not None else ""
