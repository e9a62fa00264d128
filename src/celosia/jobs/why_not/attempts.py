"""Attempts: the changes of a plan that may make its demand reachable, each tried and priced."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from celosia.data.schema import Table
from celosia.jobs.plan import Plan
from celosia.jobs.why_not.blocks import blocked_models, n_may_go
from celosia.jobs.why_not.parameters import Parameter, parameters_of
from celosia.jobs.why_not.relaxations import Kind, Relaxation, priced
from celosia.jobs.why_not.trials import Figures, Trials, weakened_least
from celosia.masks import Drop
from celosia.models import KAnonymity
from celosia.models.base import Model
from celosia.search import Lattice, Weave
from celosia.search.ladders import ladder_of


@dataclass(frozen=True)
class Attempt:
    """A kind of change that may be tried: what it is, and what it finds (``None`` if it does not help)."""

    what: str
    run: Callable[[], Relaxation | None]


def attempts(trials: Trials) -> list[Attempt]:
    """Return every single change that may help: weaker and dropped models, more suppression, dropped columns."""
    plan, table = trials.plan, trials.table
    single: list[Attempt] = []
    if len(plan.models) > 1:
        for place, model in enumerate(plan.models):
            single.append(
                Attempt(f"without {model.name}", lambda place=place: _without_model(trials, place))  # type: ignore[misc]
            )
    if not isinstance(plan.algorithm, Weave):
        single.append(Attempt("another algorithm", lambda: _other_algorithm(trials)))
    halved = [
        Attempt(
            f"{model.name}: another {parameter.option}",
            lambda place=place, parameter=parameter: _weaker(trials, place, parameter),  # type: ignore[misc]
        )
        for place, model in enumerate(plan.models)
        for parameter in parameters_of(model)
    ]
    halved.append(Attempt("a larger max_suppression", lambda: _more_suppression(trials)))
    halved += [Attempt(f"other levels of '{column}'", run) for column, run in _wider_levels(trials)]
    dropped: list[Attempt] = []
    if len(table.schema.quasi_identifiers) > 1:
        for column in table.schema.quasi_identifiers:
            dropped.append(
                Attempt(f"without '{column}'", lambda column=column: _without_column(trials, column))  # type: ignore[misc]
            )
    return [*single, *halved, *dropped]


def together(trials: Trials) -> Relaxation | None:
    """Weaken every model that is out of reach by itself, each as little as it needs alone; drop what cannot be met."""
    plan, models, said, changes = trials.plan, [], [], []
    blocked = [model for model, _ in blocked_models(plan, trials.table)]
    for model in plan.models:
        if model not in blocked:
            models.append(model)
            continue
        best = _best_alone(trials, model)
        changes.append({"model": model.name, "on": model.to_dict().get("on")} | ({} if best is None else best[1]))
        said.append(f"drop {_named(model)}" if best is None else best[2])
        models += [] if best is None else [best[0]]
    if len(said) < 2 or not models:
        return None
    changed = replace(plan, models=models)
    figures = trials.price(changed)
    return (
        None if figures is None else _priced(trials, "several", "; ".join(said), {"changes": changes}, changed, figures)
    )


def _best_alone(trials: Trials, model: Model) -> tuple[Model, dict[str, Any], str] | None:
    """Return the model weakened as little as it needs where nothing else is demanded, and the change."""
    for parameter in parameters_of(model):

        def alone(step: int, parameter: Parameter = parameter) -> Plan:
            return replace(trials.plan, models=[parameter.weaker(model, step)])

        least = weakened_least(
            parameter.steps(model), lambda step: trials.price(alone(step)), lambda step: trials.may(alone(step))
        )
        if least is not None:
            weaker = parameter.weaker(model, least[0])
            return weaker, _change(model, weaker, parameter), _told(model, weaker, parameter)
    return None


def _weaker(trials: Trials, place: int, parameter: Parameter) -> Relaxation | None:
    plan = trials.plan
    model = plan.models[place]

    def changed(step: int) -> Plan:
        weaker = parameter.weaker(model, step)
        return replace(plan, models=[weaker if at == place else own for at, own in enumerate(plan.models)])

    least = weakened_least(
        _sensible(parameter, model, trials.table),
        lambda step: trials.price(changed(step)),
        lambda step: trials.may(changed(step)),
    )
    if least is None:
        return None
    step, figures = least
    weaker = parameter.weaker(model, step)
    return _priced(
        trials,
        "smaller_k" if isinstance(model, KAnonymity) else "weaker_model",
        _told(model, weaker, parameter),
        {"model": model.name, "on": model.to_dict().get("on")} | _change(model, weaker, parameter),
        changed(step),
        figures,
    )


def _sensible(parameter: Parameter, model: Model, table: Table) -> Sequence[int]:
    """Return the steps to try; no k above the number of people."""
    steps = parameter.steps(model)
    if isinstance(model, KAnonymity):
        return range(2, min(model.k, table.n_units + 1))
    return steps


def _more_suppression(trials: Trials) -> Relaxation | None:
    """Find the fewest rows that must be allowed to go."""
    plan, n_rows = trials.plan, trials.table.n_rows
    allowed = n_may_go(plan, trials.table)

    def changed(n_gone: int) -> Plan:
        return replace(plan, max_suppression=share_of(n_gone, n_rows))

    least = weakened_least(
        range(n_rows, allowed, -1),
        lambda n_gone: trials.price(changed(n_gone)),
        lambda n_gone: trials.may(changed(n_gone)),
    )
    if least is None:
        return None
    share = share_of(least[0], n_rows)
    return _priced(
        trials,
        "more_suppression",
        f"max_suppression: {plan.max_suppression:g} -> {share:g}",
        {"max_suppression": share},
        changed(least[0]),
        least[1],
    )


def _wider_levels(trials: Trials) -> list[tuple[str, Callable[[], Relaxation | None]]]:
    """Return, for each column whose levels are limited, the search for the lowest limit that helps."""
    algorithm = trials.plan.algorithm
    if not isinstance(algorithm, Lattice):
        return []
    given = algorithm.levels.items()
    limits = {column: (bound, bound) if isinstance(bound, int) else (bound[0], bound[1]) for column, bound in given}
    tops = {column.name: ladder_of(column, column.codes).n_levels - 1 for column in trials.table.quasi_identifiers}
    return [
        (column, lambda column=column, limit=limit: _wider(trials, column, limit, tops[column]))  # type: ignore[misc]
        for column, limit in limits.items()
        if limit[1] < tops.get(column, 0)
    ]


def _wider(trials: Trials, column: str, limit: tuple[int, int], top: int) -> Relaxation | None:
    plan = trials.plan
    algorithm = plan.algorithm
    assert isinstance(algorithm, Lattice)

    def changed(most: int) -> Plan:
        return replace(plan, algorithm=replace(algorithm, levels={**algorithm.levels, column: (limit[0], most)}))

    least = weakened_least(range(top, limit[1], -1), lambda most: trials.price(changed(most)))
    if least is None:
        return None
    most, figures = least
    message = f"highest level of '{column}': {limit[1]} -> {most}"
    return _priced(trials, "wider_levels", message, {"column": column, "level": most}, changed(most), figures)


def _other_algorithm(trials: Trials) -> Relaxation | None:
    """Try a search that recodes row by row, which reaches whatever can be reached."""
    changed = replace(trials.plan, algorithm=Weave())
    figures = trials.price(changed)
    if figures is None:
        return None
    message = f"algorithm: {trials.plan.algorithm.name} -> weave"
    return _priced(trials, "other_algorithm", message, {"algorithm": "weave"}, changed, figures)


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
    figures = trials.price(changed)
    if figures is None:
        return None
    change = {"model": model.name, "on": model.to_dict().get("on")}
    return _priced(trials, "drop_model", f"drop {_named(model)}", change, changed, figures)


def _without_column(trials: Trials, column: str) -> Relaxation | None:
    plan, schema = trials.plan, trials.table.schema
    changed = replace(plan, masks=[*plan.masks, Drop(columns=[column])])
    if isinstance(plan.algorithm, Lattice):  # a limit on the levels of a column that is gone would be refused
        left = {name: bound for name, bound in plan.algorithm.levels.items() if name != column}
        changed = replace(changed, algorithm=replace(plan.algorithm, levels=left))
    figures = trials.price(changed)
    if figures is None:
        return None
    figures = trials.refined(changed, figures)
    weights = {name: float(schema.weights.get(name, 1.0)) for name in schema.quasi_identifiers}
    kept = sum(weights.values()) - weights[column]
    figures = figures | {"gcp": (kept * figures["gcp"] + weights[column]) / sum(weights.values())}
    return priced("drop_column", f"drop the column '{column}'", {"column": column}, changed, figures)


def _priced(
    trials: Trials, kind: Kind, message: str, change: Mapping[str, Any], plan: Plan, figures: Figures
) -> Relaxation:
    return priced(kind, message, change, plan, trials.refined(plan, figures))


def _named(model: Model) -> str:
    on = model.to_dict().get("on")
    return model.name if on is None else f"{model.name} on '{on}'"


def _told(model: Model, weaker: Model, parameter: Parameter) -> str:
    asked, now = getattr(model, parameter.option), getattr(weaker, parameter.option)
    return f"{_named(model)}: {parameter.option} {asked:g} -> {now:g}"


def _change(model: Model, weaker: Model, parameter: Parameter) -> dict[str, Any]:
    return {
        "option": parameter.option,
        "from": getattr(model, parameter.option),
        "to": getattr(weaker, parameter.option),
    }
