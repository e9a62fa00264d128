"""Names of people, by frequent Spanish and English names."""

from __future__ import annotations

import re
from functools import cache

from celosia.data.schema.detectors.base import Clue, Look, percent
from celosia.data.schema.detectors.headers import plain_text

# Names that are also a day, a month, a colour, a town, a country or a faith are left out.
_NAMES = """
    antonio manuel jose francisco david juan javier daniel jesus carlos alejandro miguel rafael pedro pablo angel sergio
    fernando jorge luis alberto alvaro adrian diego raul ivan ruben enrique oscar ramon vicente andres joaquin eduardo
    hugo mario martin lucas marcos victor roberto jaime ignacio salvador ricardo emilio julio julian tomas gabriel
    agustin guillermo gonzalo felix nicolas alfonso ismael cristian samuel mateo leo alfredo gregorio sebastian hector
    esteban ernesto rodrigo gustavo federico leonardo mauricio arturo cesar xavier jordi marc josep joan pau iker unai
    mikel jon ander xabier ainhoa nerea itziar maria carmen ana isabel laura cristina marta lucia josefa elena dolores
    paula raquel pilar sara manuela concepcion teresa antonia francisca beatriz silvia patricia juana encarnacion julia
    andrea nuria sandra angela rocio sonia alba irene susana marina monica yolanda montserrat inmaculada margarita
    natalia veronica lorena alicia claudia amparo consuelo esther noelia carla sofia gloria emilia eva miriam ines
    daniela catalina fatima luisa rosario martina valentina gabriela fernanda alejandra adriana diana ximena lidia
    celia aitana olga aurora leire noa vega jimena
    james robert john michael william richard joseph thomas charles christopher matthew anthony donald steven paul
    andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob nicholas eric jonathan
    stephen larry justin scott brandon benjamin frank raymond alexander patrick jack dennis jerry tyler aaron peter
    adam nathan henry zachary douglas kyle noah ethan jeremy walter keith terry roger gerald harold sean carl arthur
    lawrence dylan jesse bryan joe billy bruce ralph roy louis philip harry oliver liam
    mary jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty ashley emily kimberly margaret
    donna michelle carol amanda melissa deborah stephanie rebecca sharon cynthia kathleen amy anna shirley brenda
    pamela emma nicole helen samantha katherine christine debra rachel carolyn janet catherine heather diane ruth julie
    olivia joyce virginia kelly lauren christina joan evelyn judith megan hannah jacqueline martha cheryl jean alice
    jane jana kate lucy
    mohamed ahmed fatima ali omar youssef amina hassan ibrahim khadija giovanni giuseppe francesca pierre marie hans
    garcia gonzalez rodriguez fernandez lopez martinez sanchez perez gomez jimenez ruiz hernandez diaz alvarez moreno
    munoz alonso gutierrez dominguez vazquez ramirez serrano ortega delgado morales suarez ortiz
    castro garrido iglesias nunez medina cortes castillo guerrero lozano prieto mendez calvo vidal herrera marquez
    pena cabrera fuentes caballero nieto aguilar herrero gimenez saez cano mora
    smith johnson williams davis miller wilson anderson taylor moore harris thompson robinson walker wright nguyen
    roberts phillips evans edwards collins stewart morris murphy cooper bailey doe roe
    klaus anja joao wei chen ming olga ivan dmitri svetlana
"""
_NAME_FORM = re.compile(r"[^\W\d_]+\.?([ '\-]+[^\W\d_]+\.?|, ?[^\W\d_]+\.?){0,5}")
_LEAST_SHARE = 0.3
_PLACES = re.compile(
    r"(san|santa|santo|sant|saint|st|villa|villanueva|puerto|port|ciudad|fort|monte|mount|calle|plaza|avenida|paseo) "
)
"""Towns and streets that are named after people begin so."""
_HOUSES = re.compile(
    r"\b(airport|academia|academy|ceip|centre|centro|cifp|clinic|clinica|colegio|college|escola|"
    r"escuela|facultad|faculty|foundation|fundacion|hospital|ies|institute|instituto|library|"
    r"biblioteca|museo|museum|residencia|school|sociedad|universidad|universitat|university)\b"
)
"""Houses that are named after people have one of these in their names."""


def find_person_names(look: Look, least: float = _LEAST_SHARE) -> Clue | None:
    """Return why the cells of a column look like names of people, or ``None``.

    A cell counts when it has the form of a name and one of its words is a frequent given name or surname. Lists of
    names never are complete, so that a share of 30 % of the cells decides.

    Parameters
    ----------
    look
        The column.
    least
        The share of cells from which on it decides; less where the header speaks of people already.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema.detectors.base import look_at
    >>> find_person_names(look_at(pl.Series("x", ["Pérez Gil, Ana", "Luis Mora", "Zoltan Nagy"]))).reason
    '66.7 % of cells hold a frequent name of people'
    >>> find_person_names(look_at(pl.Series("x", ["red", "green"]))) is None
    True
    """
    if not look.is_text:
        return None
    share = look.share_where(_holds_name)
    if share < least:
        return None
    return Clue(f"{percent(share)} of cells hold a frequent name of people")


def _holds_name(text: str) -> bool:
    if len(text) > 60 or not _NAME_FORM.fullmatch(text):
        return False
    plain = plain_text(text)
    words = re.split(r"[ ,.']+", plain)
    is_place = "," not in text and (_PLACES.match(plain) or _HOUSES.search(plain))
    return not is_place and not _names().isdisjoint(words)


@cache
def _names() -> frozenset[str]:
    return frozenset(_NAMES.split())
