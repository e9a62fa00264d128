"""Where a result may be written: what is refused before any work is done, and pages as HTML or PDF."""

from __future__ import annotations

from pathlib import Path

from celosia.base.errors import CelosiaError, InputError
from celosia.data.io.durable import fresh_file
from celosia.data.io.folder import check_target
from celosia.report.pdf import check_pdf, pdf_of


def check_file(
    path: Path,
    kind: str,
    hint: str,
    *,
    overwrite: bool,
    data: Path | None = None,
    in_folder: bool = False,
    replacing: str = "replace it",
) -> None:
    """Refuse a file that must not be written.

    Parameters
    ----------
    kind, hint
        What it is to be, such as a page, and what to do where a folder has its name.
    overwrite, replacing
        Whether an existing file may be replaced, and what that does to it.
    data
        The data file, which is never replaced.
    in_folder
        Whether its folder must be there already.

    Raises
    ------
    InputError
        Something is in the way.

    Examples
    --------
    >>> check_file(Path("costs.html"), "page", "name a file.", overwrite=False)
    """
    if path.is_dir():
        raise InputError(f"'{path.name}' is a folder, not a {kind}.", hint=hint)
    if data is not None and path.exists() and data.exists() and path.samefile(data):
        raise InputError(
            f"'{path.name}' is the data file.", hint=f"give the {kind.removesuffix(' file')} a name of its own."
        )
    if in_folder and not path.parent.is_dir():
        raise InputError(f"the folder of '{path.name}' does not exist.", hint="make it first.")
    if path.exists() and not overwrite:
        raise InputError(f"'{path.name}' exists.", hint=f"choose another name, or {replacing} with --overwrite.")


def check_page(out: Path, *, overwrite: bool) -> None:
    """Refuse a page, HTML or PDF by its suffix, that must not or cannot be written.

    Raises
    ------
    InputError
        Something is in the way, the suffix is another one, or what makes PDF files is not installed.
    """
    if out.suffix.lower() not in (".html", ".pdf"):
        raise InputError(f"'{out.name}' is no page.", hint="name a file that ends in .html or .pdf.")
    check_file(out, "page", "name a file, such as page.html.", overwrite=overwrite, in_folder=True)
    if out.suffix.lower() == ".pdf":
        check_pdf()


def write_page(out: Path, page: str, *, overwrite: bool) -> None:
    """Write a page as HTML or PDF, by its suffix."""
    check_page(out, overwrite=overwrite)  # a file may have come meanwhile
    with fresh_file(out) as file:
        file.write(pdf_of(page) if out.suffix.lower() == ".pdf" else page.encode())


def check_release(target: Path, source: Path | None, refused: CelosiaError, *, overwrite: bool) -> None:
    """Refuse a folder that must not be replaced by a release, before the search and not after it.

    Parameters
    ----------
    source, refused
        The input, and the error where it lies in that folder.
    """
    check_target(target, overwrite=overwrite)
    if source is not None and source.resolve().is_relative_to(target.resolve()):
        raise refused
