"""The frame of every page: the environment of templates that speak one language, and what pours into them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.base.version import __version__
from celosia.report.charts import lattice
from celosia.report.language import Language

if TYPE_CHECKING:
    from jinja2 import Environment

DASH = "–"
"""What stands for a figure that there is not."""


def poured(template: str, language: Language, /, **content: Any) -> str:
    """Return a template of ``templates/`` with its content poured in, in one language.

    Examples
    --------
    >>> poured("steps.html", Language("en"), steps=[("Read", ["a < b"])]).splitlines()[2]
    '<tr><th scope="row">Read</th><td><p>a &lt; b</p></td></tr>'
    """
    return environment(language).get_template(template).render(content)


def environment(language: Language) -> Environment:
    """Return the environment of templates that speak one language; pages extend its ``house.html``.

    Its filters ``whole`` and ``percent`` spell figures in that language, and what is missing as a dash or as is said;
    ``share`` says that it is undefined.

    Examples
    --------
    >>> environment(Language("es")).from_string("{{ _('Contents') }}").render()
    'Contenido'
    """
    return _environment(language.code)


@lru_cache
def _environment(code: str) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # here: most runs make no page

    room = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    language = Language(code)
    room.filters.update(
        whole=lambda count, missing=DASH: missing if count is None else language.whole(count),
        percent=lambda share, missing=DASH: missing if share is None else language.percent(float(share)),
        share=language.share,
        decimal=language.decimal,
    )
    room.globals.update(_=language.text, lang=code, version=__version__, lattice=lattice())
    return room
