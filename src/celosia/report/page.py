"""The page: sections in their order, poured into one template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from celosia.base.findings import Finding
from celosia.measure.overall import Measures
from celosia.measure.release_findings import findings_of
from celosia.measure.run import Run
from celosia.report.facts import Facts
from celosia.report.house import environment
from celosia.report.language import Language
from celosia.report.sections import SECTIONS
from celosia.report.sections.heading import heading


def render(
    run: Run,
    lang: str = "en",
    *,
    measures: Measures | None = None,
    findings: Sequence[Finding] | None = None,
    data: Mapping[str, Any] | None = None,
    checks: Sequence[tuple[str, str]] = (),
) -> str:
    r"""Return the report of a release: one HTML page without script, network or outside fonts.

    It is for the house, not for publication: it names the algorithm. It never holds seed, key or a cell value that is
    not published, names no value that fewer than k people have, and claims nothing about the law.

    Parameters
    ----------
    lang
        ``en`` or ``es``.
    measures, findings
        What is measured of it and what the user should know, where that is known already.
    data
        The description of the written data file, as ``celosia.io.described`` gives it.
    checks
        Name and status of every check of the verifier on that file.

    Raises
    ------
    OptionError
        There is no report in this language.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [40, 44, 37, 31]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> page = render(cl.Plan(models=[cl.KAnonymity(2)]).run(table), "es")
    >>> page[:32], "50 %" in page.replace("\xa0", " ")
    ('<!DOCTYPE html>\n<html lang="es">', True)
    """
    language = Language(lang)
    measures = measures or Measures(run)
    known = findings_of(run, measures) if findings is None else findings
    facts = Facts(run, measures, known, data, checks)
    room = environment(language)
    sections = [make(facts, language) for make in SECTIONS]
    bodies = [Markup(room.get_template(f"{section.name}.html").render(section.content)) for section in sections]
    return room.get_template("report.html").render(
        heading=heading(facts, language),
        sections=list(zip(sections, bodies, strict=True)),
    )
