"""Everything under another data key: the rotation of a vault's key, and its copy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from celosia.vault.log import remarked, verified
from celosia.vault.sealing import Sealer
from celosia.vault.session import DAY_FORMAT, Session, damaged, now, pairs_of
from celosia.vault.settings import State
from celosia.vault.store import Entry, Transaction
from celosia.vault.tally import Tally

__all__ = ["copy", "rotate"]


def rotate(session: Session, new: Sealer, settings: Mapping[str, bytes]) -> int:
    """Seal all of a vault anew, and return how many identities.

    Parameters
    ----------
    session
        A writing transaction.
    new, settings
        The new data key, and the settings that wrap it.

    Raises
    ------
    VaultError
        A record or the log is damaged.
    """
    n = sum(n_kept for _, n_kept, _ in session.check_complete())
    lines = session.rows.log()
    verified(lines, session.state, session.sealer)
    tally = Tally()
    for batch in session.rows.entries():
        entries = _resealed(batch, session.sealer, new)
        session.rows.replace(entries)
        tally = tally.toggled(new, pairs_of(entries))
    session.rows.replace_log(remarked(lines, session.state, new))
    session.rows.set_meta(settings)
    session.sealer = new
    session.set_tally(tally)
    session.write_down("rotate", {"n_identities": n})
    return n


def copy(session: Session, rows: Transaction, new: Sealer, settings: Mapping[str, bytes]) -> int:
    """Copy a vault into the first transaction of a new one, and return how many identities.

    The copy has a log of its own; the look-ups of this day count on.

    Parameters
    ----------
    session
        A writing transaction of the vault.
    rows
        The first transaction of the copy.
    new, settings
        The data key of the copy, and the settings that wrap it.

    Raises
    ------
    VaultError
        A record is damaged.
    """
    n = sum(n_kept for _, n_kept, _ in session.check_complete())
    tally = Tally()
    for batch in session.rows.entries():
        entries = _resealed(batch, session.sealer, new)
        rows.insert(entries)
        tally = tally.toggled(new, pairs_of(entries))
    rows.set_meta(settings)
    state = replace(
        State.new(session.state.limit),
        day=now().strftime(DAY_FORMAT),
        n_lookups=session.n_lookups_today,
        n_given=session.state.n_given,
        n_forgotten=session.state.n_forgotten,
    )
    copied = Session(rows, new, state)
    copied.set_tally(tally)
    copied.write_down("copy", {"n_identities": n})
    session.write_down("export", {"n_identities": n})
    return n


def _resealed(batch: Sequence[Entry], old: Sealer, new: Sealer) -> list[Entry]:
    """Return entries under another data key; forgotten ones stay as they are."""
    forgotten = [entry for entry in batch if entry.sealed is None and entry.token is None]
    kept = [entry for entry in batch if entry.sealed is not None or entry.token is not None]
    by_scope: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for entry, identity in zip(kept, old.opened(kept), strict=True):
        if identity is not None:
            by_scope[entry.scope][entry.pseudonym] = identity
    n_damaged = len(kept) - sum(map(len, by_scope.values()))
    if n_damaged:
        raise damaged(n_damaged, len(kept))
    resealed = forgotten
    for scope, people in by_scope.items():
        identities = list(people.values())
        resealed += new.entries(scope, list(people), identities, new.tokens(scope, identities))
    return resealed
