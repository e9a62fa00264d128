"""The roles a column can have, with the words that the sources use for them."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

from celosia.base.errors import OptionError


class Role(StrEnum):
    """What a column is to an attacker.

    Examples
    --------
    >>> Role.parse("Cuasi-identificadores"), Role.parse("direct identifier")
    (<Role.QUASI_IDENTIFIER: 'quasi_identifier'>, <Role.IDENTIFIER: 'identifier'>)
    """

    IDENTIFIER = "identifier"
    QUASI_IDENTIFIER = "quasi_identifier"
    SENSITIVE = "sensitive"
    INSENSITIVE = "insensitive"

    @classmethod
    def parse(cls, text: str) -> Role:
        """Return the role that a Spanish or English word stands for, singular or plural.

        Raises
        ------
        OptionError
            The word is none of the known ones.
        """
        plain = unicodedata.normalize("NFKD", text.strip().lower())
        plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
        words = re.sub(r"[\s_-]+", " ", plain)
        for role, pattern in _WORDS.items():
            if re.fullmatch(pattern, words):
                return role
        raise OptionError(
            f"'{text}' is not a role of a column.",
            hint="roles: identifiers, quasi_identifiers, sensitive, insensitive (or identificadores, "
            "cuasi_identificadores, sensibles, no_sensibles).",
        )


_WORDS = {
    Role.QUASI_IDENTIFIER: r"(quasi|pseudo|indirect) ?identifiers?"
    r"|(cuasi|quasi|pseudo|seudo) ?identifica(dor|dores|tivo|tivos)|identificador(es)? indirectos?",
    Role.IDENTIFIER: r"(direct |key )?identifiers?|key attributes?|atributos? clave"
    r"|identificador(es)?( directos?)?|identificativos?",
    Role.SENSITIVE: r"(sensitive|confidential)( attributes?)?|(atributos? )?(sensibles?|confidencial(es)?)",
    Role.INSENSITIVE: r"(insensitive|non ?sensitive|non ?identifi(er|ers|ying)|other)( attributes?)?"
    r"|no (sensibles?|identificador(es)?)|insensibles?|otros?",
}
