"""Plan files: YAML to Plan and Schema, with the line number in every error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from celosia.base.errors import CelosiaError, OptionError, PlanError, nearest
from celosia.base.keys import KeySource
from celosia.base.yaml import Section, parsed, piece
from celosia.data.hierarchies import Tree, from_short
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.io.sql import SqlTarget, is_address, read_sql, resolve_url
from celosia.data.schema import Role, Schema, Table
from celosia.jobs.plan import Plan
from celosia.jobs.registry import build
from celosia.jobs.release import Format, check_format
from celosia.masks import Derive
from celosia.masks.base import Mask
from celosia.masks.pseudonymise import listed
from celosia.masks.vault.codes import CodeList
from celosia.masks.vault.source import VaultSource
from celosia.measure.risk.grid import Grid
from celosia.measure.risk.reading import within
from celosia.measure.risk.situation import Situation
from celosia.measure.risk.thresholds import Thresholds
from celosia.models.base import Model

Made = TypeVar("Made")

_TOP = (
    "version",
    "input",
    "schema",
    "masks",
    "masks_after",
    "models",
    "algorithm",
    "max_suppression",
    "range_style",
    "seed",
    "risk",
    "bound",
    "output",
)
_INPUT = ("path", "format", "delimiter", "encoding", "decimal", "sheet", "labels", "database")
_OUTPUT = ("path", "format", "claim", "database")
_SOURCE = ("url", "table", "query", "schema")
_TARGET = ("url", "table", "schema")
_TREE = ("path", "format", "on_missing")
_SCHEMA_EXTRAS = ("subject", "weights", "missing", "aliases")
_ROLE_OPTION = {
    Role.IDENTIFIER: "identifiers",
    Role.QUASI_IDENTIFIER: "quasi_identifiers",
    Role.SENSITIVE: "sensitive",
    Role.INSENSITIVE: "insensitive",
}


@dataclass(frozen=True)
class Config:
    """A plan file, read and checked.

    Attributes
    ----------
    plan, schema
        What to do, and the roles of the columns.
    input
        The data file, relative paths taken from the plan file's folder; ``None`` where the plan names none.
    read_options
        How to read it: format, delimiter, encoding, decimal, sheet, labels.
    source
        The database to read instead of a file: url, and table or query; ``None`` where there is none.
    output
        The release folder, or ``None``.
    target
        The table of a database into which the published rows go as well, or ``None``.
    format, claim
        The format of the data file, and whether a claim is written.
    places
        Where the plan speaks of a column or an option, such as ``plan.yaml:9``.
    """

    plan: Plan
    schema: Schema
    input: Path | None = None
    read_options: Mapping[str, Any] = field(default_factory=dict)
    source: Mapping[str, Any] | None = field(default=None, repr=False)  # an address may hold a password
    output: Path | None = None
    target: SqlTarget | None = None
    format: Format = "csv"
    claim: bool = True
    places: Mapping[str, str] = field(default_factory=dict, repr=False)

    def table(self, path: Path | str | None = None) -> Table:
        """Read the input (or another file or table) and return it as a table."""
        chosen = path or self.input
        with self.locating():
            if chosen is None and self.source is not None:
                return Table.of_source(read_sql(**self.source), self.schema)
            if chosen is None:
                raise PlanError("the plan names no input.", hint="add 'input: FILE', or run with --input FILE.")
            return Table.read(chosen, self.schema, **({} if is_address(str(chosen)) else self.read_options))

    @contextmanager
    def locating(self) -> Iterator[None]:
        """Give errors about a column or an option the line of the plan that speaks of it."""
        try:
            yield
        except CelosiaError as error:
            about = error.about or ("input" if isinstance(error, OptionError) else "")
            if about in self.places:
                error.located(self.places[about])
            raise


def load(path: str | Path) -> Config:
    """Read a plan file.

    Raises
    ------
    PlanError
        The file is not a plan: wrong YAML, an unknown key, a wrong type, with the line.
    OptionError, HierarchyError, FormatError
        An option or a hierarchy file in it is wrong, with the line in the plan.
    """
    file = Path(path)
    return config_of(Section(parsed(file), file.name), file)


def config_of(top: Section, file: Path) -> Config:
    """Return the plan that a mapping spells out; ``file`` is where it stands, and what its paths are taken from.

    Raises
    ------
    PlanError, OptionError, HierarchyError, FormatError
        As ``load`` does.
    """
    top.allow(_TOP)
    if top.get("version", 1) != 1:
        raise PlanError("this Celosía reads plans of version 1.", where=top.place("version"))
    places = {key: top.place(key) for key in ("input", "masks", "masks_after", "models") if key in top}
    schema = _schema(top.section("schema"), file.parent, places)
    options: dict[str, Any] = {
        key: top.get(key) for key in ("max_suppression", "range_style", "seed", "bound") if top.get(key) is not None
    }
    if "algorithm" in top:
        options["algorithm"] = top.made("algorithm", lambda spec: build("algorithms", spec))
    models = top.list_of("models", lambda spec: _model(spec, file.parent, file.name))
    for key in ("masks", "masks_after"):
        if key in top:
            options[key] = top.list_of(key, lambda spec: mask_from(spec, file.parent, file.name))
    if top.get("risk") is not None:
        options["risk"] = _situation(top.section("risk"))
    places = _places_of_pseudonyms(top) | places
    plan = top.located(lambda: Plan(models=models, **options), "models")
    _refuse_made(plan, schema, places)
    source = _paths(top, "input", _INPUT)
    target = _paths(top, "output", _OUTPUT)
    if "format" in target:
        target["format"] = top.located(lambda: check_format(target["format"]), "output")
    database = _database(source.pop("database", None), _SOURCE, file)
    if database is not None and source:
        raise PlanError("an input is a file or a database, not both.", hint="leave one out.", where=top.place("input"))
    into = _database(target.pop("database", None), _TARGET, file)
    return Config(
        plan=plan,
        schema=schema,
        input=file.parent / source.pop("path") if "path" in source else None,
        read_options=source,
        source=database,
        output=file.parent / target.pop("path") if "path" in target else None,
        target=None if into is None else top.located(lambda: SqlTarget(**into), "output"),
        places=places,
        **target,
    )


def load_risk_tables(path: str | Path) -> tuple[Grid, Thresholds]:
    """Read a file with a ``grid`` and ``thresholds`` of one's own, written as under ``risk`` in a plan.

    What the file leaves out keeps the manual's value.

    Raises
    ------
    PlanError, OptionError
        The file is no such file, or has a value that is not allowed, with the line.
    """
    file = Path(path)
    top = Section(parsed(file), file.name, "the file")
    top.allow(("grid", "thresholds"))
    try:
        with within("grid"):
            grid = Grid.of(top.get("grid") or {})
        with within("thresholds"):
            return grid, Thresholds.of(top.get("thresholds") or {})
    except OptionError as error:
        raise error.located(top.innermost(error.about)) from None


def _paths(top: Section, key: str, allowed: tuple[str, ...]) -> dict[str, Any]:
    """Return a section that may also be given as a path alone."""
    given = top.get(key)
    if given is None:
        return {}
    if isinstance(given, str):
        return {"path": given}
    if not isinstance(given, Mapping):
        raise PlanError(f"'{key}' must be a path, or a mapping with a path.", where=top.place(key))
    section = top.section(key)
    section.allow(allowed)
    for option, value in section.content.items():
        wanted: type = {"claim": bool, "database": Mapping}.get(option, str)
        if not isinstance(value, wanted):
            word = {bool: "true or false", str: "a text"}.get(wanted, "a mapping with url and table")
            raise PlanError(f"'{option}' of '{key}' must be {word}.", where=section.place(option))
    return dict(section.content)


def _database(given: Any, allowed: tuple[str, ...], file: Path) -> dict[str, Any] | None:
    """Return where a table of a database is; an address may be named by an environment variable."""
    if given is None:
        return None
    section = Section(given, file.name, "'database'")
    section.allow(allowed)
    if "url" not in section:
        raise PlanError(
            "'database' needs a url.", hint="write {url: {env: NAME}, table: exams}.", where=section.place("table")
        )
    found = dict(section.content)
    with section.locating("url"):
        found["url"] = _seen_from(file.parent, resolve_url(found["url"]))
    return found


def _seen_from(folder: Path, url: str) -> str:
    """Return an address in which the relative path of an SQLite file is taken from the plan's folder."""
    start, mark, path = url.partition("sqlite:///")
    return f"{start}{mark}{folder.resolve() / path}" if mark and path and path != ":memory:" else url


