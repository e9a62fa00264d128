"""Plan: what is asked of a release, and the ways to have it done on a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from celosia.base.chance import Randomness
from celosia.base.progress import Progress, Stop
from celosia.data.schema import Table
from celosia.jobs.release import Release
from celosia.jobs.tables import TableSubject
from celosia.jobs.way import made, verified
from celosia.masks.applying import masked_table
from celosia.measure.terms import Terms


class Plan(Terms):
    """What to do with a table: models to satisfy, the search that finds classes, masks, limits.

    Parameters
    ----------
    models
        The privacy models that the release must satisfy, all of them.
    algorithm
        The search.
    masks
        Techniques applied first: a column that is to be removed goes as soon as no other mask needs it, all others
        keep this order.
    masks_after
        Rules by which rows that still stand out are removed from what the search found (``DropRows``), judged by
        published values. Every model is judged again.
    max_suppression
        The share of rows that may be deleted, in [0, 1].
    seed
        ``None`` for secure randomness. A number makes runs repeat and is marked in the report.
    range_style
        ``bracket`` (``[5, 10]``) or ``dash`` (``5-10``).
    keep_order
        Publish rows in the order of the input. Leave it off: the order links rows to people.
    risk
        The threshold and the scenarios that the release is judged by. A release that does not keep to them is made
        all the same, with a warning among its findings.
    bound
        Seconds to look for the least loss that any release by this plan could have, so that the report can say how near
        this one is. ``False``: never. ``None``: only for few rows, and where the search proves it by itself.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> marks = pl.DataFrame({"exam": [3, 4, 8, 9], "professor": ["Doe", "Doe", "Roe", "Roe"]})
    >>> schema = cl.Schema(quasi_identifiers={"exam": "number", "professor": "category"})
    >>> release = Plan(models=[cl.KAnonymity(2)]).run(cl.Table(marks, schema))
    >>> sorted(release.frame["exam"])
    ['[3, 4]', '[3, 4]', '[8, 9]', '[8, 9]']
    """

    def run(
        self, table: Table, progress: Progress | None = None, *, rehearsal: bool = False, stop: Stop | None = None
    ) -> Release:
        """Anonymise a table and have the independent verifier judge the result.

        Ctrl-C leaves nothing behind; but a search that goes on improving, such as ``Weave``, ends then with the best
        classes so far, and the run goes on. New pseudonyms are in their vault before anything else is done, and stay
        there if the run fails: none is ever in a release and not in the vault.

        Parameters
        ----------
        rehearsal
            Whether the release is only looked at: it cannot be written, no vault is opened or changed, and throw-away
            codes stand for the pseudonyms of a vault.
        stop
            Asks the search to end with the best classes so far, as Ctrl-C does, from another thread or process.

        Raises
        ------
        UnreachableError
            The models cannot be met within ``max_suppression``.
        InputError
            A column has no role.
        AuditError
            The verifier rejected the result; it is not handed out.
        """
        return verified(TableSubject(self, table), progress, rehearsal=rehearsal, stop=stop)

    def measure(self, table: Table, progress: Progress | None = None) -> dict[str, Any]:
        """Search and measure as ``run`` does, and return the figures (its ``summary``) alone.

        No row leaves it, no verifier judges it and no vault is changed. With the same seed the figures are those of
        ``run``, unless pseudonyms of a vault are quasi-identifiers; but no bound is looked for.

        Raises
        ------
        UnreachableError
            The models cannot be met within ``max_suppression``.
        InputError
            A column has no role.
        """
        unbounded = replace(self, bound=False)
        return made(TableSubject(unbounded, table), progress, rehearsal=True).summary

    def masked(self, table: Table) -> Table:
        """Return the table as the masks leave it; throw-away codes stand for the pseudonyms of a vault."""
        return masked_table(table, self.masks, Randomness(self.seed), self.least, rehearsal=True).table

    def check(self, table: Table) -> None:
        """Raise what ``run`` would raise before searching: wrong roles, a demand out of reach. Finds no classes."""
        TableSubject(self, table).task(self.masked(table)).check()
