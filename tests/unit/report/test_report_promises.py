"""Every model says in both languages what it promises, what that means, and what it leaves open."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass
from html import unescape
from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest
from ruamel.yaml import YAML

import celosia as cl
from celosia.data.classes import Classes
from celosia.jobs import registry
from celosia.models.base import Monotone
from celosia.report import render
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.promises import SPOKEN, promise_of

HARM = cl.Tree([["flu", "mild"], ["cold", "mild"], ["gout", "grave"], ["stroke", "grave"]])
PEOPLE = pl.DataFrame({"age": [float(age) for age in range(20, 60)] * 10})
MODELS = [
    cl.KAnonymity(2),
    cl.AlphaK(0.5, on="ill"),
    cl.AlphaK(0.5, on="ill", values=["gout"]),
    cl.AlphaK(0.5, on="ill", values=["gout", "stroke"]),
    cl.PSensitive(2, on="ill"),
    cl.PSensitive(2, on="ill", hierarchy=HARM, level=1),
    cl.LDiversity(2, on="ill"),
    cl.LDiversity(2.5, on="ill", kind="entropy"),
    cl.LDiversity(2, on="ill", kind="recursive", c=2),
    cl.LDiversity(3, on="ill", kind="recursive", c=2.5),
    cl.TCloseness(0.4, on="ill"),
    cl.TCloseness(0.4, on="ill", distance="ordered"),
    cl.TCloseness(0.4, on="pay", distance="numeric"),
    cl.TCloseness(0.4, on="ill", distance="hierarchical", hierarchy=HARM),
    cl.DeltaDisclosure(1.5, on="ill"),
    cl.DeltaDisclosure(2, on="ill", kind="present", base=2),
    cl.BetaLikeness(1.5, on="ill"),
    cl.BetaLikeness(1.5, on="ill", kind="enhanced"),
    cl.KMap(3, population=PEOPLE),
    cl.KMap(3, population=1000),
    cl.AverageRisk(0.25),
    cl.ShareAtRisk(0.1, threshold=0.25),
    cl.ShareAtRisk(0, threshold=0.25),
    cl.SampleUniqueness(0.05),
    cl.SampleUniqueness(0),
]
ENGLISH, SPANISH = Language("en"), Language("es")


def table(subject: str | None = None) -> cl.Table:
    generator = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "who": [f"{row // 2}" for row in range(120)],
            "age": generator.integers(20, 60, 120).astype(float),
            "ill": ["flu", "cold", "gout", "stroke"] * 30,
            "pay": generator.integers(1000, 1010, 120),
        }
    )
    given = {"subject": subject} if subject else {"identifiers": ["who"]}
    return cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill", "pay"], **given))


def released(*models: Any, subject: str | None = None, **options: Any) -> cl.Release:
    return cl.Plan(models=list(models), algorithm=cl.Mondrian(), seed=1, **options).run(table(subject))


def named(model: Any) -> str:
    return "-".join([model.name, *(str(value) for value in model.to_dict().values() if isinstance(value, str | int))])


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", text)).replace("\xa0", " "))


def section(page: str, name: str) -> str:
    return plain(page.split(f'<section id="{name}"')[1].split("</section>")[0])


def test_every_model_of_the_house_is_spoken_of_and_tried_here():
    assert set(SPOKEN) == set(registry.classes_in("models")) == {model.name for model in MODELS}


@pytest.mark.parametrize("subject", [None, "who"])
@pytest.mark.parametrize("model", MODELS, ids=named)
def test_every_model_has_all_its_sentences_in_both_languages(model, subject):
    facts = Facts.of(released(model, subject=subject))
    english, spanish = asdict(promise_of(model, facts, ENGLISH)), asdict(promise_of(model, facts, SPANISH))
    for part, sentence in english.items():
        if part == "choice" and model.name != "k_anonymity":
            continue  # one sentence for all of them
        assert sentence.strip()
        assert spanish[part].strip()
        assert not re.search(r"[{}]", sentence + spanish[part])
        assert spanish[part] != sentence or part == "title"
    said = " ".join(english.values())
    secret = model.to_dict().get("on")
    assert secret is None or f"'{secret}'" in english["meaning"]
    assert secret is None or f"«{secret}»" in spanish["meaning"]
    assert ("Where a person has several rows" in said) == (subject is not None and secret is not None)


@pytest.mark.parametrize("model", MODELS, ids=named)
@pytest.mark.parametrize("lang", ["en", "es"])
def test_what_is_said_stands_in_the_page(model, lang):
    release = released(model)
    promise = promise_of(model, Facts.of(release), Language(lang))
    found = section(render(release, lang), "claim")
    assert all(plain(sentence) in found for sentence in asdict(promise).values())


@pytest.mark.parametrize(
    ("model", "english", "spanish"),
    [
        (cl.AlphaK(0.5, on="ill"), "in more than 50% of the rows", "en más del 50 % de las filas"),
        (cl.LDiversity(2.5, on="ill", kind="entropy"), "at least ln 2.5;", "al menos ln 2,5;"),
        (cl.LDiversity(3, on="ill", kind="recursive", c=3), "with a chance below 75%", "menor que el 75 %"),
        (cl.LDiversity(3, on="ill", kind="recursive", c=3), "they know of 1 other value", "si sabe que 1 otro valor"),
        (cl.TCloseness(0.4, on="pay", distance="numeric"), "0.4 of their whole range", "0,4 de su recorrido"),
        (cl.DeltaDisclosure(2, on="ill", kind="present", base=2), "less than 4 times", "menos de 4 veces"),
        (cl.DeltaDisclosure(1, on="ill"), "less than 2.719 times", "menos de 2,719 veces"),
        (cl.DeltaDisclosure(1000, on="ill"), "less than e^1000 times", "menos de e^1000 veces"),
        (cl.BetaLikeness(1.5, on="ill"), "more than 2.5 times as likely", "más de 2,5 veces tan probable"),
        (cl.KMap(4, population=10_000), "above 1/4 = 25%", "mayor que 1/4 = 25 %"),
        (cl.KMap(4, population=10_000), "population of 10,000 people", "población de 10 000 personas"),
        (cl.KMap(4, population=PEOPLE), "population table of 400 rows", "tabla de población de 400 filas"),
        (cl.AverageRisk(0.25), "for at most 25% of the rows", "en a lo sumo el 25 % de las filas"),
        (cl.ShareAtRisk(0.1, threshold=0.25), "above 25%, but for", "mayor que el 25 %, salvo"),
        (
            cl.ShareAtRisk(0, threshold=0.25),
            "No row above a risk of 25%",
            "Ninguna fila por encima de un riesgo del 25 %",
        ),
        (cl.SampleUniqueness(0), "single out nobody", "no señalan a nadie"),
        (cl.SampleUniqueness(0.05), "at most 5% of the rows", "a lo sumo el 5 % de las filas"),
    ],
)
def test_figures_are_said(model, english, spanish):
    facts = Facts.of(released(model))
    for language, words in ((ENGLISH, english), (SPANISH, spanish)):
        assert words in plain(" ".join(asdict(promise_of(model, facts, language)).values()))


@pytest.mark.parametrize("delta", [0.01, 0.4, 1, 3.3, 9])
def test_a_factor_is_never_said_too_small(delta):
    model = cl.DeltaDisclosure(delta, on="ill")
    promise = promise_of(model, Facts.of(released(model)), ENGLISH).promise
    factor = float(re.search(r"less than ([\d.,]+) times", promise)[1].replace(",", ""))
    assert math.exp(delta) <= factor <= math.exp(delta) * 1.001


def test_without_quasi_identifiers_all_rows_are_one_class():
    frame = pl.DataFrame({"ill": ["flu", "cold"] * 4})
    release = cl.Plan(models=[cl.LDiversity(2, on="ill")]).run(cl.Table(frame, cl.Schema(sensitive=["ill"])))
    said = promise_of(cl.LDiversity(2, on="ill"), Facts.of(release), ENGLISH).promise
    assert said.startswith("In all rows, which are one class, there are at least 2 different values")


def test_a_secret_that_is_a_quasi_identifier_is_judged_over_the_others():
    generator = np.random.default_rng(3)
    frame = pl.DataFrame({"age": generator.integers(20, 60, 200), "job": generator.choice(["a", "b", "c"], 200)})
    schema = cl.Schema(quasi_identifiers={"age": "number", "job": "category"}, sensitive=["job"])
    model = cl.LDiversity(2, on="job")
    release = cl.Plan(models=[cl.KAnonymity(3), model]).run(cl.Table(frame, schema))
    assert promise_of(model, Facts.of(release), ENGLISH).promise.startswith(
        "In every class of rows that are equal on all quasi-identifiers but 'job', there are at least 2"
    )
    page = render(release, "en")
    assert "job quasi-identifier and sensitive as it is" in section(page, "roles")
    assert "'job' is published as it is: models judge it as a secret" in section(page, "steps")
    fewest = release.rows.group_by("age").agg(pl.col("job").n_unique())["job"].min()
    assert f"fewest values of 'job' in a class {fewest} different" in plain(page)
    assert Facts.of(release).judged(model).n_classes < release.classes.n_classes
    assert Facts.of(release).judged(cl.KAnonymity(3)) is release.classes


def test_declared_values_and_trees_are_not_shown_but_the_plan_says_where_they_go():
    declared = cl.AlphaK(0.5, on="ill", values=["gout"])
    grouped = cl.PSensitive(2, on="ill", hierarchy=HARM, level=1)
    release = released(declared, grouped, cl.KMap(3, population=PEOPLE), cl.LDiversity(2, on="ill"))
    for lang in ("en", "es"):
        page = render(release, lang)
        assert not any(value in page for value in ("gout", "mild", "grave"))
        plan = YAML(typ="safe").load(unescape(page.split("<pre><code>")[1].split("</code></pre>")[0]))
        assert plan["models"] == [
            {"alpha_k": {"alpha": 0.5, "on": "ill", "values": ["..."]}},
            {"p_sensitive": {"p": 2, "on": "ill", "level": 1, "hierarchy": {"tree": "ill.csv"}}},
            {"k_map": {"k": 3, "population": "population.csv"}},
            {"l_diversity": {"l": 2, "on": "ill", "kind": "distinct"}},
        ]
    assert "Trees, orders, populations and declared values are named" in section(render(release, "en"), "repeat")
    assert "declared values are named" not in section(render(released(cl.KAnonymity(2)), "en"), "repeat")


def test_models_bring_the_limits_that_they_share():
    compared, mean, member = "tells is not hidden", "A mean protects nobody", "must stay secret"
    for model in MODELS:
        found = section(render(released(model), "en"), "limits")
        assert (compared in found) == (model.name in ("t_closeness", "delta_disclosure", "beta_likeness"))
        assert (mean in found) == (model.name in ("average_risk", "share_at_risk", "sample_uniqueness"))
        assert (member in found) == (model.name == "k_map")


def test_the_rules_of_counting_follow_the_models():
    missing, whole = "a missing one does not count", "compared with all published rows"
    for model in MODELS:
        found = section(render(released(model), "en"), "claim")
        counts = model.name == "p_sensitive" or model.to_dict().get("kind") == "distinct"
        assert (missing in found) == counts
        assert (whole in found) == (model.name in ("t_closeness", "delta_disclosure", "beta_likeness"))


def test_the_head_tells_the_fewest_values_only_where_values_are_counted():
    page = plain(render(released(cl.LDiversity(3, on="ill")), "en"))
    assert "fewest values of 'ill' in a class" in page
    assert "different and known; the plan demands 3" in page
    entropy = plain(render(released(cl.LDiversity(2.5, on="ill", kind="entropy")), "en"))
    assert "fewest values of 'ill' in a class" not in entropy


def test_people_choose_the_parameters():
    both = section(render(released(cl.KAnonymity(2), cl.AverageRisk(0.2)), "en"), "claim")
    assert "k = 2 was set in the plan: Celosía never chooses it." in both
    assert both.count("parameters of the models were set in the plan") == 1
    assert "parameters of the models" not in section(render(released(cl.KAnonymity(2)), "en"), "claim")


def test_repair_is_told_where_a_model_may_need_it():
    assert "merged with its nearest" in section(render(released(cl.LDiversity(2, on="ill")), "en"), "steps")
    assert "merged with its nearest" not in section(render(released(cl.KAnonymity(2)), "en"), "steps")


@dataclass(frozen=True)
class Lenient:
    """A model from outside the house: nobody has written sentences for it."""

    level: int = 3
    name: ClassVar[str] = "lenient"
    needs: ClassVar[tuple[str, ...]] = ()
    monotone: ClassVar[Monotone] = Monotone(True, True, True)
    smallest_class: ClassVar[int] = 1

    def to_dict(self) -> dict[str, Any]:
        return {"level": self.level}

    def broken(self, classes: Classes, table: cl.Table) -> np.ndarray:
        return np.zeros(0, dtype=np.int64)


def test_a_model_from_outside_is_named_with_its_options():
    promise = promise_of(Lenient(), Facts.of(released(cl.KAnonymity(2))), SPANISH)
    assert promise.title == "lenient (level = 3)"
    assert promise.meaning == promise.promise == promise.caveat == promise.choice == ""
