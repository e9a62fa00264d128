"""The section about risk: its figures are those of ``cl.risk``, its pictures those of a plain count."""

from __future__ import annotations

import re
import sys
from collections import Counter
from fractions import Fraction
from html import unescape

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from trying import tries

import celosia as cl
from celosia.measure.risk.insiders import insiders
from celosia.measure.risk.journalist import journalist
from celosia.measure.risk.matches import matches
from celosia.measure.risk.scenarios import Acquaintance, Breach, Insider, PublicRelease
from celosia.measure.risk.situation import Situation
from celosia.report import charts, render
from celosia.report.charts import Pair
from celosia.report.drawing import WIDTH
from celosia.report.facts import Facts
from celosia.report.language import LANGUAGES, Language
from celosia.report.sections.risk import risk

THREE = (Insider("medium", "high"), Acquaintance(q=0.001), Breach(rate=0.27, source="a survey", date="2025-01-31"))


def frame(n_rows: int = 300, seed: int = 5) -> pl.DataFrame:
    generator = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "who": [f"CANARYwho{one}" for one in generator.integers(0, n_rows * 2 // 3, n_rows)],
            "age": generator.integers(20, 60, n_rows),
            "job": [f"CANARYjob{one}" for one in np.minimum(generator.geometric(0.4, n_rows), 9)],
        }
    )


def released(*, rows=None, subject=None, models=(cl.KAnonymity(5),), risk=None) -> cl.Release:
    rows = frame().drop("who") if rows is None else rows
    schema = cl.Schema(quasi_identifiers={"age": "number", "job": "category"}, subject=subject)
    plan = cl.Plan(models=list(models), algorithm=cl.Mondrian(), risk=risk)
    return plan.run(cl.Table(rows, schema))


def with_gaps() -> pl.DataFrame:
    rows = frame().drop("who")
    gap = pl.Series(np.random.default_rng(1).random(rows.height) < 0.1)
    return rows.with_columns(job=pl.when(gap).then(None).otherwise(pl.col("job")))


def page_of(release: cl.Release, lang: str = "en") -> str:
    """The section as it stands in the page."""
    part = render(release, lang).split('<section id="risk"')[1].split("</section>")[0]
    return part.partition(">")[2].replace("\xa0", " ")


