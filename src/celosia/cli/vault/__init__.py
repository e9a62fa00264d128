"""``celosia vault``: the store of identities behind reversible pseudonyms, one file per command."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from celosia.cli.vault.add import add
from celosia.cli.vault.export import export
from celosia.cli.vault.forget import forget
from celosia.cli.vault.init import init
from celosia.cli.vault.key import key
from celosia.cli.vault.limit import limit
from celosia.cli.vault.log import log
from celosia.cli.vault.lookup import lookup
from celosia.cli.vault.rotate import rotate
from celosia.cli.vault.status import status

__all__ = ["COMMANDS"]

COMMANDS: Mapping[str, Callable[..., None]] = {
    "key": key,
    "init": init,
    "add": add,
    "lookup": lookup,
    "forget": forget,
    "rotate": rotate,
    "limit": limit,
    "log": log,
    "export": export,
    "status": status,
}
"""The commands by their names, in the order of ``--help``."""
