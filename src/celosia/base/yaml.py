"""Sections of YAML files: mappings that know their lines, so that every error can tell one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.representer import RoundTripRepresenter
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from celosia.base.errors import CelosiaError, PlanError, nearest

Made = TypeVar("Made")

_EASY = re.compile(r"[^\W\d]([\w ./()%-]*[\w.)%])?|[0-9a-f]{64}|")
"""Texts that may stand without quotes; without them some others (``?0``, U+0085) do not come back from YAML."""


class Section:
    """A mapping of a file that knows the lines of its keys.

    Parameters
    ----------
    content, name
        The mapping, and the name of the file.
    inside, place
        What it is called in messages, and where it stands.

    Examples
    --------
    >>> Section({"k": 5}, "plan.yaml").get("k")
    5
    """

    def __init__(self, content: object, name: str, inside: str = "the plan", place: str | None = None) -> None:
        if not isinstance(content, Mapping):
            raise PlanError(f"{inside} must be a mapping of names to values.", where=place or f"{name}:1")
        self.content: Any = content
        self.name = name
        self.inside = inside

    def __contains__(self, key: str) -> bool:
        return key in self.content

    def __iter__(self) -> Iterator[str]:
        return iter(self.content)

    def get(self, key: str, default: Any = None) -> Any:
        """Return a value, or a default."""
        return self.content.get(key, default)

    def typed(self, key: str, kind: type, what: str, hint: str | None = None, of: str = "") -> Any:
        """Return a value of a kind, such as "a text"; ``None`` where none is written.

        Examples
        --------
        >>> Section({"drop": ["age"]}, "plan.yaml").typed("drop", list, "a list of attributes")
        ['age']
        """
        value = self.get(key)
        if value is not None and not isinstance(value, kind):
            within = f" of '{of}'" if of else ""
            raise PlanError(f"'{key}'{within} must be {what}.", hint=hint, where=self.place(key))
        return value

    def place(self, key: str) -> str:
        """Return where a key stands, such as ``plan.yaml:9``; the section's own place if it is not there."""
        try:
            line = self.content.lc.key(key)[0] + 1
        except (AttributeError, KeyError, TypeError):  # an empty mapping knows no lines of keys
            line = getattr(getattr(self.content, "lc", None), "line", 0) + 1
        return f"{self.name}:{line}"

    def innermost(self, about: str | None) -> str:
        """Return where an option such as ``insider.controls`` stands, as far as the file has it."""
        key, _, rest = (about or "").partition(".")
        if rest and key in self and isinstance(self.content[key], Mapping):
            inner = Section(self.content[key], self.name)
            return inner.innermost(rest) if rest.partition(".")[0] in inner else self.place(key)
        return self.place(key)

    def allow(self, keys: tuple[str, ...]) -> None:
        """Refuse any other key."""
        for key in self:
            if key not in keys:
                raise PlanError(
                    f"{self.inside} has no key '{key}'.", hint=nearest(str(key), keys), where=self.place(key)
                )

    def section(self, key: str) -> Section:
        """Return the mapping behind a key."""
        if key not in self:
            raise PlanError(f"{self.inside} lacks '{key}'.", hint=f"add a section '{key}:'.", where=f"{self.name}:1")
        return Section(self.content[key], self.name, f"'{key}'", self.place(key))

    @contextmanager
    def locating(self, key: str) -> Iterator[None]:
        """Give errors the line of the option that they are about, or of a key."""
        try:
            yield
        except CelosiaError as error:
            about = error.about or key
            raise error.located(self.place(about if about in self.content else key)) from None

    def located(self, make: Callable[[], Made], key: str) -> Made:
        """Make something, and give errors the line of a key."""
        with self.locating(key):
            return make()

    def made(self, key: str, make: Callable[[Any], Made]) -> Made:
        """Make something of the value behind a key, and give errors its line."""
        return self.located(lambda: make(self.content[key]), key)

    def list_of(self, key: str, make: Callable[[Any], Made]) -> list[Made]:
        """Make something of each entry of a list, and give errors the line of the entry."""
        entries = self.get(key)
        if not isinstance(entries, list):
            raise PlanError(
                f"'{key}' must be a list with at least one entry." if key in self else f"{self.inside} lacks '{key}'.",
                hint=f"write '{key}:' and under it '  - name: {{option: value}}'.",
                where=self.place(key),
            )
        result = []
        for position, entry in enumerate(entries):
            try:
                result.append(make(entry))
            except CelosiaError as error:
                line = getattr(entries, "lc", None)
                at = line.item(position)[0] + 1 if line is not None else 1
                raise error.located(f"{self.name}:{at}") from None
        return result


