"""Codes against plain definitions: different, free, equally likely, and refused when used up."""

from __future__ import annotations

import itertools
import os
import string
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError
from celosia.masks.vault.codes import ALPHABETS, CodeList, CodeSpace

NOTHING = lambda asked: ()  # noqa: E731


def test_a_space_has_characters_to_the_power_of_length_codes():
    assert CodeSpace().size == 30**16
    assert CodeSpace("hex", 4).size == 65536
    assert CodeSpace("01", 64).size == 2**64
    assert CodeSpace("digits", 6, "P-").size == 10**6


def test_readable_codes_spell_no_word_and_no_number_with_an_exponent():
    assert len(ALPHABETS["readable"]) == len(set(ALPHABETS["readable"])) == 30
    assert not set("AEIOULU") & set(ALPHABETS["readable"])


@given(
    st.sampled_from(["digits", "hex", "ab", "readable", "αβγ", "𝒂𝒃"]),
    st.integers(1, 4),
    st.integers(0, 2**32),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_codes_are_different_free_and_of_their_form(alphabet, length, seed, share, share_taken):
    space = CodeSpace(alphabet, length, "P")
    size = min(space.size, 3000)
    n = int(share * size)
    order = Randomness(seed=seed).permutation(min(space.size, 10_000))
    every = [
        "P" + "".join(code) for code in itertools.islice(itertools.product(space.characters, repeat=length), 10**4)
    ]
    gone = {every[place] for place in order[: int(share_taken * (min(space.size, 10_000) - n))]}
    codes = space.draw(n, lambda asked: gone.intersection(asked), Randomness(seed=seed))
    assert len(codes) == len(set(codes)) == n
    assert not gone & set(codes)
    assert all(code[0] == "P" and len(code) == length + 1 and set(code[1:]) <= set(space.characters) for code in codes)


def test_the_last_free_code_is_found_and_no_more():
    space = CodeSpace("digits", 3)
    taken = {f"{number:03}" for number in range(1000)} - {"094"}
    assert space.draw(1, taken.intersection, Randomness()) == ["094"]
    with pytest.raises(InputError, match="2 codes are wanted; of the 1000"):
        space.draw(2, taken.intersection, Randomness())
    with pytest.raises(InputError, match="1001 codes are wanted"):
        space.draw(1001, NOTHING, Randomness())
    assert sorted(space.draw(1000, NOTHING, Randomness())) == [f"{number:03}" for number in range(1000)]


def test_a_large_space_that_is_wholly_taken_is_refused():
    with pytest.raises(InputError, match="greater length"):
        CodeSpace("digits", 12).draw(1, lambda asked: list(asked), Randomness())


@pytest.mark.parametrize(("alphabet", "length"), [("digits", 2), ("readable", 1), ("abcdefg", 2)])
def test_every_code_is_equally_likely(alphabet, length):
    """Chi-square over 20 draws of a tenth of the space: beyond six standard deviations is no chance."""
    space = CodeSpace(alphabet, length)
    rounds, each = 4000, max(space.size // 10, 1)
    counts = Counter()
    for seed in range(rounds):
        counts.update(space.draw(each, NOTHING, Randomness(seed=seed)))
    expected = rounds * each / space.size
    chi_square = sum(
        (counts[code] - expected) ** 2 / expected for code in space.draw(space.size, NOTHING, Randomness())
    )
    assert len(counts) == space.size
    assert abs(chi_square - (space.size - 1)) < 6 * (2 * (space.size - 1)) ** 0.5


def test_the_order_of_drawn_codes_tells_nothing():
    """The first of three codes is the smallest one in a third of all draws."""
    space = CodeSpace("digits", 1)
    drawn = [space.draw(3, NOTHING, Randomness(seed=seed)) for seed in range(3000)]
    first = Counter(sorted(codes).index(codes[0]) for codes in drawn)
    assert all(abs(first[place] - 1000) < 160 for place in range(3))


@given(
    st.lists(st.tuples(*[st.integers(0, 2**64 - 1)] * 4), max_size=5), st.integers(1, 12), st.sampled_from(["", "P-"])
)
def test_words_are_spelt_from_their_least_character_on(rows, length, prefix):
    words = np.array(rows, dtype=np.uint64).reshape(len(rows), 4)
    for alphabet in ("digits", "ab", string.ascii_letters):
        space = CodeSpace(alphabet, length, prefix)
        base = len(space.characters)
        per_word = max(count for count in range(1, 45) if base**count <= 2**44)
        expected = []
        for row in rows:
            text = ""
            for place in range(length):
                text += space.characters[row[place // per_word] // base ** (place % per_word) % base]
            expected.append(prefix + text)
        assert space.of_words(words) == expected


def test_words_suffice_for_so_many_characters_and_no_more():
    words = np.zeros((1, 4), dtype=np.uint64)
    assert CodeSpace("digits", 52).of_words(words) == ["0" * 52]
    with pytest.raises(OptionError, match="at most 52"):
        CodeSpace("digits", 53).of_words(words)


def test_a_seed_repeats_codes_in_another_process():
    """Not so if they went through a set, whose order is another one in every process."""
    code = (
        "from celosia.masks.vault.codes import CodeSpace; from celosia.base.chance import Randomness;"
        "print(CodeSpace('digits', 2).draw(40, lambda asked: {'11', '22'}.intersection(asked), Randomness(seed=3)))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(said) == 1


@pytest.mark.parametrize(
    "alphabet",
    ["", "a", "aa", "a b", "a-b", "e\u0301x", 5, None, ["a", "b"], "".join(map(chr, range(0x4E00, 0x4E00 + 257)))],
)
def test_a_bad_alphabet_is_refused(alphabet):
    with pytest.raises(OptionError) as caught:
        CodeSpace(alphabet, 4)
    assert caught.value.about == "alphabet"


@pytest.mark.parametrize("length", [0, -1, 65, 2.0, "6", True, None])
def test_a_bad_length_is_refused(length):
    with pytest.raises(OptionError) as caught:
        CodeSpace("digits", length)
    assert caught.value.about == "length"


@pytest.mark.parametrize("prefix", ["=1", "+P", "-", "@x", " P", "P ", "P\n", "P\tQ", "x" * 65, 5, None])
def test_a_bad_prefix_is_refused(prefix):
    with pytest.raises(OptionError) as caught:
        CodeSpace("digits", 4, prefix)
    assert caught.value.about == "prefix"


def test_options_as_in_a_plan():
    assert CodeSpace().to_dict() == {}
    assert CodeSpace("digits", 6, "P").to_dict() == {"alphabet": "digits", "length": 6, "prefix": "P"}
    assert CodeList(["a", "b"]).to_dict() == {"values": ["a", "b"]}
    assert CodeList(("a",), shuffle=False).to_dict() == {"values": ["a"], "shuffle": False}


LIST = ["543456", "125214", "984213", "674832", "094532"]


@given(st.integers(0, 5), st.sets(st.sampled_from(LIST)), st.integers(0, 1000))
def test_a_list_gives_free_codes_and_no_more_than_there_are(n, gone, seed):
    free = [code for code in LIST if code not in gone]
    for shuffle in (True, False):
        codes = CodeList(LIST, shuffle)
        if n > len(free):
            with pytest.raises(InputError, match=f"{n} codes are wanted; of the 5 in the list {len(free)} are left"):
                codes.draw(n, gone.intersection, Randomness(seed=seed))
        else:
            drawn = codes.draw(n, gone.intersection, Randomness(seed=seed))
            assert drawn == free[:n] if not shuffle else len(set(drawn)) == n and set(drawn) <= set(free)


def test_a_shuffled_list_is_given_out_in_every_order():
    orders = Counter(tuple(CodeList(LIST[:3]).draw(3, NOTHING, Randomness(seed=seed))) for seed in range(1200))
    assert len(orders) == 6
    assert all(abs(count - 200) < 80 for count in orders.values())


def test_codes_of_a_list_are_trimmed_and_normal():
    assert CodeList([" 094532 ", "José"]).values == ("094532", "José")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["=1+1", " @b", "-3", "+4", "ok"], "4 of the 5 codes in values begin with"),
        ([], "must be a list"),
        ("094532", "must be a list"),
        ([94532], "must be a list"),
        (["a", ""], "must be a list"),
        (["a", None], "must be a list"),
        ({"a", "b"}, "must be a list"),
        (["a", "b", "a "], "1 of the 3 codes in values are repeated"),
        (["José", "José"], "1 of the 2"),
    ],
)
def test_a_bad_list_is_refused(values, said):
    with pytest.raises(OptionError, match=said) as caught:
        CodeList(values)
    assert caught.value.about == "values"


def test_the_last_codes_of_a_large_space_are_still_found():
    space = CodeSpace("digits", 7)
    few = {f"{number:07d}" for number in range(0, 10**7, 200)}
    for _ in range(20):
        found = space.draw(3, lambda asked: [code for code in asked if code not in few], Randomness())
        assert len(set(found)) == 3
        assert set(found) <= few


def test_codes_are_in_normal_form_whatever_they_are_made_of():
    assert CodeSpace("digits", 2, prefix="e\u0301").prefix == "\u00e9"
    with pytest.raises(OptionError, match="alphabet"):
        CodeSpace("\u1161\u1100\uac00", 4)  # parts of a syllable and the syllable: two codes would be written alike
