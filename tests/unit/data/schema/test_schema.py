from __future__ import annotations

import pytest

import celosia as cl
from celosia import Role


@pytest.mark.parametrize(
    ("word", "role"),
    [
        ("identifier", Role.IDENTIFIER),
        ("identifiers", Role.IDENTIFIER),
        ("direct_identifiers", Role.IDENTIFIER),
        ("Identificadores", Role.IDENTIFIER),
        ("identificadores directos", Role.IDENTIFIER),
        ("identificativos", Role.IDENTIFIER),
        ("atributos clave", Role.IDENTIFIER),
        ("quasi_identifiers", Role.QUASI_IDENTIFIER),
        ("quasi-identifier", Role.QUASI_IDENTIFIER),
        ("indirect identifier", Role.QUASI_IDENTIFIER),
        ("cuasi_identificadores", Role.QUASI_IDENTIFIER),
        ("cuasiidentificadores", Role.QUASI_IDENTIFIER),
        ("Cuasi-identificativos", Role.QUASI_IDENTIFIER),
        ("pseudo-identificadores", Role.QUASI_IDENTIFIER),
        ("identificadores indirectos", Role.QUASI_IDENTIFIER),
        ("sensitive", Role.SENSITIVE),
        ("sensibles", Role.SENSITIVE),
        ("atributos sensibles", Role.SENSITIVE),
        ("insensitive", Role.INSENSITIVE),
        ("non-identifiers", Role.INSENSITIVE),
        ("no sensibles", Role.INSENSITIVE),
        ("no identificadores", Role.INSENSITIVE),
    ],
)
def test_three_vocabularies_in_two_languages(word, role):
    assert Role.parse(word) is role


@pytest.mark.parametrize("word", ["", "secret agent", "identity", "quasi"])
def test_other_words_are_refused(word):
    with pytest.raises(cl.OptionError, match="not a role"):
        Role.parse(word)


def test_quasi_identifier_and_sensitive_go_together():
    schema = cl.Schema(quasi_identifiers={"exam": "number"}, sensitive=["exam"])
    assert schema.roles("exam") == {Role.QUASI_IDENTIFIER, Role.SENSITIVE}


@pytest.mark.parametrize(
    "options",
    [
        {"identifiers": ["a"], "sensitive": ["a"]},
        {"identifiers": ["a"], "quasi_identifiers": {"a": "number"}},
        {"insensitive": ["a"], "sensitive": ["a"]},
        {"quasi_identifiers": {"a": "number"}, "subject": "a"},
        {"identifiers": ["a", "a"]},
        {"identifiers": "a"},
        {"quasi_identifiers": ["a"]},
        {"quasi_identifiers": {"a": "nummer"}},
        {"quasi_identifiers": {"a": 5}},
        {"quasi_identifiers": {"a": "number"}, "weights": {"b": 1}},
        {"quasi_identifiers": {"a": "number"}, "weights": {"a": 0}},
        {"quasi_identifiers": {"a": "number"}, "weights": {"a": float("inf")}},
        {"quasi_identifiers": {"a": "number"}, "weights": {"a": True}},
    ],
)
def test_what_does_not_fit_is_refused(options):
    with pytest.raises(cl.OptionError):
        cl.Schema(**options)


def test_the_subject_is_an_identifier():
    assert cl.Schema(identifiers=["dni"], subject="dni").roles("dni") == {Role.IDENTIFIER}


def test_a_column_that_is_not_there_is_named_with_the_nearest():
    with pytest.raises(cl.ColumnNotFoundError, match="did you mean 'zipcode'") as caught:
        cl.Schema(quasi_identifiers={"zip_code": "category"}).check_columns(["zipcode", "age"], "exams.csv")
    assert "exams.csv (2 columns)" in str(caught.value)


def test_an_unclassified_column_is_named():
    with pytest.raises(cl.InputError, match="remark"):
        cl.Schema(identifiers=["dni"]).check_all_classified(["dni", "remark"], "exams.csv")
