from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from celosia.base.errors import OptionError
from celosia.data.hierarchies import Dates, ancestors_of
from celosia.data.hierarchies.domains import Style


def test_labels_from_day_to_decade() -> None:
    assert ancestors_of(Dates().fit([date(2020, 3, 14), date(2021, 12, 31)], "birth")) == {
        "2020-03-14": ["2020-03", "2020-Q1", "2020", "2020s", "*"],
        "2021-12-31": ["2021-12", "2021-Q4", "2021", "2020s", "*"],
    }


def test_the_value_is_the_lowest_level_without_day() -> None:
    assert ancestors_of(Dates(levels=["year"]).fit([date(1999, 5, 1)], "birth")) == {"1999-05-01": ["1999", "*"]}
    assert Dates(levels=["day"]).fit([date(1999, 5, 1)], "birth").n_levels == 2


def test_loss_is_the_period_in_days_cut_to_the_data() -> None:
    domain = Dates(levels=["month", "year"]).fit([date(2019, 12, 22), date(2020, 2, 10), date(2020, 4, 1)], "birth")
    losses = {domain.spell(node, Style()): domain.share[node] for node in domain.nodes[1:].ravel().tolist()}
    n_days = (date(2020, 4, 1) - date(2019, 12, 22)).days
    assert n_days == 101
    assert losses == pytest.approx(
        {"2019-12": 9 / 101, "2020-02": 28 / 101, "2020-04": 0, "2019": 9 / 101, "2020": 91 / 101, "*": 1}
    )
    assert (domain.n_leaves, set(domain.leaves.tolist())) == (0, {-1})


def test_the_ends_of_the_calendar() -> None:
    domain = Dates().fit([date.min, date.max], "birth")
    assert ancestors_of(domain)["0001-01-01"] == ["0001-01", "0001-Q1", "0001", "0000s", "*"]
    assert ancestors_of(domain)["9999-12-31"] == ["9999-12", "9999-Q4", "9999", "9990s", "*"]
    assert domain.share.max() == 1


@pytest.mark.parametrize("levels", [[], "year", ["week"], ["year", "month"], ["year", "year"]])
def test_other_levels_are_refused(levels: Any) -> None:
    with pytest.raises(OptionError, match="dates: "):
        Dates(levels=levels)


@pytest.mark.parametrize("values", [[], [date(2020, 1, 1)]])
def test_fewer_than_two_values_lose_nothing(values: list[date]) -> None:
    domain = Dates().fit(values, "birth")
    assert domain.nodes.shape == (6, len(values))
    assert not domain.share.any()


def test_the_plan_form() -> None:
    assert Dates().to_dict() == {}
    assert Dates(levels=["month", "year"]).to_dict() == {"levels": ["month", "year"]}
    assert Dates(levels=["day", "month", "quarter", "year", "decade"]) == Dates()