def _schema(section: Section, folder: Path, places: dict[str, str]) -> Schema:
    """Return the schema, and note in ``places`` where it speaks of each column."""
    options: dict[str, Any] = {}
    for key in section:
        named = section.get(key)
        if isinstance(named, list):
            places |= {column: section.place(key) for column in named if isinstance(column, str)}
        if key in _SCHEMA_EXTRAS:
            options[key] = named
            if key == "subject" and isinstance(named, str):
                places[named] = section.place(key)
            continue
        option = _ROLE_OPTION[section.located(lambda key=key: Role.parse(str(key)), key)]  # type: ignore[misc]
        if option in options:
            raise PlanError(f"'{key}' repeats the role '{option}'.", where=section.place(key))
        if option == "quasi_identifiers":
            columns = section.section(key)
            options[option] = _quasi_identifiers(columns, folder)
            places |= {column: columns.place(column) for column in columns}
        else:
            options[option] = [] if named is None else named
    try:
        return Schema(**options)
    except CelosiaError as error:
        known = places.get(error.about or "")
        raise error.located(known or section.place(error.about or next(iter(section), ""))) from None


def _quasi_identifiers(section: Section, folder: Path) -> dict[str, Hierarchy]:
    return {str(column): section.made(column, lambda spec: hierarchy_from(spec, folder)) for column in section}


