"""The identity store behind reversible pseudonyms."""

from celosia.vault.added import Added
from celosia.vault.codes import CodeList, Codes, CodeSpace
from celosia.vault.key_file import new_key_file
from celosia.vault.log import LogLine, VaultLog
from celosia.vault.vault import Vault

__all__ = ["Added", "CodeList", "CodeSpace", "Codes", "LogLine", "Vault", "VaultLog", "new_key_file"]
