"""Plan files of graphs: YAML to what is read, demanded and written, with the line number in every error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from celosia.base.chance import Randomness
from celosia.base.errors import CelosiaError, OptionError, PlanError
from celosia.base.progress import Progress, check_time_limit
from celosia.base.yaml import Section, parsed, piece
from celosia.graphs.files import read
from celosia.graphs.files.formats import format_of
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel
from celosia.graphs.naming import model_from, model_of
from celosia.graphs.transforms.base import Edits, checked_edits
from celosia.jobs.graphs.folders import graph_file
from celosia.jobs.graphs.methods import Method, method_from
from celosia.jobs.graphs.release import GraphRelease
from celosia.jobs.graphs.running import run
from celosia.jobs.graphs.super_release import SuperGraph, check_super_format
from celosia.jobs.places import check_release
from celosia.jobs.plan_file import mask_from, mask_of
from celosia.masks.base import Mask

_TOP = (
    *("version", "input", "graph", "masks", "drop", "models", "method", "edits", "time_limit", "seed", "new_edges"),
    "output",
)
_GRAPH: Mapping[str, type] = {
    "directed": bool,
    "multigraph": bool,
    "weight": str,
    "bipartite": bool,
    "vertices": str,
    "format": str,
    "delimiter": str,
    "header": bool,
    "encoding": str,
}
_OUTPUT = ("path", "format")
_USUAL_SECONDS = 10


@dataclass(frozen=True)
class GraphPlan:
    """A plan file of a graph, read and checked.

    Attributes
    ----------
    input
        The graph's file, relative paths taken from the plan's folder; ``None`` where the plan names none.
    read_options
        How to read it: directed, multigraph, weight, bipartite, vertices, format, delimiter, header, encoding.
    masks, drop
        What is done to the attributes of vertices first, and which attributes are left behind.
    models
        What must hold.
    method
        A super-graph, or a perturbation; ``None``: edges are edited until the models hold.
    edits, time_limit, seed, new_edges
        As ``run`` takes them.
    output, format
        The folder of the release, or ``None``, and the format of its graph.
    places
        Where the plan speaks of an option, such as ``plan.yaml:9``.
    """

    input: Path | None = None
    read_options: Mapping[str, Any] = field(default_factory=dict)
    masks: tuple[Mask, ...] = ()
    drop: tuple[str, ...] = ()
    models: tuple[GraphModel, ...] = ()
    method: Method | None = None
    edits: Edits = "both"
    time_limit: float | None = _USUAL_SECONDS
    seed: int | None = None
    new_edges: Mapping[str, Any] | None = None
    output: Path | None = None
    format: str = "csv"
    places: Mapping[str, str] = field(default_factory=dict, repr=False)

    def graph(self, path: Path | str | None = None) -> Graph:
        """Read the input, or another file, as the plan says."""
        chosen = path or self.input
        if chosen is None:
            raise PlanError("no graph is named.", hint="name its file, or a plan with 'input: FILE'.")
        with self.locating():
            return read(chosen, **self.read_options)

    def run(self, graph: Graph, progress: Progress | None = None) -> GraphRelease | SuperGraph:
        """Run the plan on a graph."""
        self.check()
        with self.locating():
            given: dict[str, Any] = {"masks": self.masks, "drop": self.drop, "seed": self.seed, "progress": progress}
            if self.method is None or self.method.name != "super_graph":
                given["new_edges"] = self.new_edges
            made: GraphRelease | SuperGraph
            if self.method is None:
                made = run(graph, self.models, self.edits, self.time_limit, **given)
            else:
                made = self.method.run(graph, **given)
            if isinstance(made, SuperGraph):
                return replace(made, read_options=self.read_options)
            made.read_options = self.read_options
            return made

    def check(self, *, alternatives: bool = False, attributes: bool = False) -> None:
        """Refuse a plan that says nothing to be done, or what its method does not heed, before any work is done.

        Parameters
        ----------
        alternatives, attributes
            Whether other models are to be tried, and whether attributes were named for the method.

        Raises
        ------
        PlanError
            There is no model and no method, or an option that the method does not heed.
        OptionError
            The format cannot hold what the method makes.
        """
        if self.method is None:
            if not self.models:
                raise PlanError(
                    "no model is named.", hint="add --model, or 'models:' to the plan; or a method: --method."
                )
            format_of("", self.format)
            return
        heeded = {"models": (), "edits": "both", "time_limit": _USUAL_SECONDS}
        heeded |= {"new_edges": None} if self.method.name == "super_graph" else {}
        for name, usual in heeded.items():
            if getattr(self, name) != usual:
                raise PlanError(
                    f"'{name}' is given, and the method {self.method.name} does not heed it.",
                    hint="leave it out, or leave the method out: then edges are edited until the models hold.",
                    where=self.places.get(name),
                )
        with self.locating():
            if self.method.name == "super_graph":
                check_super_format(self.format)
            else:
                format_of("", self.format)
        if alternatives and self.method.name == "super_graph":
            raise PlanError("--alternatives are models, which clusters are no alternative to.", hint="leave it out.")
        if attributes and self.method.name == "perturbation":
            raise PlanError("perturbation heeds no attributes.", hint="leave --attributes out.")

    def reading(self, **given: Any) -> GraphPlan:
        """Return the plan with other options of reading its graph; those that are ``None`` stay as they are."""
        return replace(self, read_options={**self.read_options, **_without_none(given)})

    def changed(self, **given: Any) -> GraphPlan:
        """Return the plan with what is given in its place; what is ``None`` stays as it is.

        Models take the place of a method, and a method that of models.

        Raises
        ------
        OptionError
            The edits are none.

        Examples
        --------
        >>> plan = GraphPlan(models=(model_from({"degree_anonymity": {"k": 3}}),))
        >>> plan.changed(method=Method("perturbation")).models
        ()
        """
        found = _without_none(given)
        if "edits" in found:
            checked_edits(found["edits"])
        if ("method" in found) != ("models" in found):
            found = {"models": (), "method": None} | found
        return replace(self, **found)

    def target(self, source: str | None, *, overwrite: bool) -> Path:
        """Return the folder to write, once it is known that it can be, before the search and not after it.

        Raises
        ------
        PlanError
            No folder is named, or the graph lies in it.
        OptionError
            It exists, and must not be replaced.
        """
        if self.output is None:
            raise PlanError("no release folder is named.", hint="add --out FOLDER, 'output: FOLDER' or --dry-run.")
        refused = PlanError(
            "the input lies in the output folder, which the release would replace.", hint="move it away."
        )
        check_release(self.output, self.input if source is None else Path(source), refused, overwrite=overwrite)
        return self.output

    def released(self, original: Graph) -> Graph:
        """Return the graph in the output folder, to compare it with the original.

        Raises
        ------
        PlanError
            There is none, or it has clusters in place of vertices.
        """
        if self.output is None:
            raise PlanError(
                "there is no edited graph to compare with.", hint="name its file, or a plan with an output."
            )
        if self.method is not None and self.method.name == "super_graph":
            raise PlanError(
                "a super-graph has clusters in place of vertices: it is not compared vertex by vertex.",
                hint="its report tells what is lost, and what a reader can make of it.",
            )
        beside = sorted(self.output.glob("vertices.*"))
        return read(
            graph_file(self.output, self.format),
            format=self.format,
            directed=original.directed,
            vertices=next(iter(beside), None),
        )

    @contextmanager
    def locating(self) -> Iterator[None]:
        """Give errors about an option the line of the plan that speaks of it."""
        try:
            yield
        except CelosiaError as error:
            if error.about is not None and error.about in self.places:
                error.located(self.places[error.about])
            raise


def plan_of(file: Path | None, masks: Sequence[str] = (), **read_options: Any) -> GraphPlan:
    """Return the plan of a file, or an empty one, with what was given on the command line in its place."""
    plan = (GraphPlan() if file is None else load_plan(file)).reading(**read_options)
    return plan.changed(masks=tuple(mask_of(text) for text in masks) or None)


def models_of(texts: Sequence[str], attributes: Sequence[str] = ()) -> tuple[GraphModel, ...]:
    """Return the models of pieces of YAML, against those who know some attributes too unless they name their own."""
    found = []
    for model in map(model_of, texts):
        knows_none = bool(attributes) and not model.attributes
        found.append(replace(model, attributes=tuple(attributes)) if knows_none else model)  # type: ignore[type-var]
    return tuple(found)


def method_of(text: str, attributes: Sequence[str] = ()) -> Method:
    """Return the method of a piece of YAML; attributes are those of a super-graph unless it names its own.

    Raises
    ------
    OptionError
        It is no method, or has an option that is not allowed.
    PlanError
        It heeds no attributes.

    Examples
    --------
    >>> method_of("{super_graph: {k: 3}}", ["age"]).options
    {'k': 3, 'attributes': ('age',)}
    """
    found = method_from(text if text.isidentifier() else mapping_of(text, "--method", "'{super_graph: {k: 3}}'"))
    if attributes and found.name == "super_graph" and "attributes" not in found.options:
        return replace(found, options={**found.options, "attributes": tuple(attributes)})
    return found


def mapping_of(text: str, option: str, example: str) -> dict[str, Any]:
    """Return the mapping that an option on the command line spells.

    Raises
    ------
    OptionError
        It is none.

    Examples
    --------
    >>> mapping_of("{weight: 1}", "--new-edges", "'{weight: 1}'")
    {'weight': 1}
    """
    about = option.lstrip("-").replace("-", "_")
    refused = OptionError(f"{option} is a piece of YAML.", hint=f"such as {example}.", about=about)
    values = piece(text, refused)
    if not isinstance(values, dict):
        raise refused
    return values


def load_plan(path: str | Path) -> GraphPlan:
    r"""Read a plan file of a graph.

    Raises
    ------
    PlanError
        The file is not a plan of a graph: wrong YAML, an unknown key, a wrong type, with the line.
    OptionError
        An option in it is wrong, with the line.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "plan.yaml")
    >>> _ = file.write_text("version: 1\ninput: friends.csv\nmodels:\n  - degree_anonymity: {k: 5}\n")
    >>> load_plan(file).models
    (DegreeAnonymity(k=5, attributes=()),)
    """
    file = Path(path)
    top = Section(parsed(file), file.name)
    top.allow(_TOP)
    if top.get("version", 1) != 1:
        raise PlanError("this Celosía reads plans of version 1.", where=top.place("version"))
    output = _output(top)
    source = top.typed("input", str, "a text", "write 'input: FILE'.")
    return GraphPlan(
        input=None if source is None else file.parent / source,
        read_options=_read_options(top, file.parent),
        masks=tuple(top.list_of("masks", lambda spec: mask_from(spec, file.parent, file.name)))
        if top.get("masks") is not None
        else (),
        drop=_drop(top),
        models=tuple(top.list_of("models", model_from)) if top.get("models") is not None else (),
        method=top.made("method", lambda spec: method_from(spec, file.parent)) if "method" in top else None,
        edits=top.made("edits", checked_edits) if top.get("edits") is not None else "both",
        time_limit=_time_limit(top),
        seed=_seed(top),
        new_edges=_new_edges(top),
        output=file.parent / output["path"] if "path" in output else None,
        format=output.get("format", "csv"),
        places=_places(top),
    )


def _read_options(top: Section, folder: Path) -> dict[str, Any]:
    if top.get("graph") is None:
        return {}
    section = top.section("graph")
    section.allow(tuple(_GRAPH))
    words = {bool: "true or false", str: "a text"}
    read = {option: section.typed(option, kind, words[kind], of="graph") for option, kind in _GRAPH.items()}
    found = {option: value for option, value in read.items() if value is not None}
    if "format" in found:
        section.made("format", lambda name: format_of("", name))
    if "vertices" in found:
        found["vertices"] = folder / found["vertices"]
    return found


def _drop(top: Section) -> tuple[str, ...]:
    named = top.get("drop")
    if named is None:
        return ()
    if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
        raise PlanError("'drop' must be a list of attributes.", hint="write 'drop: [label]'.", where=top.place("drop"))
    return tuple(named)


def _time_limit(top: Section) -> float | None:
    """Return the seconds, ``None`` for no limit where the plan says null."""
    seconds: float | None = top.get("time_limit", _USUAL_SECONDS)
    with top.locating("time_limit"):
        check_time_limit(seconds, "10 is usual.")
    return seconds


def _seed(top: Section) -> int | None:
    seed = top.get("seed")
    with top.locating("seed"):
        Randomness(seed)
    return None if seed is None else int(seed)


def _new_edges(top: Section) -> dict[str, Any] | None:
    what = "a mapping of attributes of edges to values"
    values = top.typed("new_edges", Mapping, what, "write 'new_edges: {weight: 1}'.")
    return None if values is None else dict(values)


def _output(top: Section) -> dict[str, str]:
    """Return where the release goes, which may be given as a path alone."""
    given = top.get("output")
    if given is None:
        return {}
    if isinstance(given, str):
        return {"path": given}
    section = top.section("output")
    section.allow(_OUTPUT)
    read = {key: section.typed(key, str, "a text", f"write '{key}: FILE'.") for key in _OUTPUT}
    found = {key: text for key, text in read.items() if text is not None}
    if "format" in found and found["format"] != "json":
        section.made("format", lambda name: format_of("", name))
    return found


def _places(top: Section) -> dict[str, str]:
    """Return where the plan speaks of options that only the run can find wrong."""
    places = {key: top.place(key) for key in _TOP if key in top}
    if isinstance(top.get("graph"), Mapping):
        section = top.section("graph")
        places |= {key: section.place(key) for key in section}
    return places


def _without_none(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}
