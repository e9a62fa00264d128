"""Plain values and their digests: what a signature holds on to, however the file spells it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from datetime import date
from typing import Any

from celosia.base.errors import PlanError


def plain(value: object) -> Any:
    """Return a value of a YAML file as mappings, lists, texts, numbers, truth values and nothing else.

    Comments, quotes and the order of keys are gone; dates are texts.

    Raises
    ------
    PlanError
        The value is of another kind, such as a tagged one, or a number that is not finite; or two keys are spelt
        alike, such as 1 and '1'.

    Examples
    --------
    >>> plain({2020: (1, date(2027, 1, 31))})
    {'2020': [1, '2027-01-31']}
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise PlanError("a number of the project is not finite.", hint="write it in digits.")
        return float(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        made = {_key(key): plain(own) for key, own in value.items()}
        if len(made) < len(value):  # one of them would be used, and not be signed
            raise PlanError(
                "a key of the project stands there twice, as a number and as a text.", hint="leave one out."
            )
        return made
    if isinstance(value, list | tuple):
        return [plain(own) for own in value]
    if type(value).__name__ == "ScalarBoolean":  # of ruamel: a truth value that remembers how it was written
        return bool(value)
    raise PlanError("the project holds a value that is no text, number, date, list or mapping.", hint="leave out tags.")


def digest(content: object) -> str:
    """Return the SHA-256 of a value's canonical JSON.

    Examples
    --------
    >>> digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    True
    """
    text = json.dumps(plain(content), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _key(key: object) -> str:
    if isinstance(key, str):
        return str(key)
    if isinstance(key, int) and not isinstance(key, bool):
        return str(int(key))
    raise PlanError("a key of the project is no text.", hint="put it between quotes.")