def parsed(file: Path) -> object:
    """Return what a plan file holds, with its lines.

    Raises
    ------
    PlanError
        It cannot be read, or is no YAML.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(error, file.name, "plan", str(file), "check the path.") from None
    with telling(file.name):
        return loaded(text)


def unreadable(error: OSError | UnicodeDecodeError, name: str, kind: str, shown: str, absent: str) -> PlanError:
    """Return the error about a file that cannot be read.

    Parameters
    ----------
    error, name, kind
        What reading it raised, the file's name, and what it should be: a plan, a project.
    shown, absent
        What a folder of that name is called, and the hint where there is no such file.

    Examples
    --------
    >>> unreadable(FileNotFoundError(), "plan.yaml", "plan", "plan.yaml", "check the path.").message
    "there is no plan file 'plan.yaml' here."
    """
    if isinstance(error, FileNotFoundError):
        return PlanError(f"there is no {kind} file '{name}' here.", hint=absent)
    if isinstance(error, IsADirectoryError):
        return PlanError(f"'{shown}' is a folder, not a {kind} file.", hint="name the YAML file in it.")
    if isinstance(error, UnicodeDecodeError):
        return PlanError(f"{name} is not UTF-8 text.", hint=f"save the {kind} as UTF-8.")
    return PlanError(f"{name} cannot be read ({error.strerror}).", hint="check its permissions.")


@contextmanager
def telling(
    name: str,
    usual: str = "indentation and colons",
    odd: str = "control characters",
    told: Callable[[str], str] = str,
) -> Iterator[None]:
    """Tell what is wrong with a YAML text that is read in the block; ``name`` is its file's.

    Parameters
    ----------
    usual, odd
        What a hint says to look for.
    told
        What is repeated of the parser's own words.

    Raises
    ------
    PlanError
        It is no YAML; with the line.
    """
    try:
        yield
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{name}:{mark.line + 1}" if mark is not None else name
        problem = told((error.problem or "").split("\n")[0]) or "it cannot be parsed"
        raise PlanError(f"this is not valid YAML: {problem}.", hint=f"check {usual}.", where=where) from None
    except (YAMLError, ValueError, TypeError):  # ruamel does not always raise errors of its own
        raise PlanError(f"{name} is not valid YAML.", hint=f"check for {odd}.") from None


def loaded(text: str) -> Any:
    """Return what a YAML text holds, with its lines."""
    return YAML(typ="rt").load(text)


def piece(text: str, refused: CelosiaError) -> Any:
    """Return what a piece of YAML holds that was given on the command line.

    Parameters
    ----------
    refused
        The error where it is no YAML.

    Examples
    --------
    >>> piece("{k_anonymity: {k: 3}}", PlanError("no YAML."))
    {'k_anonymity': {'k': 3}}
    """
    try:
        return YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError, TypeError):  # as above
        raise refused from None


class _SpellingNull(RoundTripRepresenter):
    """Writes null where the usual one writes nothing."""


_SpellingNull.add_representer(type(None), lambda own, _: own.represent_scalar("tag:yaml.org,2002:null", "null"))


def in_lines(value: Any, levels: int, *, width: int = 2**30, spells_null: bool = False) -> str:
    r"""Spell a value in YAML whose outer levels have a line for every entry.

    Examples
    --------
    >>> in_lines({"rounds": [{"k": 5, "by": "?0"}]}, 2)
    'rounds:\n  - {k: 5, by: "?0"}\n'
    """
    writer, text = YAML(typ="rt"), StringIO()
    writer.width = width
    writer.indent(mapping=2, sequence=4, offset=2)
    if spells_null:
        writer.Representer = _SpellingNull
    writer.dump(laid_out(value, levels), text)
    return text.getvalue()


def in_few_lines(value: Any) -> str:
    r"""Spell a value in YAML for people to copy: what holds no other mapping or list stands in one line.

    Examples
    --------
    >>> in_few_lines({"models": [{"k_anonymity": {"k": 5}}]})
    'models:\n- k_anonymity: {k: 5}\n'
    """
    writer, text = YAML(), StringIO()
    writer.default_flow_style = None
    writer.width = 88
    writer.dump(value, text)
    return text.getvalue()


def events(text: str) -> Iterator[Any]:
    """Yield what a reader of YAML meets, mark by mark, for whoever changes a text and keeps its comments."""
    yield from YAML(typ="rt").parse(StringIO(text))


def in_one_line(value: Any) -> str:
    """Spell a value in one line of YAML, quoted where it needs to be.

    Examples
    --------
    >>> in_one_line({"by": "Ana: DPO", "n": 2})
    '{by: "Ana: DPO", n: 2}'
    """
    writer, text = YAML(typ="rt"), StringIO()
    writer.width = 2**30
    writer.dump(laid_out({"": value}, 0), text)
    return text.getvalue().strip().removeprefix("{'': ").removesuffix("}")


def laid_out(value: Any, levels: int) -> Any:
    """Return a value whose outer levels are written line by line, the inner ones in one, and odd texts in quotes.

    Examples
    --------
    >>> laid_out({"by": "?0"}, 0)
    {'by': '?0'}
    """
    if isinstance(value, Mapping):
        made = CommentedMap({laid_out(key, 0): laid_out(own, levels - 1) for key, own in value.items()})
        if levels <= 0 or not made:
            made.fa.set_flow_style()
        return made
    if isinstance(value, list):
        listed = CommentedSeq([laid_out(own, 0) for own in value])
        if levels <= 0 or not listed or all(not isinstance(own, Mapping | list) for own in value):
            listed.fa.set_flow_style()
        return listed
    is_odd = isinstance(value, str) and not _EASY.fullmatch(value)
    return DoubleQuotedScalarString(value) if is_odd else value
