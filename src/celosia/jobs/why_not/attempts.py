"""Attempts: the changes of a plan that may make its demand reachable, each tried and priced."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Any, Literal

from celosia.base.fields import Result
from celosia.data.schema import Table
from celosia.jobs.plan import Plan
from celosia.jobs.why_not.blocks import blocked_models, n_may_go
from celosia.jobs.why_not.trials import Figures, Trials
from celosia.masks import Drop
from celosia.models import KAnonymity, LDiversity
from celosia.models.base import Model
from celosia.search import Lattice, Weave
from celosia.search.ladders import ladder_of

Kind = Literal[
    "smaller_k",
    "more_suppression",
    "weaker_model",
    "drop_model",
    "drop_column",
    "wider_levels",
    "other_algorithm",
    "several",
]

_PRICE = ("gcp", "k", "n_suppressed", "n_rows", "n_classes")


@dataclass(frozen=True)
class Relaxation(Result):
    """A change that makes a demand reachable, and its price by a quick search.

    Attributes
    ----------
    kind
        ``smaller_k``, ``more_suppression``, ``weaker_model``, ``drop_model``, ``drop_column``, ``wider_levels``,
        ``other_algorithm`` or ``several``.
    message
        The change in words.
    change
        The change for programs: the model, its option and the new value; the column; the share of rows.
    plan
        The changed plan: ``relaxation.plan.run(table)`` gives a release.
    gcp
        The information lost; a dropped column is lost whole.
    k, n_suppressed, n_rows, n_classes
        The people in the smallest class, the rows left out of all rows, the classes.
    """

    kind: Kind
    message: str
    change: Mapping[str, Any]
    plan: Plan = field(repr=False)
    gcp: float
    k: int
    n_suppressed: int
    n_rows: int
    n_classes: int


@dataclass(frozen=True)
class Change:
    """A changed plan, and the change in words and for programs."""

    plan: Plan
    kind: Kind
    message: str
    change: Mapping[str, Any]

    def priced(self, figures: Figures) -> Relaxation:
        """Return the change with its price."""
        price = {name: figures[name] for name in _PRICE}
        return Relaxation(self.kind, self.message, self.change, self.plan, **price)

    def tried(self, trials: Trials) -> Relaxation | None:
        """Return the change with its price, or ``None`` if it does not help."""
        figures = trials.price(self.plan)
        return None if figures is None else self.priced(trials.refined(self.plan, figures))


@dataclass(frozen=True)
class Attempt:
    """A kind of change that may be tried: what it is, and what it finds (``None`` if it does not help)."""

    what: str
    run: Callable[[], Relaxation | None]


def attempts(trials: Trials) -> list[Attempt]:
    """Return every single change that may help: weaker and dropped models, more suppression, dropped columns."""
    plan, columns = trials.plan, trials.table.schema.quasi_identifiers
    found: list[Attempt] = []
    if len(plan.models) > 1:
        for place, model in enumerate(plan.models):
            found.append(Attempt(f"without {model.name}", partial(_without_model, trials, place)))
    if not isinstance(plan.algorithm, Weave):
        found.append(Attempt("another algorithm", partial(_other_algorithm, trials)))
    for place, model in enumerate(plan.models):
        for parameter in parameters_of(model):
            what = f"{model.name}: another {parameter.option}"
            found.append(Attempt(what, partial(_weaker, trials, place, parameter)))
    found.append(Attempt("a larger max_suppression", partial(_more_suppression, trials)))
    found += _wider_levels(trials)
    if len(columns) > 1:
        found += [Attempt(f"without '{column}'", partial(_without_column, trials, column)) for column in columns]
    return found


def together(trials: Trials) -> Relaxation | None:
    """Weaken every model that is out of reach by itself, each as little as it needs alone; drop what cannot be met."""
    models: list[Model] = []
    said: list[str] = []
    changes: list[dict[str, Any]] = []
    blocked = [model for model, _ in blocked_models(trials.plan, trials.table)]
    for model in trials.plan.models:
        if model not in blocked:
            models.append(model)
            continue
        best = _best_alone(trials, model)
        changes.append(_about(model) if best is None else _about(model) | _change(model, *best))
        said.append(f"drop {_named(model)}" if best is None else _told(model, *best))
        models += [] if best is None else [best[0]]
    if len(said) < 2 or not models:
        return None
    return Change(replace(trials.plan, models=models), "several", "; ".join(said), {"changes": changes}).tried(trials)


def _best_alone(trials: Trials, model: Model) -> tuple[Model, Parameter] | None:
    """Return the model weakened as little as it needs where nothing else is demanded, and by which parameter."""
    for parameter in parameters_of(model):

        def alone(step: int, parameter: Parameter = parameter) -> Plan:
            return replace(trials.plan, models=[parameter.weaker(model, step)])

        least = trials.weakened(parameter.steps(model), alone)
        if least is not None:
            return parameter.weaker(model, least[0]), parameter
    return None


def _halved(trials: Trials, steps: Sequence[int], changed: Callable[[int], Change]) -> Relaxation | None:
    """Find by halving the strongest step that can be met, given from the weakest to the strongest."""
    least = trials.weakened(steps, lambda step: changed(step).plan)
    if least is None:
        return None
    step, figures = least
    return changed(step).priced(trials.refined(changed(step).plan, figures))


def _weaker(trials: Trials, place: int, parameter: Parameter) -> Relaxation | None:
    plan = trials.plan
    model = plan.models[place]

    def changed(step: int) -> Change:
        weaker = parameter.weaker(model, step)
        return Change(
            replace(plan, models=[weaker if at == place else own for at, own in enumerate(plan.models)]),
            "smaller_k" if isinstance(model, KAnonymity) else "weaker_model",
            _told(model, weaker, parameter),
            _about(model) | _change(model, weaker, parameter),
        )

    return _halved(trials, _sensible(parameter, model, trials.table), changed)


def _sensible(parameter: Parameter, model: Model, table: Table) -> Sequence[int]:
    """Return the steps to try; no k above the number of people."""
    steps = parameter.steps(model)
    if isinstance(model, KAnonymity):
        return range(2, min(model.k, table.n_units + 1))
    return steps


def _more_suppression(trials: Trials) -> Relaxation | None:
    """Find the fewest rows that must be allowed to go."""
    plan, n_rows = trials.plan, trials.table.n_rows

    def changed(n_gone: int) -> Change:
        share = share_of(n_gone, n_rows)
        message = f"max_suppression: {plan.max_suppression:g} -> {share:g}"
        return Change(replace(plan, max_suppression=share), "more_suppression", message, {"max_suppression": share})

    return _halved(trials, range(n_rows, n_may_go(plan, trials.table), -1), changed)


def _wider_levels(trials: Trials) -> Iterator[Attempt]:
    """Give, for each column whose levels are limited, the search for the lowest limit that helps."""
    algorithm = trials.plan.algorithm
    if not isinstance(algorithm, Lattice):
        return
    tops = {column.name: ladder_of(column, column.codes).n_levels - 1 for column in trials.table.quasi_identifiers}
    for column, bound in algorithm.levels.items():
        least, most = (bound, bound) if isinstance(bound, int) else (bound[0], bound[1])
        if most < tops.get(column, 0):

            def changed(level: int, column: str = column, least: int = least, most: int = most) -> Change:
                wider = replace(algorithm, levels={**algorithm.levels, column: (least, level)})
                message = f"highest level of '{column}': {most} -> {level}"
                told = {"column": column, "level": level}
                return Change(replace(trials.plan, algorithm=wider), "wider_levels", message, told)

            steps = range(tops[column], most, -1)
            yield Attempt(f"other levels of '{column}'", partial(_halved, trials, steps, changed))


def _other_algorithm(trials: Trials) -> Relaxation | None:
    """Try a search that recodes row by row, which reaches whatever can be reached."""
    message = f"algorithm: {trials.plan.algorithm.name} -> weave"
    changed = replace(trials.plan, algorithm=Weave())
    return Change(changed, "other_algorithm", message, {"algorithm": "weave"}).tried(trials)


def share_of(n_gone: int, n_rows: int) -> float:
    """Return the share of fewest digits that lets just so many rows go.

    Examples
    --------
    >>> share_of(1, 3), share_of(7, 30162), share_of(5, 5)
    (0.4, 0.00024, 1.0)
    """
    for n_digits in range(17):
        scale = 10**n_digits
        share = Fraction(math.ceil(Fraction(n_gone * scale, n_rows)), scale)
        if math.floor(share * n_rows) == n_gone:
            return float(share)
    return n_gone / n_rows


def _without_model(trials: Trials, place: int) -> Relaxation | None:
    plan = trials.plan
    model = plan.models[place]
    changed = replace(plan, models=[own for at, own in enumerate(plan.models) if at != place])
    return Change(changed, "drop_model", f"drop {_named(model)}", _about(model)).tried(trials)


def _without_column(trials: Trials, column: str) -> Relaxation | None:
    plan, schema = trials.plan, trials.table.schema
    changed = replace(plan, masks=[*plan.masks, Drop(columns=[column])])
    if isinstance(plan.algorithm, Lattice):  # a limit on the levels of a column that is gone would be refused
        left = {name: bound for name, bound in plan.algorithm.levels.items() if name != column}
        changed = replace(changed, algorithm=replace(plan.algorithm, levels=left))
    found = Change(changed, "drop_column", f"drop the column '{column}'", {"column": column}).tried(trials)
    if found is None:
        return None
    weights = {name: float(schema.weights.get(name, 1.0)) for name in schema.quasi_identifiers}
    kept = sum(weights.values()) - weights[column]
    return replace(found, gcp=(kept * found.gcp + weights[column]) / sum(weights.values()))


def _named(model: Model) -> str:
    on = model.to_dict().get("on")
    return model.name if on is None else f"{model.name} on '{on}'"


def _about(model: Model) -> dict[str, Any]:
    return {"model": model.name, "on": model.to_dict().get("on")}


def _told(model: Model, weaker: Model, parameter: Parameter) -> str:
    asked, now = getattr(model, parameter.option), getattr(weaker, parameter.option)
    return f"{_named(model)}: {parameter.option} {asked:g} -> {now:g}"


def _change(model: Model, weaker: Model, parameter: Parameter) -> dict[str, Any]:
    option = parameter.option
    return {"option": option, "from": getattr(model, option), "to": getattr(weaker, option)}


@dataclass(frozen=True)
class Parameter:
    """An option of a model that may become weaker.

    Attributes
    ----------
    option
        Its name.
    step
        How finely it is told; values are multiples of it.
    weakest
        The weakest value to try; larger than the one asked for where larger is weaker.
    """

    option: str
    step: Fraction
    weakest: Fraction

    def steps(self, model: Model) -> list[int] | range:
        """Return the multiples of the step that are weaker than what a model asks for, the weakest first.

        Examples
        --------
        >>> from celosia.models import KAnonymity
        >>> list(Parameter("k", Fraction(1), Fraction(2)).steps(KAnonymity(5)))
        [2, 3, 4]
        """
        asked = Fraction(str(getattr(model, self.option))) / self.step
        last = self.weakest / self.step
        if last < asked:
            return range(floor(last), ceil(asked))
        return range(floor(last), floor(asked), -1)

    def weaker(self, model: Model, multiple: int) -> Model:
        """Return the model with a multiple of the step in place of what it asks for."""
        value = self.step * multiple
        number = int(value) if value.denominator == 1 and self.step == 1 else float(value)
        changed: Model = replace(model, **{self.option: number})  # type: ignore[type-var]
        return changed


_ONE, _HUNDREDTH, _THOUSANDTH = Fraction(1), Fraction(1, 100), Fraction(1, 1000)
_NEARLY_ALL = Fraction(999, 1000)

_PARAMETERS: dict[str, tuple[Parameter, ...]] = {
    "k_anonymity": (Parameter("k", _ONE, Fraction(2)),),
    "k_map": (Parameter("k", _ONE, Fraction(2)),),
    "p_sensitive": (Parameter("p", _ONE, Fraction(2)),),
    "l_diversity": (Parameter("l", _ONE, Fraction(2)),),
    "alpha_k": (Parameter("alpha", _THOUSANDTH, _NEARLY_ALL),),
    "t_closeness": (Parameter("t", _THOUSANDTH, _NEARLY_ALL),),
    "delta_disclosure": (Parameter("delta", _HUNDREDTH, Fraction(100)),),
    "beta_likeness": (Parameter("beta", _HUNDREDTH, Fraction(1_000_000)),),
    "average_risk": (Parameter("limit", _THOUSANDTH, _NEARLY_ALL),),
    "share_at_risk": (
        Parameter("share", _THOUSANDTH, _NEARLY_ALL),
        Parameter("threshold", _THOUSANDTH, Fraction(1)),
    ),
    "sample_uniqueness": (Parameter("share", _THOUSANDTH, _NEARLY_ALL),),
}


def parameters_of(model: Model) -> tuple[Parameter, ...]:
    """Return the options of a model that may become weaker; none for a model that is not known here.

    Examples
    --------
    >>> [parameter.option for parameter in parameters_of(LDiversity(3, on="ill", kind="recursive", c=2))]
    ['l', 'c']
    """
    kind: Any = getattr(model, "kind", None)
    if isinstance(model, LDiversity) and kind == "entropy":
        return (Parameter("l", _HUNDREDTH, Fraction(101, 100)),)
    if isinstance(model, LDiversity) and kind == "recursive":
        return (*_PARAMETERS["l_diversity"], Parameter("c", _HUNDREDTH, Fraction(1_000_000)))
    return _PARAMETERS.get(model.name, ())
