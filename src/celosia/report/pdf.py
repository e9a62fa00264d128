"""PDF: a page of ours, written once as HTML, set on paper.

The page is read into a tree and handed to one template of the type-setter (``typst/page.typ``) as data, so that no text
in it can be taken for code. Fonts are those that come with the type-setter: the same page gives the same file anywhere.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from celosia.base.errors import InputError
from celosia.report.pdf_nodes import nodes_of

_TEMPLATE = Path(__file__).parent / "typst" / "page.typ"
_OF_THREAD = threading.local()


def check_pdf() -> None:
    """Raise unless PDF can be made here.

    Raises
    ------
    InputError
        The type-setter is not installed.

    Examples
    --------
    >>> check_pdf()
    """
    if find_spec("typst") is None:
        raise InputError("PDF needs the package typst, which is not installed.", hint='pip install "celosia[pdf]"')


def pdf_of(page: str) -> bytes:
    """Return a page as a PDF file.

    Parameters
    ----------
    page
        HTML as the templates of Celosía write it. ``<meta name="celosia-page" content="a5">`` asks for smaller paper.

    Raises
    ------
    InputError
        The type-setter is not installed, or the page is not well-formed.

    Examples
    --------
    >>> pdf_of('<html lang="en"><head><title>A card</title></head><body><h1>Hello</h1></body></html>')[:5]
    b'%PDF-'
    """
    return pdfs_of([page])[0]


def pdfs_of(pages: Sequence[str]) -> list[bytes]:
    """Return a PDF file for each page; many small pages are quicker together than one by one.

    Raises
    ------
    InputError
        The type-setter is not installed, or a page is not well-formed.

    Examples
    --------
    >>> [file[:5] for file in pdfs_of(["<body><p>one</p></body>", "<body><p>two</p></body>"])]
    [b'%PDF-', b'%PDF-']
    """
    check_pdf()
    n_workers = max(1, min(len(pages), os.cpu_count() or 1))
    with ThreadPoolExecutor(n_workers) as workers:
        return list(workers.map(_set, pages))


def _set(page: str) -> bytes:
    """Set a page with the compiler of this thread, which keeps what pages share."""
    nodes = nodes_of(page)
    # Archives (PDF/A) want a date; people who have pages read out to them (PDF/UA) do not.
    standards = ["ua-1"] if nodes["date"] is None else ["ua-1", "a-2a"]
    given = {"page": json.dumps(nodes, ensure_ascii=False)}
    if not hasattr(_OF_THREAD, "compiler"):
        _OF_THREAD.compiler = _compiler()
    try:
        return bytes(_OF_THREAD.compiler.compile(format="pdf", sys_inputs=given, pdf_standards=standards))
    except RuntimeError:
        return _set_with_rare_signs(given, standards)


def _set_with_rare_signs(given: dict[str, str], standards: list[str]) -> bytes:
    """Set a page that has signs which the type-setter's fonts lack: with those of this machine, or as empty boxes."""
    compiler = _compiler(of_machine=True)
    try:
        return bytes(compiler.compile(format="pdf", sys_inputs=given, pdf_standards=standards))
    except RuntimeError:
        return bytes(compiler.compile(format="pdf", sys_inputs=given))


def _compiler(*, of_machine: bool = False) -> Any:
    import typst  # here: it is not always installed, and takes its time

    return typst.Compiler(_TEMPLATE, root=_TEMPLATE.parent, ignore_system_fonts=not of_machine)
