"""Rules for text values that every text hierarchy shares: the reserved mark, separators, unknown values."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence

from celosia.base.errors import HierarchyError, OptionError
from celosia.data.hierarchies.domains import ANYTHING
from celosia.data.hierarchies.options import OnMissing

SEPARATORS = (" / ", " | ", " ; ", " + ", " // ", " || ")
"""What may stand between the values of a published set, in order of preference."""


def refuse_reserved(values: Iterable[str], owner: str) -> None:
    """Raise ``HierarchyError`` if a value is ``*``, which means 'anything' in every release.

    Parameters
    ----------
    values
        The values to look through.
    owner
        Whose values they are, for the message.

    Examples
    --------
    >>> refuse_reserved(["a", "b"], "column 'job'")
    """
    if any(value == ANYTHING for value in values):
        raise HierarchyError(
            f"{owner} holds the value '{ANYTHING}', which is reserved for 'anything'.",
            hint="declare it as missing in the schema.",
        )


def choose_separator(values: Sequence[str], owner: str) -> str:
    """Return the first separator that parts any set of these values without doubt.

    A separator is fit if it occurs in no value, nor where a value meets a separator (``a /`` beside `` / ``).

    Parameters
    ----------
    values
        All values that may stand in a set.
    owner
        Whose values they are, for the message.

    Raises
    ------
    HierarchyError
        If every separator occurs in some value.

    Examples
    --------
    >>> choose_separator(["Ana", "Luis"], "column 'name'"), choose_separator(["on / off"], "column 'switch'")
    (' / ', ' | ')
    """
    for separator in SEPARATORS:
        if not any(separator in separator[1:] + value + separator[:-1] for value in values):
            return separator
    raise HierarchyError(
        f"no separator is left for sets of values: each of the {len(SEPARATORS)} occurs in some value of {owner}.",
        hint="use a tree, whose labels you choose, or rename the values.",
    )


def keep_known(
    values: Sequence[str], known: Collection[str], column: str, source: str, on_missing: OnMissing
) -> set[str]:
    """Return the values that the hierarchy knows; the others are refused, or left out with ``suppress``.

    Raises
    ------
    HierarchyError
        With the number of unknown values, unless ``on_missing`` is ``suppress``.

    Examples
    --------
    >>> keep_known(["a", "z"], {"a", "b"}, "job", "job.csv", "suppress")
    {'a'}
    """
    kept = {value for value in values if value in known}
    n_unknown = len(values) - len(kept)
    if n_unknown and on_missing == "error":
        what = "1 distinct value" if n_unknown == 1 else f"{n_unknown} distinct values"
        raise HierarchyError(
            f"{what} of {column!r} {'is' if n_unknown == 1 else 'are'} missing from {source}.",
            hint="extend it, or set on_missing: suppress. Values are withheld.",
        )
    return kept


def clean_label(label: object, option: str) -> str:
    """Return a label of a plan or file as the text that it is compared by: trimmed and in Unicode's NFC.

    Whole numbers are accepted, because YAML turns ``[1, 2]`` into them.

    Raises
    ------
    OptionError
        If the label is neither text nor a whole number.

    Examples
    --------
    >>> clean_label(" pass ", "order: values"), clean_label(3, "order: values")
    ('pass', '3')
    """
    if isinstance(label, int) and not isinstance(label, bool):
        return str(label)
    if not isinstance(label, str):
        raise OptionError(
            f"{option} holds an entry of type {type(label).__name__}; it must be text.", hint="put it in quotes."
        )
    label = label.strip()
    return label if label.isascii() else unicodedata.normalize("NFC", label)
