"""The identity store behind reversible pseudonyms."""

from celosia.masks.vault.codes import CodeList, Codes, CodeSpace
from celosia.masks.vault.key_file import new_key_file
from celosia.masks.vault.log import LogLine, VaultLog
from celosia.masks.vault.vault import Added, Vault

__all__ = ["Added", "CodeList", "CodeSpace", "Codes", "LogLine", "Vault", "VaultLog", "new_key_file"]
