"""check: what any table gives away, measured by the independent verifier."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from celosia import audit
from celosia.base.entries import describe
from celosia.base.errors import ColumnNotFoundError, OptionError, nearest_column
from celosia.base.findings import Finding, unrepeated
from celosia.data.io import Source, restored, to_polars
from celosia.data.schema.columns import as_text, cleaned
from celosia.data.schema.detectors import count_children
from celosia.measure.table_findings import about_file, about_spelling
from celosia.measure.traps import FILE_TRAPS, TRAPS, Published, trapped
from celosia.measure.traps.kept_order import kept_order
from celosia.measure.unhashing import unkeyed_hashes
from celosia.models.base import Model

_SMALLEST_CLASS = 3
"""What fewer people share stands out, where no model says how many it takes."""


@dataclass(frozen=True)
class Check:
    """What ``check`` found.

    Attributes
    ----------
    figures
        The measured figures, as ``celosia check --json`` prints them.
    models
        For each demanded model: its name with options, whether it holds (``None`` if it could not be judged), why, and
        the classes that break it: how many, their rows, and where the first of them begin.
    findings
        What the user should know.
    """

    figures: dict[str, Any]
    models: list[dict[str, Any]]
    findings: list[Finding]

    @property
    def holds(self) -> bool:
        """Whether every demanded model holds."""
        return all(model["holds"] for model in self.models)

    @property
    def k(self) -> int | None:
        """The number of people in the smallest class; ``None`` for an empty table."""
        k: int | None = self.figures["k"]
        return k

    def to_dict(self) -> dict[str, Any]:
        """Return the figures, models and findings as ``--json`` prints them."""
        return self.figures | {"models": self.models, "findings": [finding.to_dict() for finding in self.findings]}


def check(
    frame: Any,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str] = (),
    subject: str | None = None,
    models: Sequence[Model] = (),
    *,
    threshold: str = "0.2",
    show_values: bool = False,
    roster: Sequence[str] | None = None,
    original: Any = None,
) -> Check:
    """Measure k, risk and what classes tell about each secret, for any table, and find what else it gives away.

    For each secret ``figures`` holds the strongest parameter of every model that the table satisfies. Missing values
    are a value of their own. With ``subject`` k counts distinct subjects.

    Parameters
    ----------
    frame
        A pandas, Polars or Arrow table; or what ``celosia.io.read`` gave, whose file is then looked at as well.
    quasi_identifiers
        The columns an attacker may know.
    sensitive
        The columns that hold secrets.
    models
        Models that must hold. A secret that one is about must be among ``sensitive``. What fewer people share than the
        strictest of them asks of a class stands out; without one, fewer than 3.
    threshold
        Above which (strictly) a row counts as at risk.
    show_values
        Whether to tell the secret of the first classes that share one, under ``homogeneous``. Nothing else ever holds
        a cell value.
    roster
        Values that columns of unkeyed digests may have been made of, such as e-mails; they are tried first.
    original
        The table before, as ``frame``: whether rows keep its order is judged by it.

    Raises
    ------
    ColumnNotFoundError
        A named column is not there.
    OptionError
        An option has a value that is not allowed, or a model is about a column that is not among ``sensitive``.

    Examples
    --------
    >>> found = check(pl.DataFrame({"age": ["40-49", "40-49", "30-39"]}), ["age"])
    >>> found.k, found.figures["risk"]["prosecutor"]["max"]
    (1, 1.0)
    """
    for names in (quasi_identifiers, sensitive):
        if isinstance(names, str) or not all(isinstance(name, str) for name in names):
            raise OptionError("quasi_identifiers and sensitive must be lists of columns.")
    if isinstance(roster, str) or not all(isinstance(value, str) for value in roster or ()):
        raise OptionError("roster must be a list of texts.")
    if not isinstance(models, list | tuple) or not all(isinstance(model, Model) for model in models):
        raise OptionError("models must be a list of models such as KAnonymity(3).")
    native, decimal = _read(frame)
    named = [*quasi_identifiers, *sensitive, *([subject] if subject is not None else [])]
    for column in named:
        if column not in native.columns:
            raise ColumnNotFoundError(
                f"'{column}' is not a column of the table ({native.width} columns).",
                hint=nearest_column(column, native.columns),
            )
    for model in models:
        _check_secret(model, sensitive, native.columns)
    counted = dict.fromkeys(named or native.columns[:1])  # some column has to say how many rows there are
    texts = _texts(native, counted)
    trees: dict[str, Any] = {}
    for model in models:
        trees |= _hierarchies(model)
    try:
        figures = audit.measure(texts, quasi_identifiers, sensitive, subject, threshold=threshold, hierarchies=trees)
        verdicts = [judged(model, figures) for model in models]
    except audit.AuditInputError as error:
        raise OptionError(str(error)) from None
    if show_values:
        _tell_values(figures, texts)
    smallest = [model.smallest_class for model in models]
    k = max([*smallest, 2]) if smallest else _SMALLEST_CLASS
    published = Published(native, quasi_identifiers, sensitive, subject=subject, k=k, decimal=decimal)
    findings = [
        *_findings(figures, published, is_told=show_values),
        *_about_children(texts, quasi_identifiers, decimal),
        *(about_file(frame) if isinstance(frame, Source) else ()),
        *about_spelling(published),
        *unkeyed_hashes(native, roster=roster),
        *trapped(published, TRAPS + FILE_TRAPS),
        *(kept_order(published, _read(original)[0]) if original is not None else ()),
    ]
    return Check(dict(figures), verdicts, unrepeated(findings))


def _read(frame: Any) -> tuple[pl.DataFrame, str]:
    """Return a table's columns as its readers have them, and the decimal mark of its texts."""
    if not isinstance(frame, Source):
        return to_polars(frame)[0], "."
    return restored(frame.frame), "." if frame.dialect is None else frame.dialect.decimal