def hierarchy_from(spec: Any, folder: Path) -> Hierarchy:
    """Return the kind or hierarchy that an entry of a plan stands for; its files lie where the plan says.

    Examples
    --------
    >>> hierarchy_from({"intervals": {"width": 5}}, Path()).name
    'intervals'
    """
    if isinstance(spec, str):
        return from_short(spec)
    if isinstance(spec, Mapping) and list(spec) == ["tree"]:
        return _tree(spec["tree"], folder)
    made: Hierarchy = build("hierarchies", spec)
    return made


def _tree(options: Any, folder: Path) -> Tree:
    if not isinstance(options, str | Mapping):
        raise OptionError("tree needs a file.", hint="write {tree: job.csv}.")
    given: dict[str, Any] = {"path": options} if isinstance(options, str) else dict(options)
    for key in given:
        if key not in _TREE:
            raise OptionError(f"tree has no option '{key}'.", hint=nearest(str(key), _TREE))
    if "path" not in given:
        raise OptionError("tree needs a file.", hint="write {tree: job.csv}.")
    kind = given.get("format", "arx")
    if kind not in ("arx", "amnesia"):
        raise OptionError("the format of a tree is 'arx' or 'amnesia'.")
    read = Tree.read_csv if kind == "arx" else Tree.read_amnesia
    tree = read(folder / str(given["path"]))
    return tree.with_missing(given["on_missing"]) if "on_missing" in given else tree


def _model(spec: Any, folder: Path, name: str | None = None) -> Model:
    """Return a model whose population and hierarchy are named by files; ``name`` is the plan's, for the lines."""
    options = next(iter(spec.values())) if isinstance(spec, Mapping) and len(spec) == 1 else None
    if not isinstance(options, Mapping):
        plain: Model = build("models", spec)
        return plain
    given = dict(options)
    try:
        if isinstance(given.get("population"), str):
            given["population"] = folder / given["population"]
        if given.get("hierarchy") is not None:
            given["hierarchy"] = _about("hierarchy", lambda: hierarchy_from(given["hierarchy"], folder))
        made: Model = build("models", {next(iter(spec)): given})
    except CelosiaError as error:
        if name is not None and error.about is not None and error.about in options:
            error.located(Section(options, name).place(error.about))
        raise
    return made


def mask_from(spec: Any, folder: Path, name: str | None = None) -> Mask:
    """Return a mask whose files lie where the plan says; ``name`` is the plan's, for the lines.

    Examples
    --------
    >>> mask_from({"drop": {"column": "name"}}, Path())
    Drop(column=None, columns=('name',))
    """
    options = next(iter(spec.values())) if isinstance(spec, Mapping) and len(spec) == 1 else None
    try:
        return _mask_with_files(spec, dict(options) if isinstance(options, Mapping) else {}, folder)
    except CelosiaError as error:
        if name is not None and error.about is not None and isinstance(options, Mapping) and error.about in options:
            error.located(Section(options, name).place(error.about))
        raise


