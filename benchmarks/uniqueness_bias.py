"""How far estimates of population uniques are off: populations of known uniqueness, sampled again and again."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

import celosia as cl
from benchmarks.sheet import Row, Sheet
from celosia.measure.risk.dankar import dankar
from celosia.measure.risk.pitman import pitman
from celosia.measure.risk.snb import snb
from celosia.measure.risk.zayatz import zayatz

ESTIMATORS = {"zayatz": zayatz, "pitman": pitman, "snb": snb, "dankar": dankar}
SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)
SHEET = Sheet(
    "uniqueness_bias",
    "How far estimates of population uniques are off",
    "bias: the mean of (estimate - uniques) / uniques over the samples where the estimate is defined; relative error: "
    "its root mean square.",
    ("population", "drawn", "uniques", "estimator", "bias", "relative error", "undefined"),
)

Labels = NDArray[np.int64]
Generator = np.random.Generator


def uniform(n_people: int, generator: Generator) -> Labels:
    """Draw people who fall evenly into as many cells as there are people."""
    return generator.integers(0, n_people, n_people)


def zipf(n_people: int, generator: Generator) -> Labels:
    """Draw people whose cells have chances 1 / rank."""
    weights = 1 / np.arange(1, n_people + 1)
    return generator.choice(n_people, n_people, p=weights / weights.sum())


def columns(n_people: int, generator: Generator) -> Labels:
    """Draw age, education, occupation, status, sex and country, each on its own and about as skewed as in Adult."""
    age = np.clip(generator.gamma(8, 5, n_people), 17, 90).astype(np.int64)
    skewed = [generator.geometric(chance, n_people) % most for chance, most in ((0.25, 16), (0.15, 14), (0.45, 7))]
    sex = generator.random(n_people) < 0.67
    country = np.where(generator.random(n_people) < 0.9, 0, generator.integers(1, 42, n_people))
    return cl.Classes.of([age, *skewed, sex.astype(np.int64), country]).labels


def pitman_model(n_people: int, generator: Generator, theta: float = 300.0, alpha: float = 0.6) -> Labels:
    """Seat people one after the other: a new class by (theta + alpha u) / (theta + i), else one by its size - alpha.

    A person among those seated is chosen evenly; one who opened their class is taken with the chance 1 - alpha only.
    """
    chances, other = generator.random((2, n_people))
    labels, opened, n_classes = [0], [True], 1
    for i in range(1, n_people):
        is_new = chances[i] * (theta + i) < theta + alpha * n_classes
        host = int(other[i] * i)
        while not is_new and opened[host] and generator.random() < alpha:
            host = int(generator.random() * i)
        labels.append(n_classes if is_new else labels[host])
        opened.append(is_new)
        n_classes += is_new
    return np.array(labels, dtype=np.int64)


def snb_model(n_people: int, generator: Generator, a: float = 0.7, b: float = 0.15) -> Labels:
    """Make as many classes of 1 + a negative binomial number of people as so many people are expected to have."""
    n_classes = round(n_people / (1 + a * (1 - b) / b))
    return np.repeat(np.arange(n_classes), 1 + generator.negative_binomial(a, b, n_classes))


POPULATIONS: dict[str, Callable[[int, Generator], Labels]] = {
    "uniform": uniform,
    "Zipf": zipf,
    "independent columns": columns,
    "Pitman's model": pitman_model,
    "shifted negative binomial": snb_model,
}


def errors(
    labels: Labels, share: float, n_samples: int, generator: Generator
) -> tuple[int, dict[str, NDArray[np.float64]]]:
    """Return a population's uniques, and per estimator (estimate - uniques) / uniques of each sample; NaN undefined."""
    n_people = len(labels)
    n_uniques = int((np.bincount(labels) == 1).sum())
    found: dict[str, list[float]] = {name: [] for name in ESTIMATORS}
    for _ in range(n_samples):
        classes = cl.Classes(labels[generator.choice(n_people, int(share * n_people), replace=False)])
        for name, estimator in ESTIMATORS.items():
            uniques = estimator(classes, n_people).uniques
            found[name].append(np.nan if uniques is None else uniques / n_uniques - 1)
    return n_uniques, {name: np.array(values) for name, values in found.items()}


def _rows(n_people: int, n_samples: int, chosen: list[str]) -> Iterator[Row]:
    generator = np.random.default_rng(9)
    for name in chosen:
        labels = POPULATIONS[name](n_people, generator)
        for share in SHARES:
            n_uniques, found = errors(labels, share, n_samples, generator)
            for estimator, values in found.items():
                known = values[~np.isnan(values)]
                figures = (f"{known.mean():+.1%}", f"{np.sqrt((known**2).mean()):.1%}") if len(known) else ("", "")
                n_undefined = len(values) - len(known)
                yield name, f"{share:.0%}", f"{n_uniques:,}", estimator, *figures, f"{n_undefined} of {n_samples}"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.uniqueness_bias", description=__doc__)
    parser.add_argument("--people", type=int, default=100_000, help="of each population")
    parser.add_argument("--samples", type=int, default=20, help="of each population and share")
    parser.add_argument("--populations", nargs="*", default=list(POPULATIONS), choices=list(POPULATIONS))
    options = parser.parse_args()
    SHEET.fill(_rows(options.people, options.samples, options.populations), docs=False)


if __name__ == "__main__":
    main()
