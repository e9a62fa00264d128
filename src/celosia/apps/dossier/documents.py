"""Writing the documents of a case: internal dossier and outward statement, as HTML and PDF, in both languages.

Templates and pictures are imported only when documents are made: they are no part of reading a project.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.apps.dossier.case import Case
from celosia.base.errors import InputError
from celosia.data.io.durable import fresh_file, write_text_file

if TYPE_CHECKING:
    from celosia.apps.dossier.fragments import Fragments
    from celosia.jobs.release import Release

_FRAGMENTS = "fragments.json"


def write_documents(
    case: Case, release: Release, folder: Path, claim: Mapping[str, Any], checks: Sequence[tuple[str, str]]
) -> tuple[Path, ...]:
    """Write the documents of a release into its folder, which is not in its place yet.

    ``internal/fragments.json`` keeps what they say of the release, so that ``assemble`` can make them anew.

    Parameters
    ----------
    folder
        The folder of the release; ``internal/`` is there.
    claim
        The claim as it was written.
    checks
        Name and status of every check of the verifier.

    Returns
    -------
    tuple of Path
        The documents. Where no typesetter is installed (``pip install celosia[pdf]``) no PDF is among them.

    Raises
    ------
    InputError
        A file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from functools import partial
    >>> import polars as pl, celosia as cl
    >>> from celosia.apps.dossier.case import STEPS, Step
    >>> situation = cl.risk.Situation([cl.risk.PublicRelease()], threshold=0.5)
    >>> table = cl.Table(pl.DataFrame({"age": [40, 44, 37, 31]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> release = cl.Plan(models=[cl.KAnonymity(3)]).run(table)
    >>> steps = tuple(Step(name, "ready") for name in STEPS)
    >>> case = Case("ages", "Uni", "", True, (), situation, "data", 1.0, steps, outcome="feasible")
    >>> folder = release.write(
    ...     Path(tempfile.mkdtemp(), "release"), documents=partial(write_documents, case, release)
    ... )
    >>> (folder / "statement.es.html").exists(), (folder / "internal" / "dossier.es.html").exists()
    (True, True)
    """
    from celosia.apps.dossier.fragments import Fragments

    published = folder / "claim.json"
    claim_sha256 = hashlib.sha256(published.read_bytes()).hexdigest() if published.is_file() else None
    fragments = Fragments.of(case, release, claim, checks, claim_sha256=claim_sha256)
    write_text_file(folder / "internal" / _FRAGMENTS, fragments.to_json())
    return _write(case, fragments, folder)


def assemble(case: Case, folder: Path) -> tuple[Path, ...]:
    """Make the documents of a case anew, from its fragments: after signing, or after another review date was set.

    Each file is replaced whole. A PDF that cannot be made anew is removed, since it would tell an earlier state.

    Parameters
    ----------
    folder
        Where ``write_documents`` or ``write_refusal`` wrote.

    Returns
    -------
    tuple of Path
        The documents. Where no typesetter is installed no PDF is among them.

    Raises
    ------
    FormatError
        The fragments cannot be read.
    InputError
        A file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from dataclasses import replace
    >>> from celosia.apps.dossier.case import STEPS, Step
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> steps = tuple(Step(name, "ready") for name in STEPS)
    >>> situation = Situation([PublicRelease()], harm="low")
    >>> case = Case("ages", "Uni", "", True, (), situation, "data", 0.5, steps, outcome="not feasible")
    >>> folder = Path(tempfile.mkdtemp())
    >>> len(write_refusal(case, folder)) == len(assemble(replace(case, title="Ages"), folder))
    True
    """
    from celosia.apps.dossier.fragments import Fragments

    kept = folder / "internal" / _FRAGMENTS
    if case.outcome == "not feasible" and not kept.exists():
        return write_refusal(case, folder)
    return _write(case, Fragments.read(kept), folder)


def write_refusal(case: Case, folder: Path) -> tuple[Path, ...]:
    """Write the internal dossier of a project that ended without a release; nothing of it may be published.

    Parameters
    ----------
    folder
        Where to make ``internal/``.

    Returns
    -------
    tuple of Path
        The documents. Where no typesetter is installed no PDF is among them.

    Raises
    ------
    InputError
        The folder holds a release, whose dossier is not replaced; or a file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from celosia.apps.dossier.case import STEPS, Step
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> steps = tuple(Step(name, "ready") for name in STEPS)
    >>> situation = Situation([PublicRelease()], harm="low")
    >>> case = Case("ages", "Uni", "", True, (), situation, "data", 0.5, steps, outcome="not feasible")
    >>> sorted(path.name for path in write_refusal(case, Path(tempfile.mkdtemp())))[0]
    'dossier.en.html'
    """
    if (folder / "internal" / _FRAGMENTS).exists() or (folder / "internal" / "record.json").exists():
        raise InputError(
            f"the folder {folder.name} holds a release; its dossier is not replaced by that of a refusal.",
            hint="choose another folder, or move the release away.",
        )
    _make_private(folder / "internal")
    return _write(case, None, folder)


def _write(case: Case, fragments: Fragments | None, folder: Path) -> tuple[Path, ...]:
    from celosia.apps.dossier.page import render_dossier
    from celosia.apps.dossier.statement import render_statement
    from celosia.report.language import LANGUAGES

    pages: dict[Path, str] = {}
    for lang in LANGUAGES:
        pages[folder / "internal" / f"dossier.{lang}"] = render_dossier(case, fragments, lang)
        if fragments is not None:
            content = fragments.languages[lang]["statement"]
            pages[folder / f"statement.{lang}"] = render_statement(case, content, fragments.made, lang)
    return _put(pages)


def _put(pages: Mapping[Path, str]) -> tuple[Path, ...]:
    """Write pages as HTML and, where a typesetter is installed, as PDF: all are made before any is written."""
    from celosia.report.pdf import pdfs_of

    contents: dict[Path, bytes | None] = {_named(stem, "html"): page.encode() for stem, page in pages.items()}
    stems = [_named(stem, "pdf") for stem in pages]
    is_set = find_spec("typst") is not None
    contents |= dict(zip(stems, pdfs_of(list(pages.values())) if is_set else [None] * len(stems), strict=True))
    for path, content in contents.items():
        if content is None:
            path.unlink(missing_ok=True)
        else:
            _replace(path, content, private=path.parent.name == "internal")
    return tuple(path for path, content in contents.items() if content is not None)


def _named(stem: Path, suffix: str) -> Path:
    return stem.with_name(f"{stem.name}.{suffix}")


def _replace(path: Path, content: bytes, *, private: bool) -> None:
    with fresh_file(path) as file:
        file.write(content)
    if private:
        path.chmod(0o600)


def _make_private(folder: Path) -> None:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
    else:
        return
    raise InputError(f"cannot make the folder {folder.name}: {reason}.", hint="check the disk and the path.")
