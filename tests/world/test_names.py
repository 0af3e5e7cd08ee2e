from __future__ import annotations

import importlib.util
import re
from importlib import import_module

import pytest

from scholar_env.corpora.world.names import DATA_SUFFIXES, KINDS, SUFFIXES, Names, permuted

GROUPS = ("cs", "math", "physics", "stat", "eess", "q-bio", "econ", "q-fin")


def test_permutation_is_one_to_one() -> None:
    for size in (1, 2, 3, 1000, 4097):
        for key in ((1, 2), (3, 4)):
            assert sorted(permuted(index, size, key) for index in range(size)) == list(range(size))
    assert [permuted(index, 1000, (1, 2)) for index in range(9)] != [
        permuted(index, 1000, (3, 4)) for index in range(9)
    ]


def test_no_two_numbers_share_a_word_in_any_kind_or_world() -> None:
    words = [
        name.lower()
        for seed, train in ((1, False), (2, True))
        for kind in KINDS
        for number in range(20_000)
        for name in (Names(seed, train=train).word(kind, number),)
    ]
    assert len(set(words)) == len(words)


def test_printed_names_are_different_and_without_digits_mostly() -> None:
    names = Names(3, train=False)
    systems = [names.system(number, GROUPS[number % 8]) for number in range(40_000)]
    datasets = [names.dataset(number, GROUPS[number % 8]) for number in range(40_000)]
    everything = [name.lower() for name in (*systems, *datasets)]
    assert len(set(everything)) == len(everything)
    assert not [name for name in systems if re.search(r"\d", name)]
    assert sum(bool(re.search(r"\d", name)) for name in datasets) < 4000
    assert sum(name.isupper() for name in systems) > 1000
    assert sum(name.endswith(SUFFIXES["cs"]) for name in systems[::8]) > 1000
    assert sum(name.endswith(DATA_SUFFIXES["q-bio"]) for name in datasets[5::8]) > 1000
    assert 4 < sum(map(len, systems)) / len(systems) < 12


def test_worlds_of_one_kind_use_the_words_in_another_order() -> None:
    first, second = ([Names(seed, train=False).word("system", number) for number in range(500)] for seed in (1, 2))
    assert len(set(first) & set(second)) < 20


def test_words_never_run_out() -> None:
    names = Names(1, train=False)
    large = [names.word(kind, number) for kind in KINDS for number in range(2_000_000, 2_000_500)]
    assert len(set(large)) == len(large)
    assert all(re.fullmatch(r"[A-ZÅ-ö][a-zà-ÿ-]+", word) for word in large)


@pytest.mark.skipif(importlib.util.find_spec("spellchecker") is None, reason="needs pyspellchecker")
def test_no_word_is_english() -> None:
    english = import_module("spellchecker").SpellChecker().word_frequency.dictionary
    names = Names(5, train=True)
    words = [names.word(kind, number) for kind in KINDS for number in range(30_000)]
    assert [word for word in words if word.lower() in english] == []


def test_an_unknown_group_gets_a_name_too() -> None:
    names = Names(1, train=False)
    assert all(names.system(number, "x-new") and names.dataset(number, "x-new") for number in range(40))
