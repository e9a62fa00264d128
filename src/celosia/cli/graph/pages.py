"""Pages about graphs, written to a file that the user names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from celosia.cli.console import screen

Out = Annotated[Path | None, typer.Option("--out", help="Write a page to this file: .html or .pdf.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an existing page.")]


def check_page(out: Path | None, lang: str, *, overwrite: bool) -> None:
    """Refuse a page that cannot be written, before any work is done."""
    from celosia.base.errors import InputError
    from celosia.report.language import check_language
    from celosia.report.pdf import check_pdf

    check_language(lang)
    if out is None:
        return
    if out.suffix.lower() not in (".html", ".pdf"):
        raise InputError(f"'{out.name}' is no page.", hint="name a file that ends in .html or .pdf.")
    if not out.parent.is_dir():
        raise InputError(f"the folder of '{out.name}' does not exist.", hint="make it first.")
    if out.exists() and not overwrite:
        raise InputError(f"'{out.name}' exists.", hint="choose another name, or replace it with --overwrite.")
    if out.suffix.lower() == ".pdf":
        check_pdf()


def write_page(out: Path, page: str, *, overwrite: bool) -> None:
    """Write a page as HTML or PDF, by its suffix."""
    from celosia.data.io.durable import fresh_file
    from celosia.report.pdf import pdf_of

    check_page(out, "en", overwrite=overwrite)  # a file may have come meanwhile
    with fresh_file(out) as file:
        file.write(pdf_of(page) if out.suffix.lower() == ".pdf" else page.encode())


def show_written(out: Path | None) -> None:
    """Say where the page is."""
    if out is not None:
        screen.print(f"Written to {out}. It is for the house.", markup=False)
