"""Everything under another data key: the rotation of a vault's key, and its copy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from celosia.base.errors import VaultError
from celosia.masks.vault.log import remarked, verified
from celosia.masks.vault.sealing import Sealer
from celosia.masks.vault.session import DAY_FORMAT, Session, damaged, pairs_of
from celosia.masks.vault.settings import GROUPS, State, Tally
from celosia.masks.vault.store import Entry, Transaction


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
    gone, tally = session.forgotten(), _all_resealed(session, new, session.rows.replace)
    session.rows.replace_log(remarked(lines, session.state, new))
    session.rows.set_meta(settings)
    session.sealer = new
    session.set_tally(tally)
    session.set_forgotten(gone)
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
    tally = _all_resealed(session, new, rows.insert)
    rows.set_meta(settings)
    state = replace(
        State.new(session.state.limit),
        day=session.moment.strftime(DAY_FORMAT),
        n_lookups=session.n_lookups_today,
        n_given=session.state.n_given,
        scopes=session.state.scopes,
    )
    copied = Session(rows, new, state)
    copied.set_tally(tally)
    copied.set_forgotten(session.forgotten())
    copied.write_down("copy", {"n_identities": n})
    session.write_down("export", {"n_identities": n})
    return n


def _all_resealed(session: Session, new: Sealer, put: Callable[[Sequence[Entry]], None]) -> Tally:
    """Put all entries of a vault, under another data key, somewhere, and return their tally.

    What is sealed anew is trusted ever after: therefore it must be exactly what was given, with nobody taken away, put
    back or made forgotten. Tokens are made of the identities, so that damaged ones are mended.

    Raises
    ------
    VaultError
        Something else is there.
    """
    before, after, empty = Tally(), Tally(), set()
    for batch in session.rows.entries():
        forgotten = [entry for entry in batch if entry.sealed is None and entry.token is None]
        empty |= {entry.pseudonym for entry in forgotten}
        entries = forgotten
        for scope, people in _opened(batch, session.sealer).items():
            names, identities = list(people), list(people.values())
            before = before.toggled(session.sealer, zip(session.sealer.tokens(scope, identities), names, strict=True))
            entries += new.entries(scope, names, identities, new.tokens(scope, identities))
        put(entries)
        after = after.toggled(new, pairs_of(entries))
    if empty != session.forgotten() or before.differs(session.tally(), range(GROUPS)):
        raise VaultError(
            "records were removed, changed or put back without the key; nothing was changed.",
            hint="restore the vault from a copy, and ask who had access.",
        )
    return after


def _opened(batch: Sequence[Entry], sealer: Sealer) -> dict[str, dict[str, str]]:
    """Return pseudonyms and identities of each scope, without those that are forgotten.

    Raises
    ------
    VaultError
        Some are damaged.
    """
    kept = [entry for entry in batch if entry.sealed is not None or entry.token is not None]
    by_scope: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for entry, identity in zip(kept, sealer.opened(kept), strict=True):
        if identity is not None:
            by_scope[entry.scope][entry.pseudonym] = identity
    n_damaged = len(kept) - sum(map(len, by_scope.values()))
    if n_damaged:
        raise damaged(n_damaged, len(kept))
    return by_scope
