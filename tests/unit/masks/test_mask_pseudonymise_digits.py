"""Digits to digits: FF1 against NIST's samples and a plain implementation; permutations of whole domains."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from leaks import leaks
from plain_pseudonyms import derived_key, ff1_encrypt
from trying import tries

from celosia.base.chance import Randomness
from celosia.base.errors import InputError
from celosia.masks import Pseudonymise
from celosia.masks.base import sheet_of
from celosia.masks.pseudonyms.permuted_digits import PermutedDigits, ff1

KEY = bytes.fromhex("8f1b6f0c2ad94e3b7705c1e29a64d8f3b21c5a7e9f00431dd2c6e8b4713f5a90")
NIST_KEY = bytes.fromhex("2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94")
BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"


def masked(*values: object, seed: int | None = None, **options: object) -> list[str | None]:
    frame = pl.DataFrame({"id": list(values)}, strict=False)
    return Pseudonymise("id", form="digits", **options).mask(sheet_of(frame, Randomness(seed))).frame["id"].to_list()


def plain(value: str, scope: str = "id", dataset: str = "") -> str:
    key = derived_key(KEY, "digits", scope, dataset)
    return "".join(map(str, ff1_encrypt(key, b"", [int(one) for one in value], 10)))


@pytest.mark.parametrize(
    ("radix", "tweak", "given_text", "made"),
    [
        (10, "", "0123456789", "6657667009"),
        (10, "39383736353433323130", "0123456789", "1001623463"),
        (36, "3737373770717273373737", "0123456789abcdefghi", "xs8a0azh2avyalyzuwd"),
    ],
    ids=["sample 7", "sample 8", "sample 9"],
)
def test_the_plain_implementation_gives_the_samples_of_nist(radix, tweak, given_text, made):
    found = ff1_encrypt(NIST_KEY, bytes.fromhex(tweak), [BASE36.index(one) for one in given_text], radix)
    assert "".join(BASE36[one] for one in found) == made


def test_sample_7_of_nist():
    assert ff1(np.array([123456789], dtype=np.uint64), 10, NIST_KEY).tolist() == [6657667009]


@tries(60)
@given(st.binary(min_size=32, max_size=32), st.integers(7, 18), st.data())
def test_ff1_is_that_of_the_plain_implementation(key, n_digits, data):
    numbers = data.draw(st.lists(st.integers(0, 10**n_digits - 1), min_size=1, max_size=4))
    numbers += [0, 10**n_digits - 1]
    found = ff1(np.array(numbers, dtype=np.uint64), n_digits, key)
    for number, made in zip(numbers, found.tolist(), strict=True):
        digits = ff1_encrypt(key, b"", [int(one) for one in f"{number:0{n_digits}}"], 10)
        assert f"{made:0{n_digits}}" == "".join(map(str, digits))


def test_many_rows_are_permuted_as_one_by_one():
    numbers = np.arange(0, 10**8, 997, dtype=np.uint64)  # more than go through the rounds together
    assert len(numbers) > 3 * (1 << 15)
    found = ff1(numbers, 8, KEY)
    assert len(np.unique(found)) == len(numbers)
    assert found.max() < 10**8
    for row in (0, 32_767, 32_768, len(numbers) - 1):
        assert found[row] == ff1(numbers[row : row + 1], 8, KEY)[0]


def test_six_digits_are_permuted_whole():
    every = pl.Series("id", range(10**6)).cast(pl.String).str.zfill(6)
    made = PermutedDigits(KEY).codes(every, "id", ["id"])
    assert made.sort().equals(every)
    assert int((made == every).sum()) < 12


@pytest.mark.parametrize("n_digits", [1, 2, 3, 4, 5])
def test_small_domains_are_permuted_whole(n_digits):
    every = [f"{number:0{n_digits}}" for number in range(10**n_digits)]
    made = masked(*every, key=KEY)
    assert sorted(made) == every
    assert n_digits == 1 or made != every
    assert masked(*every, key=KEY) == made
    assert masked(*every[::-1], key=KEY) == made[::-1]
    other = masked(*every, key=KEY, dataset="other")
    assert n_digits == 1 or other != made


def test_seven_digits_are_permuted_whole():
    found = ff1(np.arange(10**7, dtype=np.uint64), 7, KEY)
    seen = np.zeros(10**7, dtype=np.bool_)
    seen[found] = True
    assert seen.all()


def test_every_permutation_of_one_digit_is_about_equally_likely():
    """Under 2000 keys digit 0 goes to each digit some 200 times, and so does digit 7."""
    drawn = [
        PermutedDigits(number.to_bytes(32, "big")).codes(pl.Series(["0", "7"]), "id", ["id"]) for number in range(2000)
    ]
    for place in (0, 1):
        counts = np.bincount([int(made[place]) for made in drawn], minlength=10)
        assert ((counts - 200) ** 2 / 200).sum() < 9 + 6 * 18**0.5


def test_values_of_seven_digits_on_are_those_of_ff1_and_keep_their_length():
    values = ["1234567", "01234567", "12345678", "000000000000000000", "999999999999999999"]
    assert masked(*values, None, key=KEY) == [*map(plain, values), None]


def test_mixed_lengths_come_back_in_their_rows():
    values = ["12345678", "7", "123", "87654321", "8", "12345678", None, "321"]
    made = masked(*values, key=KEY)
    assert [None if one is None else len(one) for one in made] == [8, 1, 3, 8, 1, 8, None, 3]
    assert made[0] == made[5] == plain("12345678")
    assert made[1] == masked("7", key=KEY)[0]
    assert made[7] == masked("321", key=KEY)[0]


def test_lengths_scopes_datasets_and_keys_each_have_their_own_permutation():
    value = "12345678"
    ways = [
        masked(value, key=KEY),
        masked(value, key=KEY, scope="student"),
        masked(value, key=KEY, dataset="a"),
        masked(value, key=KEY, dataset="b"),
        masked(value, key=KEY[::-1]),
    ]
    assert len({one for (one,) in ways}) == 5
    assert ways[1] == [plain(value, "student")]
    assert ways[2] == [plain(value, "id", "a")]


def test_without_a_key_every_run_has_its_own():
    every = [f"{number:03}" for number in range(1000)]
    assert masked(*every) != masked(*every)
    assert sorted(masked(*every)) == every
    assert masked(*every, seed=3) == masked(*every, seed=3)


def test_length_gives_numbers_their_zeros_back():
    typed = masked(1234567, 87654321, key=KEY, length=8)
    assert typed == masked("01234567", "87654321", key=KEY)
    assert masked("1234567", "01234567", key=KEY, length=8) == [plain("01234567")] * 2
    with pytest.raises(InputError, match="1 of the 2 cells of 'id' are longer than length: 8"):
        masked("123456789", "1", key=KEY, length=8)


@pytest.mark.parametrize(
    "bad", ["1234567Z", "-1234567", "+1234567", "12 34", "1.5", "١٢٣", "１２３", "1e5", "²", "X1234567L", "12\n34"]
)
def test_anything_but_digits_is_refused(bad):
    with pytest.raises(InputError, match="1 of the 2 different values of 'id' hold something else") as caught:
        masked("12345678", bad, key=KEY)
    assert caught.value.about == "form"
    assert len(bad) < 4 or leaks(caught.value, [bad]) == []
    with pytest.raises(InputError):
        masked("12345678", bad, key=KEY, length=12)


def test_more_than_eighteen_digits_are_refused():
    with pytest.raises(InputError, match="up to 18 digits, but 2 of the 3 different values of 'id' have more"):
        masked("1" * 19, "2" * 30, "3" * 18, key=KEY)


def test_a_negative_number_is_refused():
    with pytest.raises(InputError, match="hold something else"):
        masked(-5, 7, key=KEY)


def test_lengths_that_few_share_are_warned_of():
    frame = pl.DataFrame({"id": ["1234567", "12345678", "12345679", "12345670", None]})
    for k, count in ((2, 1), (4, 4)):
        (found,) = Pseudonymise("id", form="digits", key=KEY).mask(sheet_of(frame, k=k)).findings
        assert (found.code, found.severity, found.column) == ("DIGITS_LENGTH", "warning", "id")
        assert found.values == {"count": count, "rows": 4, "k": k}
    padded = Pseudonymise("id", form="digits", key=KEY, length=8).mask(sheet_of(frame))
    assert padded.findings == ()
    assert Pseudonymise("id", form="digits").mask(sheet_of(frame[:1])).findings == ()


def test_columns_of_one_scope_share_their_permutation():
    frame = pl.DataFrame({"a": ["12345678", "11111111"], "b": ["11111111", "12345678"]})
    for options in ({"key": KEY}, {}):
        made = Pseudonymise(columns=["a", "b"], form="digits", scope="id", **options).mask(sheet_of(frame)).frame
        assert made["a"].to_list() == made["b"].to_list()[::-1]
        apart = Pseudonymise(columns=["a", "b"], form="digits", **options).mask(sheet_of(frame)).frame
        assert apart["a"].to_list() != apart["b"].to_list()[::-1]


def test_a_brute_force_of_the_domain_without_the_key_finds_no_more_than_chance():
    """All 10^5 five-digit numbers are somebody's: what is published tells nothing, and fixed points are rare."""
    every = [f"{number:05}" for number in range(10**5)]
    made = masked(*every, key=KEY)
    assert sum(one == other for one, other in zip(every, made, strict=True)) < 10
    correlation = np.corrcoef(np.arange(10**5), np.array(made, dtype=np.int64))[0, 1]
    assert abs(correlation) < 0.02