def words_of(part: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<svg.*?</svg>|<[^>]*>", " ", part, flags=re.S)))


def groups_of(part: str) -> list[str]:
    return [words_of(one) for one in part.split("<tbody>")[1:]]


def pictures_of(part: str) -> list[str]:
    return [unescape(label) for label in re.findall(r'<svg class="chart"[^>]* aria-label="([^"]*)"', part)]


def spelt(before: float | None, after: float | None) -> str:
    language = Language("en")
    return " ".join("undefined" if one is None else language.percent(one) for one in (before, after))


def test_the_prosecutors_figures_are_those_of_the_library():
    release = released()
    before, after = cl.risk.prosecutor(release.table), cl.risk.prosecutor(release)
    first = groups_of(page_of(release))[0]
    assert "(prosecutor)" in first
    assert f"greatest, of any row {spelt(before.max, after.max)}" in first
    assert f"mean over the rows {spelt(before.mean, after.mean)}" in first
    assert f"share of rows above 20% {spelt(before.share_at_risk, after.share_at_risk)}" in first
    assert 0 < before.share_at_risk < 1
    assert first.count("marketer") == 1
    assert "(journalist)" not in words_of(page_of(release))


def test_a_participant_hides_among_one_fewer():
    release = released(subject="who", rows=frame())
    before, after = insiders(release.table), insiders(release)
    found = groups_of(page_of(release))[1]
    assert after.effective_k == release.k - 1 > 1
    assert f"at least {before.effective_k} {after.effective_k}" in found
    assert f"greatest, of any row {spelt(before.risk.max, after.risk.max)}" in found


def test_a_population_table_gives_the_journalists_figures():
    people = frame(2000).drop("who")
    release = released(rows=people[:300], models=[cl.KMap(4, population=people)])
    before = journalist(release.table, population=people)
    after = journalist(release, population=people)
    part = page_of(release)
    found = groups_of(part)[1]
    assert "among the 2,000 rows of the population table (journalist)" in found
    assert f"greatest, of any row {spelt(before.max, after.max)}" in found
    assert f"mean over the rows {spelt(before.mean, after.mean)}" in found
    assert f"share of rows above 20% {spelt(before.share_at_risk, after.share_at_risk)}" in found
    assert after.max == 0.25
    assert "No population table is given" not in words_of(part)
    assert "does not bound the greatest risk" in words_of(part)


def test_a_population_that_knows_ranges_only_leaves_before_undefined():
    """The release fits its people, but its exact rows do not: 30.5 is nobody's age."""
    rows = pl.DataFrame({"age": [30.5, 31.5, 32.5, 33.5], "job": ["a"] * 4})
    people = pl.DataFrame({"age": [30.5, 33.5, *range(31, 34)] * 3, "job": ["a"] * 15})
    found = groups_of(page_of(released(rows=rows, models=[cl.KMap(4, population=people), cl.KAnonymity(4)])))[1]
    assert "greatest, of any row undefined 6.67%" in found
    assert "does not hold all original rows" in found


def test_a_size_of_the_population_is_no_table_of_it():
    assert "No population table is given" in words_of(page_of(released(models=[cl.KMap(3, population=10_000)])))


def test_missing_values_are_read_both_ways():
    release = released(rows=with_gaps())
    before, after = matches(release.table).wildcard, matches(release).wildcard
    found = groups_of(page_of(release))[2]
    assert "If a missing value fitted every value" in found
    assert f"greatest, of any row {spelt(before.max, after.max)}" in found
    assert f"mean over the rows {spelt(before.mean, after.mean)}" in found
    assert f"share of rows above 20% {spelt(before.share_at_risk, after.share_at_risk)}" in found
    assert before.mean < cl.risk.prosecutor(release.table).mean
    assert "never decides" in found


def test_the_second_reading_counts_people():
    release = released(rows=with_gaps().with_columns(who=frame()["who"]), subject="who")
    before, after = matches(release.table).wildcard, matches(release).wildcard
    found = groups_of(page_of(release))[2]
    assert f"mean over the rows {spelt(before.mean, after.mean)}" in found


def test_the_second_reading_is_left_out_where_nothing_is_missing_or_too_much_would_be_compared(monkeypatch):
    assert "If a missing value" not in words_of(page_of(released()))
    release = released(rows=with_gaps())
    n_classes = len({*with_gaps().iter_rows()})
    monkeypatch.setattr(sys.modules["celosia.report.sections.risk"], "_MOST_CLASSES", n_classes)
    assert "never decides" in groups_of(page_of(release))[2]
    monkeypatch.setattr(sys.modules["celosia.report.sections.risk"], "_MOST_CLASSES", n_classes - 1)
    found = groups_of(page_of(release))[2]
    assert "Left out here" in found
    assert "greatest, of any row" not in found


def sizes(rows: pl.DataFrame, subject: str | None) -> list[tuple[int, int]]:
    """Rows and people of every class of equal values, counted with Python's own dictionaries."""
    n_rows: Counter[tuple] = Counter()
    people: dict[tuple, set] = {}
    columns = [name for name in rows.columns if name != subject]
    for place, row in enumerate(rows.iter_rows(named=True)):
        key = tuple(row[name] for name in columns)
        n_rows[key] += 1
        people.setdefault(key, set()).add(row[subject] if subject else place)
    return [(n_rows[key], len(people[key])) for key in n_rows]


def expected(classes: list[tuple[int, int]], ends: list[tuple[int, float]]) -> tuple[list[str], list[str]]:
    """Shares of rows and numbers of classes by the people in a class."""
    language, total = Language("en"), sum(rows for rows, _ in classes)
    shares = [sum(rows for rows, people in classes if low <= people <= high) / total for low, high in ends]
    counts = [sum(low <= people <= high for _, people in classes) for low, high in ends]
    return [language.percent(share) for share in shares], [language.whole(count) for count in counts]


@pytest.mark.parametrize("subject", [None, "who"])
@pytest.mark.parametrize(
    ("situation", "ends"),
    [
        (None, [(1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 99), (100, np.inf)]),
        (
            Situation([PublicRelease()], threshold="1/7"),
            [(1, 1), (2, 2), (3, 4), (5, 6), (7, 9), (10, 19), (20, 99), (100, np.inf)],
        ),
        (
            Situation([PublicRelease()], harm="medium", strict=True),
            [(1, 1), (2, 2), (3, 4), (5, 10), (11, 19), (20, 99), (100, np.inf)],
        ),
    ],
)
def test_the_pictures_are_a_plain_count(subject, situation, ends):
    release = released(rows=frame() if subject else None, subject=subject, risk=situation)
    before = expected(sizes(release.table.frame, subject), ends)
    labels = release.recoding.classes.labels
    published = pl.DataFrame({"class": labels, "who": frame()["who"]}).filter(pl.col("class") >= 0)
    after = expected(sizes(published if subject else published.drop("who"), subject), ends)
    rows, classes = pictures_of(page_of(release))[:2]
    pattern = r"([^;:]+): before ([^,;]*(?:,\d+)*), after ([^;]*?)(?:;|\.$)"
    assert rows.startswith("Share of the rows by their risk.")
    assert classes.startswith("Classes by the people in them.")
    for picture, firsts, seconds in zip((rows, classes), before, after, strict=True):
        found = re.findall(pattern, picture)
        assert [one[1] for one in found] == firsts
        assert [one[2] for one in found] == seconds
    people = [label.split(". ")[-1].strip() for label, _, _ in re.findall(pattern, classes)]
    assert people == [
        f"≥ {low}" if high == np.inf else str(low) if low == high else f"{low}\N{EN DASH}{high}" for low, high in ends
    ]


@pytest.mark.parametrize(
    ("situation", "said", "n_above"),
    [
        (None, "above 20%", 3),
        (Situation([PublicRelease()], harm="medium"), "above 10%", 4),
        (Situation([PublicRelease()], harm="high"), "above 1%", 6),
        (Situation([Insider("high", "low")], harm="low"), "above 33.3%", 2),
        (Situation([PublicRelease()], threshold=1, floor=2), "above 50%", 1),
    ],
)
def test_the_line_stands_below_the_rungs_above_the_threshold(situation, said, n_above):
    release = released(risk=situation)
    part = page_of(release)
    chart = part.split("<svg")[1]
    above = chart.split('class="limit"')[0]
    assert above.count('class="label"') == n_above
    assert f"↑ {said}" in chart
    least = 5 if situation is None else situation.minimal_k
    assert f"↑ fewer than {least} people" in part.split("<svg")[2]
    figures = cl.risk.prosecutor(release.table, Fraction(1, least)), cl.risk.prosecutor(release, Fraction(1, least))
    shares = spelt(*(one.share_at_risk for one in figures))
    assert f"share of rows {said} {shares}" in groups_of(part)[0]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_scenario_stands_against_the_threshold(lang):
    situation = Situation(THREE, harm="medium")
    release = released(risk=situation)
    before, after = situation.assess(release.table), situation.assess(release)
    language = Language(lang)
    part = page_of(release, lang)
    picture = pictures_of(part)[2]
    found = groups_of(part)[-3:]
    for first, second, group in zip(before.results, after.results, found, strict=True):
        risks = [language.percent(float(one.risk)).replace("\xa0", " ") for one in (first, second)]
        attempt = language.percent(float(second.attempt)).replace("\xa0", " ")
        assert " → ".join(risks) in unescape(part)
        assert f"{attempt} {risks[0]} {risks[1]}" in group
        assert language.text(second.label)[1:] in group
        assert language.text(second.label)[1:] in picture
        assert all(one in picture for one in risks)
    assert language.percent(0.1).replace("\xa0", " ") in picture
    for said in after.assumptions:
        assert language.text(said) in words_of(part)


def test_the_verdict_says_how_it_was_compared_and_what_the_floor_is():
    release = released(risk=Situation(THREE, harm="medium"))
    assert release.k == 5
    found = words_of(page_of(release))
    assert "It holds: 6% ≤ 10%." in found
    assert "at most the threshold of 10% (medium harm)" in found
    assert "needs at least 3 people for that; the smallest has 5. Fewer than 3 are never enough" in found
    assert "What this result assumes" in found
    assert found.count(" holds ") == 3


@pytest.mark.parametrize(
    ("situation", "models", "said"),
    [
        (Situation([PublicRelease()], threshold="0.2"), [cl.KAnonymity(5)], "It holds: 20% ≤ 20%."),
        (
            Situation([PublicRelease()], threshold="0.2", strict=True),
            [cl.KAnonymity(5)],
            "It does not hold: 20% ≥ 20%.",
        ),
        (Situation([PublicRelease()], harm="medium"), [cl.KAnonymity(5)], "It does not hold: 20% > 10%."),
        (
            Situation([PublicRelease()], threshold="0.3", strict=True),
            [cl.KAnonymity(5)],
            "It holds: 20% < 30%.",
        ),
        (
            Situation([Insider("high", "low")], harm="low"),
            [cl.SampleUniqueness(0.9)],
            "It does not hold: the risk would do, but a class has fewer than 3 people.",
        ),
    ],
)
def test_verdicts(situation, models, said):
    release = released(models=models, risk=situation)
    part = page_of(release)
    assert said in words_of(part)
    assert ('class="claim broken"' in part) == (situation.assess(release).holds is False)
    assert ("must lie below the threshold" in words_of(part)) == situation.strict


@pytest.mark.parametrize(
    ("k", "verdicts"), [(5, ["enough", "not enough", "not enough"]), (10, ["enough"] * 2 + ["not enough"])]
)
def test_without_a_situation_the_three_thresholds_stand_beside_k(k, verdicts):
    part = page_of(released(models=[cl.KAnonymity(k)]))
    last = groups_of(part)[-1]
    rows = zip(("low", "medium", "high"), ("20%", "10%", "1%"), (5, 10, 100), verdicts, strict=True)
    for harm, threshold, needed, verdict in rows:
        assert f"{harm} harm {threshold} {needed} {verdict} " in f"{last} "
    assert f"this one has {k}" in words_of(part)
    for said in Situation([PublicRelease()], harm="low").assumptions:
        assert said in words_of(part)


def test_what_it_says_to_write_is_a_situation():
    (example,) = re.findall(r'<p class="example"><code>(.*?)</code></p>', page_of(released()), flags=re.S)
    given = YAML(typ="safe").load(unescape(example))
    assert Situation.of(given["risk"]).minimal_k == 3


@pytest.mark.parametrize("situation", [None, Situation(THREE, harm="low")])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_picture_has_words_and_no_value_is_told(situation, lang):
    release = released(rows=frame(), subject="who", risk=situation)
    part = page_of(release, lang)
    pictures = pictures_of(part)
    assert len(pictures) == part.count("<svg") == (2 if situation is None else 3)
    assert all(len(picture) > 100 for picture in pictures)
    assert len(set(pictures)) == len(pictures)
    assert "CANARY" not in part


@pytest.mark.parametrize(
    "situation", [None, Situation(THREE, harm="high", strict=True), Situation([PublicRelease()], harm="low")]
)
def test_spanish_leaves_no_english_word(situation):
    people = frame(2000).drop("who")
    release = released(rows=people[:300], models=[cl.KMap(4, population=people)], risk=situation)
    part = page_of(release, "es")
    said = " ".join([words_of(re.sub(r"<code>.*?</code>", "", part)), *pictures_of(part)])
    assert (
        set(re.findall(r"[a-z]+", said)) & {"the", "rows", "people", "risk", "before", "after", "class", "of"} == set()
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_odd_tables_have_the_section_too(lang):
    cases = {
        "no quasi-identifier": (pl.DataFrame({"x": ["a", "b"]}), cl.Schema(sensitive=["x"])),
        "all missing": (
            pl.DataFrame({"c": [None] * 4}, schema={"c": pl.String}),
            cl.Schema(quasi_identifiers={"c": "category"}),
        ),
        "one class": (pl.DataFrame({"c": ["a"] * 2}), cl.Schema(quasi_identifiers={"c": "category"})),
    }
    for rows, schema in cases.values():
        for situation in (None, Situation(THREE, harm="high"), Situation([Acquaintance(q=0)], harm="low")):
            plan = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Mondrian(), risk=situation)
            section = risk(Facts.of(plan.run(cl.Table(rows, schema))), Language(lang))
            assert len(section.content["pictures"]) == 2


SHARES = st.floats(0, 1, allow_nan=False)
LABELS = st.text("abc1234567890–/≤ ", min_size=1, max_size=12)
FIGURES = st.text("0123456789 %→<>,.", min_size=1, max_size=22)
PAIRS = st.lists(st.builds(Pair, LABELS, SHARES, SHARES, FIGURES), min_size=1, max_size=9)


def numbers(chart: str, tag: str, *names: str) -> list[tuple[float, ...]]:
    found = re.findall(rf"<{tag} [^>]*>", chart)
    return [tuple(float(re.findall(rf' {name}="([^"]*)"', one)[0]) for name in names) for one in found]


@tries(60)
@given(PAIRS, st.integers(0, 9))
def test_a_ladder_stays_in_its_frame_and_off_its_figures(rungs, n_above):
    n_above = min(n_above, len(rungs))
    chart = str(charts.ladder(rungs, n_above, "a mark", "words"))
    height = float(re.findall(r'viewBox="0 0 \d+ ([\d.]+)"', chart)[0])
    longest = max(len(rung.figures) for rung in rungs)
    bars = re.findall(
        r'<rect class="(before|after)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', chart
    )
    assert len(bars) == 2 * len(rungs)
    for _kind, x, y, width, tall in bars:
        assert float(x) + float(width) <= WIDTH - 6 * longest
        assert 0 <= float(y) <= float(y) + float(tall) <= height
    assert chart.count('class="limit"') == (1 if n_above else 0)
    assert all(0 <= y <= height for _x, y in numbers(chart, "text", "x", "y"))


@tries(60)
@given(PAIRS, st.floats(0.001, 1))
def test_bars_against_a_threshold_are_to_scale_or_torn(bars, limit):
    chart = str(charts.against(bars, limit, "threshold", "words"))
    end = charts.reach(bars, limit)
    room = WIDTH - 6.5 * max(len(bar.figures) for bar in bars) - 12
    drawn = numbers(chart, "rect", "x", "width")
    lengths = [length for bar in bars for length in (bar.before, bar.after)]
    n_torn = 0
    for (x, width), length in zip(drawn, lengths, strict=True):
        n_torn += length > end * 1.001
        assert x == 0.5
        assert width == pytest.approx(min(length / end, 1) * room, abs=0.8)
    assert chart.count('class="tear"') >= n_torn
    assert limit < end
    limits = re.findall(r'<line class="limit" x1="([\d.]+)"', chart)
    assert len(limits) == len(bars)
    assert float(limits[0]) == pytest.approx(0.5 + limit / end * room, abs=0.1)
