"""The models about secrets by plain definitions, and small tables to judge by them."""

from __future__ import annotations

import itertools
from collections import Counter
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import polars as pl
from hypothesis import strategies as st

import celosia as cl
from celosia.models import AlphaK, BetaLikeness, DeltaDisclosure, KAnonymity, LDiversity, PSensitive, TCloseness

TREE = cl.Tree(
    [
        ("gastritis", "stomach", "digestive", "*"),
        ("ulcer", "stomach", "digestive", "*"),
        ("colitis", "colon", "digestive", "*"),
        ("flu", "lung", "breathing", "*"),
        ("asthma", "lung", "breathing", "*"),
        ("cold", "nose", "breathing", "*"),
    ]
)
WORDS = [row[0] for row in TREE.rows]
GASTRITIS, FLU = "gastritis", "flu"
NUMBERS = ["3", "10", "2.5", "1e1", "-4", "0.1"]


def table_of(secrets):
    frame = pl.DataFrame({"age": list(range(len(secrets))), "ill": pl.Series(secrets, dtype=pl.String)})
    return cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))


def exact(number):
    return Fraction(str(number))


# The definitions, read aloud. Each takes the secrets of one class and of all published rows.


def share(values, value):
    return Fraction(sum(one == value for one in values), len(values))


def keeps_alpha(model, own, everyone):
    guarded = set(own) if model.values is None else set(model.values)
    return all(share(own, value) <= exact(model.alpha) for value in guarded)


def keeps_p(model, own, everyone):
    paths = {row[0]: row for row in TREE.rows}
    known = [value for value in own if value is not None]
    return len({paths[value][model.level] if model.hierarchy else value for value in known}) >= model.p


def keeps_l(model, own, everyone):
    if model.kind == "distinct":
        return len(set(own) - {None}) >= model.l
    counts = sorted(Counter(own).values(), reverse=True)
    if model.kind == "recursive":
        return len(counts) >= model.l and counts[0] < exact(model.c) * sum(counts[model.l - 1 :])
    size, powers = len(own), Fraction(1)
    for count in counts:
        powers *= Fraction(count) ** count
    return Fraction(size) ** size >= exact(model.l) ** size * powers


def distance(model, own, everyone):
    values = set(everyone)
    if len(values) == 1:
        return Fraction(0)
    gain = {value: share(own, value) - share(everyone, value) for value in values}
    if model.distance == "equal":
        return sum(abs(one) for one in gain.values()) / 2
    if model.distance == "hierarchical":
        return climbed(gain, ("*",), 3)[0]
    if model.hierarchy is not None:
        place = {value: -1 if value is None else WORDS.index(value) for value in values}
    elif values - {None} <= set(NUMBERS):
        place = {value: Fraction(value) if value is not None else Fraction(-(10**9)) for value in values}
    else:
        place = {value: value or "" for value in values}
    stops = sorted(set(place.values()))
    total, running = Fraction(0), Fraction(0)
    for here, following in itertools.pairwise(stops):
        running += sum(gain[value] for value in values if place[value] == here)
        total += abs(running) * (following - here if model.distance == "numeric" else 1)
    whole = stops[-1] - stops[0] if model.distance == "numeric" else len(stops) - 1
    return total / whole if whole else Fraction(0)


def climbed(gain, path, height):
    """Return the cost below a node and what is left over there: the spec's recursion over pos and neg."""
    if height == 0:
        return Fraction(0), gain.get(path[0], Fraction(0))
    depth = len(path)
    below = {row[-depth - 1 :] for row in TREE.rows if row[-depth:] == path}
    parts = [climbed(gain, child, height - 1) for child in below]
    if height == 3 and None in gain:
        parts.append((Fraction(0), gain[None]))
    positive = sum(left for _, left in parts if left > 0)
    negative = -sum(left for _, left in parts if left < 0)
    cost = sum((cost for cost, _ in parts), Fraction(0)) + Fraction(height, 3) * min(positive, negative)
    return cost, positive - negative


def keeps_t(model, own, everyone):
    return distance(model, own, everyone) <= exact(model.t)


def log(number):
    return Decimal(number.numerator).ln() - Decimal(number.denominator).ln()


def keeps_delta(model, own, everyone):
    for value in set(everyone):
        ratio = share(own, value) / share(everyone, value)
        if ratio == 0:
            if model.kind == "strict":
                return False
            continue
        if model.base is not None:
            delta, base = exact(model.delta), exact(model.base)
            farthest = max(ratio, 1 / ratio)
            if farthest**delta.denominator >= base**delta.numerator:
                return False
        else:
            with localcontext(Context(prec=60)):
                if abs(log(ratio)) >= Decimal(str(model.delta)):
                    return False
    return True


def keeps_beta(model, own, everyone):
    for value in set(own):
        before = share(everyone, value)
        gain = (share(own, value) - before) / before
        if gain > exact(model.beta):
            return False
        if model.kind == "enhanced" and gain > 0:
            with localcontext(Context(prec=60)):
                if Decimal(gain.numerator) / Decimal(gain.denominator) > -log(before):
                    return False
    return True


PLAIN = {
    "alpha_k": keeps_alpha,
    "p_sensitive": keeps_p,
    "l_diversity": keeps_l,
    "t_closeness": keeps_t,
    "delta_disclosure": keeps_delta,
    "beta_likeness": keeps_beta,
    "k_anonymity": lambda model, own, everyone: len(own) >= model.k,
}


def plainly_broken(model, labels, secrets):
    everyone = [secret for secret, label in zip(secrets, labels, strict=True) if label >= 0]
    classes = {}
    for secret, label in zip(secrets, labels, strict=True):
        if label >= 0:
            classes.setdefault(label, []).append(secret)
    return [label for label, own in sorted(classes.items()) if not PLAIN[model.name](model, own, everyone)]


SHARES = st.sampled_from([0.1, 0.2, 0.25, 1 / 3, 0.5, 0.6, 2 / 3, 0.75])
POSITIVE = st.sampled_from([0.1, 0.5, 1, 1.5, 2, 3, 0.25, 1 / 3])

EXAMPLES = {
    "k": KAnonymity(2),
    "alpha": AlphaK(0.7, on="ill"),
    "alpha of some": AlphaK(0.7, on="ill", values=[GASTRITIS]),
    "p": PSensitive(2, on="ill"),
    "p at a level": PSensitive(2, on="ill", hierarchy=TREE, level=2),
    "distinct": LDiversity(2, on="ill"),
    "entropy": LDiversity(1.7, on="ill", kind="entropy"),
    "recursive": LDiversity(2, on="ill", kind="recursive", c=2.5),
    "t equal": TCloseness(0.3, on="ill"),
    "t ordered": TCloseness(0.3, on="ill", distance="ordered"),
    "t hierarchical": TCloseness(0.3, on="ill", distance="hierarchical", hierarchy=TREE),
    "delta strict": DeltaDisclosure(0.62, on="ill"),
    "delta present": DeltaDisclosure(0.62, on="ill", kind="present"),
    "beta": BetaLikeness(0.8, on="ill"),
    "beta enhanced": BetaLikeness(0.8, on="ill", kind="enhanced"),
}
