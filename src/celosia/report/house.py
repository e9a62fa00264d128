"""The frame of every page for the house: its base template, and the templates' environment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from celosia.base.version import __version__
from celosia.report.charts import lattice
from celosia.report.language import Language

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = Path(__file__).parent / "templates"


def environment(language: Language, *folders: Path) -> Environment:
    """Return the environment of templates that speak one language; those of other folders may extend ``house.html``.

    Examples
    --------
    >>> environment(Language("es")).from_string("{{ _('Contents') }}").render()
    'Contenido'
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # here: most runs make no page

    room = Environment(
        loader=FileSystemLoader([*folders, _TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    room.globals.update(_=language.text, lang=language.code, version=__version__, lattice=lattice())
    return room
