"""What adding identities to a vault gives."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Added:
    """What `Vault.add` gave.

    Attributes
    ----------
    pseudonyms
        One for each identity, in their order.
    n_new, n_known
        How many different identities the vault got, and how many it had.

    Examples
    --------
    >>> Added(["K7Q2", "X3B9"], 2, 0)
    Added(n_new=2, n_known=0)
    """

    pseudonyms: list[str] = field(repr=False)
    n_new: int
    n_known: int
