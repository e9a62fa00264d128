"""One transaction of a vault that was opened: its rows, its data key and its sealed state."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from operator import ne
from typing import Any
from unicodedata import normalize

from celosia.base.chance import Randomness
from celosia.base.errors import VaultError
from celosia.masks.vault.codes import Codes, Taken
from celosia.masks.vault.identities import is_storable
from celosia.masks.vault.log import TIME_FORMAT, next_line
from celosia.masks.vault.sealing import Sealer
from celosia.masks.vault.settings import GROUPS, State, Tally, is_token, opened_marked, sealed_marked
from celosia.masks.vault.store import Entry, Transaction

DAY_FORMAT = "%Y-%m-%d"
"""How a UTC day is written."""

_BACK = timedelta(minutes=5)
"""A clock may go back by so much, as clocks that are set right do."""

_RARE_BITS = 30
"""Codes that meet an earlier one with less than one chance in 2 to the power of this need not be compared with all."""


@dataclass
class Session:
    """What can be done within one transaction.

    Attributes
    ----------
    rows
        The transaction.
    sealer
        What the data key does.
    state
        The sealed state; `write_down` puts it back.
    moment
        When it began (UTC): one time for all that is done, so that no midnight falls between counting and writing.
    """

    rows: Transaction
    sealer: Sealer
    state: State
    moment: datetime = field(default_factory=lambda: now())

    def write_down(self, action: str, counts: Mapping[str, int], scope: str | None = None) -> None:
        """Add a line to the log, and put back the state."""
        row, self.state = next_line(self.state, self.sealer, self.moment, action, counts, scope)
        self.rows.append_log(row)
        self.rows.set_meta(self.state.sealed(self.sealer))

    @property
    def n_lookups_today(self) -> int:
        """How many look-ups there were on this UTC day."""
        return self.state.n_lookups if self._today() == self.state.day else 0

    def known(self, tokens: Mapping[str, bytes]) -> dict[str, Entry]:
        """Return the entries of the identities that the vault has, each opened and compared; by identity and token.

        Raises
        ------
        VaultError
            Some are damaged: their pseudonyms might be somebody else's. Or some may not be found because they were
            taken away.
        """
        entries = self.rows.by_tokens(list(tokens.values()))
        found = {identity: entries[token] for identity, token in tokens.items() if token in entries}
        n_damaged = sum(map(ne, self.sealer.opened(found.values()), found))
        gone = self.forgotten()
        n_damaged += sum(entry.pseudonym in gone for entry in found.values()) if gone else 0  # put back from a copy
        if n_damaged:
            raise damaged(n_damaged, len(found))
        self._check_groups({token[0] for token in tokens.values() if token not in entries})
        return found

    def pseudonyms(
        self, scope: str, identities: Sequence[str], codes: Codes, reserved: Collection[str]
    ) -> tuple[dict[str, str], int]:
        """Return the pseudonym of each of some different identities, and how many of them are new.

        Raises
        ------
        InputError
            Not enough codes are left.
        """
        tokens = self._tokens(scope, identities)
        given = {identity: entry.pseudonym for identity, entry in self.known(tokens).items()}
        new = [identity for identity in identities if identity not in given] if given else identities
        if not new:
            return given, 0
        self.check_complete()  # a record that was taken away would come back under a second pseudonym
        drawn = codes.draw(len(new), self._taken(scope, identities, codes, len(new), reserved), Randomness())
        new_tokens = [tokens[identity] for identity in new] if given else list(tokens.values())
        entries = self.sealer.entries(scope, drawn, new, new_tokens)
        self.rows.insert(entries)
        self.set_tally(self.tally().toggled(self.sealer, pairs_of(entries)))
        scopes = tuple(sorted({*self.state.scopes, scope}))
        self.state = replace(self.state, n_given=self.state.n_given + len(new), scopes=scopes)
        return given | dict(zip(new, drawn, strict=True)), len(new)

    def _taken(
        self, scope: str, identities: Sequence[str], codes: Codes, n_new: int, reserved: Collection[str]
    ) -> Taken:
        """Return which codes may not be given: all that ever were, those reserved, and true values.

        Where codes are few, one might meet a pseudonym whose row was changed or a person of an earlier call: then all
        that was given must still be there, and the codes are looked up as identities, too.
        """
        apart = {*reserved, *identities}
        apart |= {normalize("NFC", one) for one in apart if not one.isascii()}  # as codes are written
        apart |= self.forgotten()
        n_met = n_new * self.state.n_given
        is_few = n_met << _RARE_BITS > codes.size
        if is_few:
            self.check_all_there()

        def taken(asked: Sequence[str]) -> set[str]:
            found = self.rows.taken(asked) | apart.intersection(asked)
            if is_few:
                tokens = self._tokens(scope, asked)
                known = self.rows.by_tokens(list(tokens.values()))
                found |= {code for code, token in tokens.items() if token in known}
            return found

        return taken

    def looked_up(self, pseudonyms: Sequence[str]) -> dict[str, Entry] | VaultError:
        """Count and write down look-ups, and return what was found, or why they are refused."""
        n_asked = len(pseudonyms)
        refusal = self._refusal(n_asked)
        if refusal is not None:
            self.write_down("refused", {"n_asked": n_asked})
            return refusal
        entries = self.rows.by_pseudonyms([one for one in pseudonyms if is_storable(one)])
        gone = self.forgotten()
        if any(one not in entries and one not in gone for one in pseudonyms):
            self.check_all_there()  # nothing is called unknown because somebody took it away
        found = {name: entry for name, entry in entries.items() if name not in gone}
        self.state = replace(self.state, day=self._today(), n_lookups=self.n_lookups_today + n_asked)
        self.write_down("lookup", {"n_asked": n_asked, "n_found": len(found)})
        return found

    def forget(self, pseudonyms: Sequence[str], identities: Sequence[str], scope: str | None) -> int:
        """Forget some identities, named by pseudonyms or by themselves, and write down and return how many.

        Raises
        ------
        VaultError
            A record found by its identity is damaged.
        """
        gone = self.forgotten()
        found = self.rows.by_pseudonyms([one for one in pseudonyms if is_storable(one)])
        if any(one not in found and one not in gone for one in pseudonyms):
            self.check_all_there()
        for one in [scope] if scope is not None else self.state.scopes:
            found |= {entry.pseudonym: entry for entry in self.known(self._tokens(one, identities)).values()}
        known = [entry for name, entry in found.items() if name not in gone]
        self.set_tally(self.tally().toggled(self.sealer, self._true_pairs(known)))
        # What was put back from an old copy is emptied again.
        self._empty([entry for entry in found.values() if entry.sealed is not None or entry.token is not None])
        self.set_forgotten(gone.union(entry.pseudonym for entry in known))
        n = len(known)
        self.write_down("forget", {"n_asked": len(pseudonyms) + len(identities), "n_forgotten": n}, scope)
        return n

    def _empty(self, entries: Sequence[Entry]) -> None:
        """Take the identities off some entries, and see that they are gone."""
        self.rows.replace([Entry(entry.pseudonym, entry.scope, None, None) for entry in entries])
        after = self.rows.by_pseudonyms([entry.pseudonym for entry in entries]).values()
        if len(after) != len(entries) or any(entry.sealed is not None or entry.token is not None for entry in after):
            raise VaultError(
                "the store did not forget what it was told to; nothing was changed.", hint="restore it from a copy."
            )

    def _tokens(self, scope: str, identities: Sequence[str]) -> dict[str, bytes]:
        return dict(zip(identities, self.sealer.tokens(scope, identities), strict=True))

    def set_tally(self, tally: Tally) -> None:
        """Put another tally in its place; `write_down` puts back its mark."""
        setting, mark = sealed_marked("tally", tally.to_bytes(), self.sealer)
        self.rows.set_meta(setting)
        self.state = replace(self.state, tally=mark)

    def tally(self) -> Tally:
        """Return the tally of all tokens."""
        if not self.state.tally:
            return Tally()
        return Tally.of_bytes(opened_marked("tally", self.rows.meta(), self.state.tally, self.sealer))

    def set_forgotten(self, names: Collection[str]) -> None:
        """Say which pseudonyms were forgotten; `write_down` puts back the mark of the list.

        A forgotten row has neither token nor identity, which everybody who can write there could undo with an old row,
        or do to another. Therefore the settings hold the pseudonyms in order, with a zero byte between them, sealed.
        """
        if names:
            setting, mark = sealed_marked("forgotten", "\0".join(sorted(names)).encode(), self.sealer)
            self.rows.set_meta(setting)
            self.state = replace(self.state, forgotten=mark, n_forgotten=len(names))

    def forgotten(self) -> frozenset[str]:
        """Return the pseudonyms that were forgotten, whatever their rows say."""
        if not self.state.forgotten:
            return frozenset()
        plain = opened_marked("forgotten", self.rows.meta(), self.state.forgotten, self.sealer)
        return frozenset(plain.decode().split("\0"))

    def check_all_there(self) -> None:
        """Raise unless every pseudonym ever given is there, each with its token or forgotten.

        Raises
        ------
        VaultError
            Some were removed or changed.
        """
        self.check_complete()
        self._check_groups(range(GROUPS))

    def _check_groups(self, groups: Collection[int]) -> None:
        """Raise unless all that was ever put into these groups of tokens is still there."""
        found = Tally()
        for pairs in self.rows.tokens(groups):
            found = found.toggled(self.sealer, pairs)
        if groups and found.differs(self.tally(), groups):
            raise VaultError(
                "records were removed or changed without the key: who is new cannot be told from who was taken away; "
                "nothing was handed out or changed.",
                hint="restore the vault from a copy; if none is missing, a rotation of the key mends it.",
            )

    def _true_pairs(self, entries: Sequence[Entry]) -> list[tuple[bytes, str]]:
        """Return token and pseudonym of some entries as the tally has them, also if a token was changed since.

        Raises
        ------
        VaultError
            Of some neither is known.
        """
        opened = dict(zip(entries, self.sealer.opened(entries), strict=True))
        n_lost = sum(one is None and not is_token(entry.token) for entry, one in opened.items())
        if n_lost:
            raise damaged(n_lost, len(entries))
        pairs = pairs_of(entry for entry, identity in opened.items() if identity is None)
        self._check_groups({token[0] for token, _ in pairs})
        for scope in {entry.scope for entry, identity in opened.items() if identity is not None}:
            people = {entry.pseudonym: one for entry, one in opened.items() if one is not None and entry.scope == scope}
            pairs += zip(self.sealer.tokens(scope, list(people.values())), people, strict=True)
        return pairs

    def check_complete(self) -> list[tuple[str, int, int]]:
        """Return the counts of the scopes, if no record was taken away, added or made forgotten.

        Raises
        ------
        VaultError
            There are others than were written.
        """
        counts = self.rows.counts()
        n_kept = sum(n for _, n, _ in counts)
        n_forgotten = sum(n for _, _, n in counts)
        if (n_kept + n_forgotten, n_forgotten) != (self.state.n_given, self.state.n_forgotten):
            raise VaultError(
                f"records were removed or added without the key: {self.state.n_given} pseudonyms were given and "
                f"{self.state.n_forgotten} forgotten, {n_kept + n_forgotten} and {n_forgotten} are there.",
                hint="compare the vault with a copy, and ask who had access.",
            )
        return counts

    def summary(self) -> dict[str, Any]:
        """Return how many identities there are and were forgotten, in all and per scope, the limit and its use today.

        Raises
        ------
        VaultError
            Records were removed or added without the key.
        """
        scopes = {
            scope: {"n_identities": n_kept, "n_forgotten": n_forgotten}
            for scope, n_kept, n_forgotten in self.check_complete()
        }
        return {
            "n_identities": self.state.n_given - self.state.n_forgotten,
            "n_forgotten": self.state.n_forgotten,
            "scopes": scopes,
            "limit": self.state.limit,
            "n_lookups_today": self.n_lookups_today,
        }

    def _refusal(self, n: int) -> VaultError | None:
        """Return why so many look-ups are refused, or ``None``."""
        if (self.moment + _BACK).strftime(TIME_FORMAT) < self.state.latest:
            return VaultError(
                "the look-up was refused and written down: this machine's clock stands more than 5 minutes before the "
                "last line of the log, so that the look-ups of a day cannot be counted.",
                hint="set the clock right; if it was wrong before, export the vault: the copy has a log of its own.",
            )
        if self.n_lookups_today + n > self.state.limit:
            return VaultError(
                f"the look-up was refused and written down: {n} asked for, {self.n_lookups_today} made today, and the "
                f"limit is {self.state.limit} a day.",
                hint="wait until 0:00 UTC, or ask who answers for the vault to set another limit.",
                about="limit",
            )
        return None

    def _today(self) -> str:
        """Return the UTC day; a clock that went back a little over midnight does not bring yesterday's count back."""
        return max(self.moment.strftime(DAY_FORMAT), self.state.day)


def pairs_of(entries: Iterable[Entry]) -> list[tuple[bytes, str]]:
    """Return token and pseudonym of the entries that have one.

    Examples
    --------
    >>> pairs_of([Entry("K7Q2", "s", b"t", b""), Entry("X3B9", "s", None, None)])
    [(b't', 'K7Q2')]
    """
    return [(entry.token, entry.pseudonym) for entry in entries if entry.token]


def damaged(n: int, n_read: int) -> VaultError:
    """Return the error that says how many records do not open.

    Examples
    --------
    >>> print(damaged(1, 20).message)
    1 of 20 records read are damaged or were changed without the key; nothing was handed out or changed.
    """
    return VaultError(
        f"{n} of {n_read} records read are damaged or were changed without the key; nothing was handed out or changed.",
        hint="restore the vault from a copy; the other records can still be read, each asked for alone.",
    )


def now() -> datetime:
    """Return the time (UTC)."""
    return datetime.now(UTC)
