"""The text of an expression over columns turned into a tree: an own small grammar, of which nothing is ever run."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NoReturn

from celosia.base.errors import OptionError

_LONGEST = 2_000
_DEEPEST = 30
_GREATEST_WHOLE = 2**63 - 1
_WORDS = {"and", "or", "not", "in"}
_TRUTHS = {"true": True, "True": True, "false": False, "False": False}
_TOKEN = re.compile(
    r"""(?P<blank>\s+)
    |(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.]))
    |(?P<text>"(?:[^"]|"")*"|'(?:[^']|'')*')
    |(?P<quoted>`[^`]+`)
    |(?P<name>[^\W\d]\w*)
    |(?P<sign>\*\*|==|!=|<=|>=|//|[-+*/%<>()\[\],=])""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Constant:
    """A number, a text or a truth value that stands in the expression."""

    value: int | float | str | bool
    position: int


@dataclass(frozen=True)
class Column:
    """A column by its name."""

    name: str
    position: int


@dataclass(frozen=True)
class Chain:
    """Operands joined by + - or by * / // %, worked from the left."""

    first: Node
    rest: tuple[tuple[str, Node], ...]
    position: int


@dataclass(frozen=True)
class Comparison:
    """Operands compared in a row: ``a < b <= c`` is ``a < b and b <= c``."""

    first: Node
    rest: tuple[tuple[str, Node], ...]
    position: int


@dataclass(frozen=True)
class Listed:
    """The list to the right of ``in``."""

    entries: tuple[Node, ...]
    position: int


@dataclass(frozen=True)
class Logic:
    """Conditions joined by one of ``and``, ``or``."""

    word: Literal["and", "or"]
    parts: tuple[Node, ...]
    position: int


@dataclass(frozen=True)
class Negated:
    """The opposite of a condition (``not``) or of a number (``-``)."""

    sign: Literal["not", "-"]
    part: Node
    position: int


@dataclass(frozen=True)
class Call:
    """A function of the language with its arguments and named options."""

    name: str
    arguments: tuple[Node, ...]
    options: tuple[tuple[str, Node], ...]
    position: int


Node = Constant | Column | Chain | Comparison | Listed | Logic | Negated | Call


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    position: int


def parse(text: object, mask: str, option: str) -> Node:
    """Return the tree of an expression.

    Parameters
    ----------
    text
        At most 2000 characters, nested at most 30 deep.
    mask, option
        Whose expression it is, for messages.

    Raises
    ------
    OptionError
        It is no expression of the language; the message gives the position (from 1) and never a constant of the text,
        which may be a value of the data.

    Examples
    --------
    >>> parse("`fecha de alta` == 2", "derive", "expression").first
    Column(name='fecha de alta', position=1)
    """
    if not isinstance(text, str) or not text.strip():
        raise OptionError(
            f"{mask}: {option} must be an expression over columns.", hint='write for example "age >= 18".', about=option
        )
    if len(text) > _LONGEST:
        raise OptionError(
            f"{mask}: {option} has {len(text)} characters; {_LONGEST} are the most.",
            hint="use values for a long list.",
            about=option,
        )
    return _Parser(text, mask, option).whole()


def without_constants(text: str) -> str:
    """Return an expression with ``...`` for its numbers and texts, which may be values of the data.

    Examples
    --------
    >>> without_constants("`town 2` == 'Soria' and age > 70")
    '`town 2` == ... and age > ...'
    """
    return _TOKEN.sub(lambda found: "..." if found.lastgroup in ("number", "text") else found[0], text)


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all below it."""
    yield node
    for part in _parts(node):
        yield from walk(part)


def _parts(node: Node) -> tuple[Node, ...]:
    match node:
        case Chain() | Comparison():
            return (node.first, *(part for _, part in node.rest))
        case Listed():
            return node.entries
        case Logic():
            return node.parts
        case Negated():
            return (node.part,)
        case Call():
            return (*node.arguments, *(part for _, part in node.options))
        case _:
            return ()


class _Parser:
    """Recursive descent; chains of equal rank are flat, so that only brackets, calls and signs nest."""

    def __init__(self, text: str, mask: str, option: str) -> None:
        self.text, self.mask, self.option = text, mask, option
        self.tokens = list(self._tokens())
        self.place = 0
        self.depth = 0

    def refuse(self, position: int, what: str, hint: str | None = None) -> NoReturn:
        raise OptionError(f"{self.mask}: {self.option}, position {position}: {what}", hint=hint, about=self.option)

    def _tokens(self) -> Iterator[_Token]:
        place = 0
        while place < len(self.text):
            found = _TOKEN.match(self.text, place)
            if found is None:
                self._refuse_sign(place)
            kind = str(found.lastgroup)
            if found[0] == "**":
                self.refuse(place + 1, "powers are not allowed.", "multiply instead.")
            if kind != "blank":
                yield _Token(kind, found[0], place + 1)
            place = found.end()
        yield _Token("end", "", len(self.text) + 1)

    def _refuse_sign(self, place: int) -> NoReturn:
        sign = self.text[place]
        if sign in "\"'`":
            self.refuse(place + 1, "a quote opens here and does not close.", "close it with the same sign.")
        if sign.isdigit():
            self.refuse(place + 1, "this is no number.", "write 1250 or 12.5; texts and dates stand in quotes.")
        shown = f"'{sign}'" if sign.isprintable() else "a control character"
        self.refuse(
            place + 1, f"{shown} is not allowed.", "a column with blanks or signs in its name stands in backticks."
        )

    @property
    def token(self) -> _Token:
        return self.tokens[self.place]

    def taken(self, *texts: str) -> _Token | None:
        """Return the token and go on if it is one of these signs or words, else return nothing."""
        token = self.token
        if token.kind not in ("sign", "name") or token.text not in texts:
            return None
        self.place += 1
        return token

    def needed(self, sign: str) -> None:
        if self.taken(sign) is None:
            self._refuse_token(f"'{sign}' is needed")

    def _refuse_token(self, needed: str) -> NoReturn:
        token = self.token
        hint = None
        if token.text == "=":
            hint = "== compares."
        elif token.text in ("if", "else", "is", "["):
            hint = {"[": "a list stands only to the right of in.", "is": "use is_missing(column)."}.get(
                token.text, "use if_(condition, this, that)."
            )
        got = {"end": "the end", "text": "a text", "number": "a number"}.get(token.kind, f"'{token.text}'")
        self.refuse(token.position, f"{needed}, but {got} is here.", hint)

    def whole(self) -> Node:
        node = self.either()
        if self.token.kind != "end":
            self._refuse_token("an operator or the end is needed")
        return node

    def nested(self) -> Node:
        """Return an expression one level deeper."""
        self.deeper()
        node = self.either()
        self.depth -= 1
        return node

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            self.refuse(
                self.token.position,
                f"it is nested more than {_DEEPEST} deep.",
                "derive a part of it as a column first.",
            )

    def either(self) -> Node:
        return self._joined("or", self.both)

    def both(self) -> Node:
        return self._joined("and", self.negated)

    def _joined(self, word: Literal["and", "or"], part: Callable[[], Node]) -> Node:
        position = self.token.position
        parts = [part()]
        while self.taken(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else Logic(word, tuple(parts), position)

    def negated(self) -> Node:
        token = self.taken("not")
        if token is None:
            return self.compared()
        self.deeper()
        node = Negated("not", self.negated(), token.position)
        self.depth -= 1
        return node

    def compared(self) -> Node:
        first = self.sum()
        rest: list[tuple[str, Node]] = []
        while True:
            if sign := self.taken("==", "!=", "<", "<=", ">", ">="):
                rest.append((sign.text, self.sum()))
            elif self.taken("in"):
                rest.append(("in", self.listed()))
            elif self.token.text == "not" and self.tokens[self.place + 1].text == "in":
                self.place += 2
                rest.append(("not in", self.listed()))
            else:
                break
        return Comparison(first, tuple(rest), first.position) if rest else first

    def listed(self) -> Node:
        position = self.token.position
        self.needed("[")
        entries: list[Node] = []
        while not self.taken("]"):
            if entries:
                self.needed(",")
            entries.append(self.signed())
        if not entries:
            self.refuse(position, "the list is empty.", "list at least one value.")
        return Listed(tuple(entries), position)

    def sum(self) -> Node:
        return self._chained(self.product, "+", "-")

    def product(self) -> Node:
        return self._chained(self.signed, "*", "/", "//", "%")

    def _chained(self, part: Callable[[], Node], *signs: str) -> Node:
        first = part()
        rest: list[tuple[str, Node]] = []
        while sign := self.taken(*signs):
            rest.append((sign.text, part()))
        return Chain(first, tuple(rest), first.position) if rest else first

    def signed(self) -> Node:
        token = self.taken("-", "+")
        if token is None:
            return self.atom()
        self.deeper()
        part = self.signed()
        self.depth -= 1
        if token.text == "+":
            return part
        if isinstance(part, Constant) and isinstance(part.value, int | float) and not isinstance(part.value, bool):
            return Constant(-part.value, token.position)
        return Negated("-", part, token.position)

    def atom(self) -> Node:
        token = self.token
        if self.taken("("):
            node = self.nested()
            self.needed(")")
            return node
        if token.kind not in ("number", "text", "quoted", "name"):
            self._refuse_token("a column, a value or a bracket is needed")
        self.place += 1
        if token.kind == "number":
            return self.number(token)
        if token.kind == "text":
            quote = token.text[0]
            return Constant(token.text[1:-1].replace(quote * 2, quote), token.position)
        if token.kind == "quoted":
            return Column(token.text[1:-1].strip(), token.position)
        return self.named(token)

    def number(self, token: _Token) -> Node:
        is_whole = token.text.isdigit()
        if is_whole and (len(token.text) > 19 or int(token.text) > _GREATEST_WHOLE):
            self.refuse(token.position, "this whole number is beyond 64 bits.", "write it as a text in quotes.")
        value = int(token.text) if is_whole else float(token.text)
        if abs(value) == float("inf"):
            self.refuse(token.position, "this number is too large.")
        return Constant(value, token.position)

    def named(self, token: _Token) -> Node:
        if self.token.text == "(" and token.text not in _WORDS:
            return self.call(token)
        if token.text in _TRUTHS:
            return Constant(_TRUTHS[token.text], token.position)
        if token.text in _WORDS or keyword.iskeyword(token.text) or token.text.startswith("__"):
            self.place -= 1
            self.refuse(
                token.position,
                f"'{token.text}' is not allowed here.",
                f"if it is a column, write `{token.text}` in backticks.",
            )
        return Column(token.text, token.position)

    def call(self, token: _Token) -> Node:
        self.needed("(")
        arguments: list[Node] = []
        options: dict[str, Node] = {}
        while not self.taken(")"):
            if arguments or options:
                self.needed(",")
            name, following = self.token, self.tokens[min(self.place + 1, len(self.tokens) - 1)]
            if name.kind == "name" and following.text == "=":
                self.place += 2
                if name.text in options:
                    self.refuse(name.position, f"the option '{name.text}' is given twice.")
                options[name.text] = self.nested()
            elif options:
                self.refuse(name.position, "arguments without a name go before those with one.")
            else:
                arguments.append(self.nested())
        return Call(token.text, tuple(arguments), tuple(options.items()), token.position)