def _mask_with_files(spec: Any, given: dict[str, Any], folder: Path) -> Mask:
    if isinstance(given.get("tree"), str) or (isinstance(given.get("tree"), Mapping) and "path" in given["tree"]):
        given["tree"] = _about("tree", lambda: _tree(given["tree"], folder))
    if isinstance(given.get("mapping"), str):
        given["mapping"] = folder / given["mapping"]
    if isinstance(spec, Mapping) and "derive" in spec and given.get("kind") is not None:
        given["kind"] = _about("kind", lambda: hierarchy_from(given["kind"], folder))
    if isinstance(spec, Mapping) and "pseudonymise" in spec:
        given |= _kept_elsewhere(given, folder)
    made: Mask = build("masks", {next(iter(spec)): given} if given else spec)
    return made


def _kept_elsewhere(given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the options of pseudonyms that name files and secrets, which a plan never spells out."""
    found: dict[str, Any] = {}
    if "key" in given:
        found["key"] = _about("key", lambda: KeySource.of(given["key"], folder=folder))
    if "vault" in given:
        found["vault"] = _about("vault", lambda: VaultSource.of(given["vault"], folder=folder))
    if isinstance(given.get("values"), str):
        found["values"] = folder / given["values"]
        CodeList(listed(found["values"]))
    return found


_FAIL_LATER = ("key", "vault", "url", "values", "length", "scope", "form")
"""Options of pseudonyms that a run alone finds missing, or too small."""


def _places_of_pseudonyms(top: Section) -> dict[str, str]:
    """Return where a plan speaks of options that fail only in the run; the line of all masks where several do."""
    entries = top.get("masks") or []
    asked = [entry["pseudonymise"] for entry in entries if isinstance(entry, Mapping) and "pseudonymise" in entry]
    sections = [Section(options, top.name) for options in asked if isinstance(options, Mapping)]
    places = {}
    for option in _FAIL_LATER if sections else ():
        named = [section for section in sections if option in section] or sections
        lines = {section.place(option if option in section else "vault") for section in named}
        places[option] = lines.pop() if len(lines) == 1 else top.place("masks")
    return places


def _situation(section: Section) -> Situation:
    """Return the threshold and the scenarios of a plan; an error tells the line of the innermost key it is about."""
    try:
        return Situation.of(section.content)
    except OptionError as error:
        raise error.located(section.innermost(error.about)) from None


def _refuse_made(plan: Plan, schema: Schema, places: Mapping[str, str]) -> None:
    """Refuse a role in the schema for a column that a mask makes: the input does not have it."""
    for mask in plan.masks:
        if isinstance(mask, Derive) and mask.column in schema.columns:
            raise PlanError(
                f"'{mask.column}' is made by derive, and the schema gives it a role as well.",
                hint=f"write its role in derive: {{derive: {{column: {mask.column}, ..., role: quasi_identifier}}}}.",
                where=places.get(mask.column),
            )


def _about(option: str, make: Callable[[], Made]) -> Made:
    """Make something, and let errors say which option it was for."""
    try:
        return make()
    except CelosiaError as error:
        error.about = option
        raise


def mask_of(text: str) -> Mask:
    """Return the mask that a piece of YAML on the command line stands for, such as ``{drop: {column: name}}``.

    Files that it names, of a hierarchy or a table of values, are looked for from the working folder.

    Examples
    --------
    >>> mask_of("{drop: {column: name}}")
    Drop(column=None, columns=('name',))
    """
    refused = OptionError("a mask is written as '{mask_characters: {column: id, keep_first: 2}}'.")
    return mask_from(piece(text, refused), Path())


def model_of(text: str) -> Model:
    """Return the model that a piece of YAML on the command line stands for, such as ``{k_anonymity: {k: 3}}``.

    Files that it names, of a population or a hierarchy, are looked for from the working folder.
    """
    return _model(piece(text, OptionError("a model is written as '{k_anonymity: {k: 3}}'.")), Path())
