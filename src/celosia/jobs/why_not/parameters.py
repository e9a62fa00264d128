"""Parameters: how each model's demand becomes weaker, step by step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

from celosia.models import LDiversity
from celosia.models.base import Model


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
