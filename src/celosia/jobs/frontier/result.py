"""Frontier: what protection costs, point by point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from celosia.base.errors import OptionError, nearest
from celosia.data.io.durable import fresh_file
from celosia.jobs.frontier.point import Point


@dataclass(frozen=True)
class Frontier:
    """Loss and risk over k, algorithm and suppression. Made by ``frontier``; nothing in it was published or audited.

    Attributes
    ----------
    points
        By share of suppression, then by algorithm in the order asked for, then by k.
    own
        The plan as it stands, where one was given.
    models
        What was demanded beside k-anonymity, as in a plan file.
    table, n_rows
        The name of the table, and its rows.
    n_missing
        How many points the time limit left out.
    seconds
        The whole measurement.
    """

    points: tuple[Point, ...]
    own: Point | None = None
    models: tuple[Mapping[str, Any], ...] = ()
    table: str = "the table"
    n_rows: int = 0
    n_missing: int = 0
    seconds: float = 0.0

    def __repr__(self) -> str:
        n_reached = sum(point.is_reached for point in self.points)
        return f"Frontier({len(self.points)} points, {n_reached} within reach, {self.n_missing} missing)"

    @property
    def ks(self) -> list[int]:
        """The values of k that were asked for, ascending."""
        return sorted({point.k for point in self.points})

    @property
    def shares(self) -> list[float]:
        """The shares of suppression, ascending."""
        return sorted({point.max_suppression for point in self.points})

    @property
    def algorithms(self) -> list[Mapping[str, Any]]:
        """The searches, in the order asked for."""
        found: list[Mapping[str, Any]] = []
        for point in self.points:
            if point.algorithm not in found:
                found.append(point.algorithm)
        return found

    @property
    def reached(self) -> list[Point]:
        """The points whose demand is met."""
        return [point for point in self.points if point.is_reached]

    @property
    def best(self) -> list[Point]:
        """The points that no other beats in k and loss, by ascending k.

        One beats another whose k is no smaller and whose loss no larger, unless both are equal.
        """
        least: dict[int, float] = {}
        for point in self.reached:
            least[point.k] = min(point.loss, least.get(point.k, point.loss))
        return sorted(
            (
                point
                for point in self.reached
                if point.loss == least[point.k] and all(loss > point.loss for k, loss in least.items() if k > point.k)
            ),
            key=lambda point: point.k,
        )

    def largest_k(self, loss: float, algorithm: str | None = None) -> Point | None:
        """Return the point with the largest k whose GCP is at most ``loss``, the one that loses least; or ``None``.

        Parameters
        ----------
        loss
            The share of the information that one can bear to lose, in [0, 1].
        algorithm
            The name of the only search to look at, such as ``weave``.

        Raises
        ------
        OptionError
            The loss is no such share, or no point is of this search.
        """
        check_bearable(loss)
        names = {point.name for point in self.points}
        if algorithm is not None and algorithm not in names:
            raise OptionError(f"no point is of the search '{algorithm}'.", hint=nearest(str(algorithm), names))
        fitting = [
            point for point in self.reached if point.loss <= loss and (algorithm is None or point.name == algorithm)
        ]
        return max(fitting, key=lambda point: (point.k, -point.loss), default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as ``--json`` prints it; ``best`` holds places in ``points``."""
        best = self.best
        return {
            "table": self.table,
            "n_rows": self.n_rows,
            "audited": False,
            "models": [dict(model) for model in self.models],
            "points": [point.to_dict() for point in self.points],
            "best": [self.points.index(point) for point in best],
            "own": None if self.own is None else self.own.to_dict(),
            "n_missing": self.n_missing,
            "seconds": self.seconds,
        }

    def picture(self, lang: str = "en", *, bearable_loss: float | None = None, narrow: bool = False) -> str:
        """Return the frontier as a picture: SVG without script or outside fonts, for light and dark screens.

        Parameters
        ----------
        lang
            ``en`` or ``es``.
        bearable_loss
            A share in [0, 1] drawn as a line, with the largest k below it.
        narrow
            For a telephone.
        """
        from celosia.jobs.frontier.picture import draw  # here: a picture is no part of measuring

        check_bearable(bearable_loss)
        return draw(self, lang, bearable_loss, narrow=narrow)

    def write(self, path: str | Path, lang: str = "en", *, bearable_loss: float | None = None) -> Path:
        """Write the picture and all figures as one HTML page without script or network. An existing file is replaced.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        from celosia.jobs.frontier.page import render

        check_bearable(bearable_loss)
        page = render(self, lang, bearable_loss)
        target = Path(path)
        with fresh_file(target) as file:
            file.write(page.encode())
        return target


def check_bearable(loss: object) -> None:
    """Raise ``OptionError`` unless a bearable loss is ``None`` or a share in [0, 1].

    Examples
    --------
    >>> check_bearable(0.1)
    """
    if loss is None:
        return
    if isinstance(loss, bool) or not isinstance(loss, int | float) or not 0 <= loss <= 1:
        raise OptionError(
            "a bearable loss must be a share of the information in [0, 1].", hint="0.1 is 10 %.", about="bearable_loss"
        )
