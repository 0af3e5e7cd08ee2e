"""Tokenizers: each output is pinned, because a frozen index depends on it for ever."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.stemmer import stem
from scholar_env.text import TOKENIZERS, scholargym_text, tokenizer

VECTORS: dict[str, list[tuple[str, list[str]]]] = {
    "scholargym-v1": [
        ("", []),
        ("   \t\n", []),
        ("title: Deep Nets abstract: we train", ["title", "deep", "nets", "abstract", "we", "train"]),
        ("ResNet50 and BERT_base in 3D", ["and", "in"]),
        ("naïve Bayes", ["bayes"]),
        ("state-of-the-art", ["state", "of", "the", "art"]),
        ("don't stop", ["don", "t", "stop"]),
        ("U.S. patents, e.g. GPT-4", ["u", "s", "patents", "e", "g", "gpt"]),
        ("word2vec embeddings", ["embeddings"]),
        ("1984", []),
        ("Ångström units", ["units"]),
        ("ALL CAPS TITLE", ["all", "caps", "title"]),
        ("a b c", ["a", "b", "c"]),
        ("tabs\tand\nnewlines", ["tabs", "and", "newlines"]),
        ("x_y z", ["z"]),
        ("über models", ["models"]),
        ("CO₂ emissions", ["emissions"]),
        ("\ufb01ne-tuning e\ufb00ects", ["tuning"]),
        ("İstanbul street", ["i", "stanbul", "street"]),
        ("straße", []),
        ("中文 papers", ["papers"]),
        ("Ελληνικά text", ["text"]),
        ("α-divergence bounds", ["divergence", "bounds"]),
        ("😀 emoji", ["emoji"]),
        ("C++ and C#", ["c", "and", "c"]),
        ("R&D (2023)", ["r", "d"]),
        ("l'objet d’art", ["l", "objet", "d", "art"]),
        ("zero\u200bwidth", ["zero", "width"]),
        ("the the the", ["the", "the", "the"]),
        ("e=mc^2", ["e", "mc"]),
        ("K\u212aelvin", ["kkelvin"]),
        ("\u017flow", []),
    ],
    "lucene-standard-v1": [
        ("", []),
        ("   \t\n", []),
        ("title: Deep Nets abstract: we train", ["title", "deep", "nets", "abstract", "we", "train"]),
        ("ResNet50 and BERT_base in 3D", ["resnet50", "and", "bert_base", "in", "3d"]),
        ("naïve Bayes", ["naïve", "bayes"]),
        ("state-of-the-art", ["state", "of", "the", "art"]),
        ("don't stop", ["don", "t", "stop"]),
        ("U.S. patents, e.g. GPT-4", ["u", "s", "patents", "e", "g", "gpt", "4"]),
        ("word2vec embeddings", ["word2vec", "embeddings"]),
        ("1984", ["1984"]),
        ("Ångström units", ["ångström", "units"]),
        ("ALL CAPS TITLE", ["all", "caps", "title"]),
        ("a b c", ["a", "b", "c"]),
        ("tabs\tand\nnewlines", ["tabs", "and", "newlines"]),
        ("x_y z", ["x_y", "z"]),
        ("über models", ["über", "models"]),
        ("CO₂ emissions", ["co2", "emissions"]),
        ("\ufb01ne-tuning e\ufb00ects", ["fine", "tuning", "effects"]),
        ("İstanbul street", ["i", "stanbul", "street"]),
        ("straße", ["strasse"]),
        ("中文 papers", ["中文", "papers"]),
        ("Ελληνικά text", ["ελληνικά", "text"]),
        ("α-divergence bounds", ["α", "divergence", "bounds"]),
        ("😀 emoji", ["emoji"]),
        ("C++ and C#", ["c", "and", "c"]),
        ("R&D (2023)", ["r", "d", "2023"]),
        ("l'objet d’art", ["l", "objet", "d", "art"]),
        ("zero\u200bwidth", ["zero", "width"]),
        ("the the the", ["the", "the", "the"]),
        ("e=mc^2", ["e", "mc", "2"]),
        ("K\u212aelvin", ["kkelvin"]),
        ("\u017flow", ["slow"]),
    ],
    "snowball-en-v1": [
        ("running runs runner", ["run", "run", "runner"]),
        ("generalization of generative models", ["general", "of", "generat", "model"]),
        ("relational databases", ["relat", "databas"]),
        ("hopping hoping hoped", ["hop", "hope", "hope"]),
        ("skies dying news", ["sky", "die", "news"]),
        ("communication communities", ["communic", "communiti"]),
        ("happily flies", ["happili", "fli"]),
        ("succeeding proceeds exceed", ["succeed", "proceed", "exceed"]),
        ("national rational conditional", ["nation", "ration", "condit"]),
        ("sensibilities", ["sensibl"]),
        ("agreed feed", ["agre", "feed"]),
        ("controlling rolled fizzed", ["control", "roll", "fizz"]),
        ("cries ties dies", ["cri", "tie", "die"]),
        ("this gas gaps kiwis", ["this", "gas", "gap", "kiwi"]),
        ("yellow boy say", ["yellow", "boy", "say"]),
        ("knightly", ["knight"]),
        ("consistently consisting", ["consist", "consist"]),
        ("allowances", ["allow"]),
        ("quantum mechanics 3D", ["quantum", "mechan", "3d"]),
        ("naïve Bayes classifiers", ["naïv", "bay", "classifi"]),
        ("Universities' students", ["univers", "student"]),
        ("query-expansion techniques", ["queri", "expans", "techniqu"]),
        ("abstractive summarizations", ["abstract", "summar"]),
        ("\ufb01ne-tuning", ["fine", "tune"]),
        ("studies studied studying", ["studi", "studi", "studi"]),
        ("by cry shy", ["by", "cri", "shi"]),
        ("argument arguing", ["argument", "argu"]),
        ("electricity electrical", ["electr", "electr"]),
        ("hopefulness", ["hope"]),
        ("decisiveness", ["decis"]),
        ("ß STRASSE", ["ss", "strass"]),
        ("inning innings outing", ["inning", "inning", "outing"]),
    ],
}


@pytest.mark.parametrize("tokenizer_id", sorted(VECTORS))
def test_every_tokenizer_gives_its_pinned_tokens(tokenizer_id: str) -> None:
    vectors = VECTORS[tokenizer_id]
    assert len(vectors) >= 30
    for text, tokens in vectors:
        assert tokenizer(tokenizer_id)(text) == tokens, text


def test_the_pinned_tokenizers_are_all_there_are() -> None:
    assert sorted(TOKENIZERS) == sorted(VECTORS)
    assert all(TOKENIZERS[key].id == key for key in TOKENIZERS)


def test_an_unknown_tokenizer_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidOptionError) as caught:
        tokenizer("porter")
    assert str(caught.value) == (
        "tokenizer 'porter' is unknown. Rule: a tokenizer is named by its id. "
        "Mend: use one of scholargym-v1, lucene-standard-v1, snowball-en-v1."
    )


def test_the_indexed_text_has_the_released_form() -> None:
    assert scholargym_text("A b", "") == "title: A b abstract: "


@settings(deadline=None)
@given(st.text())
def test_scholargym_tokens_are_lower_ascii_words_of_the_text(text: str) -> None:
    tokens = tokenizer("scholargym-v1")(text)
    assert all(token.isascii() and token.isalpha() and token.islower() for token in tokens)
    assert tokenizer("scholargym-v1")(" ".join(tokens)) == tokens


@settings(deadline=None)
@given(st.text(alphabet="abcdefghilnostuy", max_size=12))
@example("aed")
def test_a_stem_is_a_short_form_that_begins_like_its_word(word: str) -> None:
    found = stem(word)
    assert len(found) <= len(word) + 1
    assert word.startswith(found[:2]) or word in {"dying", "lying", "tying", "skies", "skis"}