def _check_secret(model: Model, sensitive: Sequence[str], columns: Sequence[str]) -> None:
    """Refuse a model about a column that is not there, or not said to be a secret."""
    secret = model.to_dict().get("on")
    if secret is None or secret in sensitive:
        return
    if secret not in columns:
        raise ColumnNotFoundError(
            f"{model.name} names '{secret}', which is not a column of the table ({len(columns)} columns).",
            hint=nearest_column(secret, columns),
        )
    known = f"the sensitive columns are {', '.join(sensitive)}; " if sensitive else ""
    raise OptionError(
        f"{model.name} names '{secret}', which is not among the sensitive columns.",
        hint=f"{known}if '{secret}' holds a secret, name it there too (--sensitive on the command line).",
    )


def judged(model: Model, figures: dict[str, Any]) -> dict[str, Any]:
    """Return a demanded model with its options, whether it holds on measured figures, why, and where it does not.

    ``figures`` are those that ``audit.measure`` returned: the verdict rests on the exact counts behind them.
    """
    population = _evidence(model).get("population")
    texts = _texts(population) if isinstance(population, pl.DataFrame) else None
    return audit.examine(describe(model), figures, hierarchies=_hierarchies(model), population=texts)


def _evidence(model: Model) -> dict[str, Any]:
    """Return what a model brings to be judged by: a hierarchy, a population."""
    tell = getattr(model, "evidence", None)
    known: dict[str, Any] = {} if tell is None else tell()
    return known


def _hierarchies(model: Model) -> dict[str, Any]:
    """Return the hierarchy of a model's secret as the verifier takes it; none if it has none."""
    hierarchy, secret = _evidence(model).get("hierarchy"), model.to_dict().get("on")
    return {} if hierarchy is None or secret is None else {secret: hierarchy}


def _texts(frame: pl.DataFrame, columns: Iterable[str] | None = None) -> pl.DataFrame:
    """Return columns as texts without blanks around them."""
    return pl.DataFrame([as_text(cleaned(frame[column])[0]) for column in columns or frame.columns])


def _tell_values(figures: dict[str, Any], texts: pl.DataFrame) -> None:
    """Put its secret beside each listed class that shares one."""
    for column, measures in figures["sensitive"].items():
        for place in measures["homogeneous"]["classes"]:
            place["value"] = texts[column][place["first_row"] - 1]


def _findings(figures: dict[str, Any], published: Published, *, is_told: bool) -> list[Finding]:
    found = []
    if not published.quasi_identifiers:
        found.append(
            Finding(
                "NO_QUASI_IDENTIFIERS",
                "warning",
                "No quasi-identifier is named: all rows are one class.",
                n_rows=published.n_rows,
            )
        )
    if figures["k"] == 1:
        found.append(
            Finding(
                "SINGLED_OUT",
                "warning",
                "At least one person stands alone in a class (k = 1).",
                n_rows=int(published.classes.sizes[published.people == 1].sum()),
            )
        )
    for column, measures in figures["sensitive"].items():
        alike = measures["homogeneous"]
        if alike["n_classes"] and is_told:
            found.append(
                Finding(
                    "HOMOGENEOUS",
                    "warning",
                    "In {count} classes ({rows} rows) anyone known to be in the class has one and the same '{column}'.",
                    column,
                    {"count": alike["n_classes"], "rows": alike["n_rows"]},
                    alike["n_rows"],
                )
            )
        elif alike["n_classes"]:
            found.append(
                Finding(
                    "HOMOGENEOUS",
                    "warning",
                    "In {count} classes ({rows} rows) anyone known to be in the class has one and the same '{column}'; "
                    "the value is withheld.",
                    column,
                    {"count": alike["n_classes"], "rows": alike["n_rows"]},
                    alike["n_rows"],
                )
            )
    return found


def _about_children(texts: pl.DataFrame, quasi_identifiers: Sequence[str], decimal: str) -> list[Finding]:
    counts = {column: count_children(texts[column], decimal) for column in dict.fromkeys(quasi_identifiers)}
    return [
        Finding(
            "CHILD_DATA",
            "note",
            "Rows about people under 18 by '{column}': {count}. Data about children deserve particular care.",
            column,
            {"count": n_children},
            n_children,
        )
        for column, n_children in counts.items()
        if n_children
    ]
