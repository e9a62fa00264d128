"""``celosia demo``: the main job on built-in data, start to report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from celosia.cli.console import figures, print_findings, print_json, progress_bar, rows_table, screen, share
from celosia.cli.options import AsJson, language_of, replacing


def demo(
    out: Annotated[Path, typer.Option(help="The release folder.")] = Path("demo-release"),
    k: Annotated[int, typer.Option(help="How many people share every published row, from 2.")] = 5,
    lang: Annotated[str, language_of("the report")] = "en",
    overwrite: Annotated[bool, replacing("release")] = False,
    as_json: AsJson = False,
) -> None:
    """Anonymise the results of 500 made-up students, audit them and write them."""
    import celosia as cl
    from celosia.data.students import STUDENTS, make_students
    from celosia.report.language import check_language

    check_language(lang)
    students = make_students()
    plan = cl.Plan(models=[cl.KAnonymity(k)])
    with progress_bar() as bar:
        release = plan.run(cl.Table(students, STUDENTS, name="students"), bar)
        release.write(out, overwrite=overwrite, lang=lang)
    if as_json:
        print_json(release.summary)
        return
    head = students.head(4)
    rows_table(
        "500 students, as they came (made up)", head.columns, [[str(cell) for cell in row] for row in head.rows()]
    )
    published = release.rows.head(4)
    rows_table(
        f"As published: every row is shared by at least {release.k} students", published.columns, published.rows()
    )
    risk = release.summary["risk"]["prosecutor"]
    figures(
        "What it cost and what it gives",
        [
            ("information lost (GCP)", share(release.loss.gcp)),
            ("chance to find a known student's row", f"at most {share(risk['max'])}, {share(risk['mean'])} on average"),
            ("students left out", str(release.classes.n_suppressed)),
            ("time, audit included", f"{release.seconds:.2f} s"),
        ],
    )
    print_findings(release.findings)
    screen.print(f"Written to {out}: data.csv and claim.json may be published, internal/ may not.", markup=False)
    screen.print(f"The report: {out / 'internal' / 'report.html'}", markup=False)
