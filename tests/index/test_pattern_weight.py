"""What regular expressions may cost: which of them a grep takes, and what each part of one weighs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.index.grep import compile_pattern
from scholar_env.index.pattern_weight import pattern_weight

ORDINARY = (
    *(r"\pL+\pN", r"\pN{3,}", r"[^z]{30}zzz", "q" * 200, "é" * 199 + "z", r"accuracy.{0,100}percent", r"\w{30}"),
    *(r"(accuracy|recall).{0,50}\d+\.\d+", r"https?://\S{10,50}", r"(\d+\.\d+ ?){8}", r"[\pL\pN]+-[\pL\pN]+"),
    *(r"\b\d{4}-\d{2}-\d{2}\b", r"(?i)\bp\s*[<=]\s*0?\.\d+", r"\w+ly (\w+ ){3}than", r"\.{3,20} *\d{1,4}", r"e{30}"),
)
SLOW = (  # each takes ten seconds or more over 5,000 papers
    *(r"[a-m][a-z ,.]{20}zz", r"[a-m][^x]{16}q", r"[ae][a-z .,]{60}zz", r"(.{0,50}a){8}z", r"e.{150}zz"),
    *(r"([a-m][a-z ]{0,20}){6}zz", r"[a-z]+ .{400}zz", r"[a-m]\PN{11}q", r"[^q]{60} the[^q]{95}q"),
    *(
        "e" + r"[a-z ]" * 30 + "q",
        r"(?:(?:[a-m]){5}.){4}z",
        r"\Qe\E.{40}z",
        r"(?P<x>e)[[:alpha:] ]{40}z",
        r"(?i:e).{40}z",
    ),
)


@pytest.mark.parametrize("pattern", ORDINARY)
def test_ordinary_patterns_are_taken(pattern: str) -> None:
    assert not compile_pattern(pattern, regex=True).literal


@pytest.mark.parametrize("pattern", SLOW)
def test_patterns_that_take_long_are_refused(pattern: str) -> None:
    with pytest.raises(InvalidOptionError, match=r"is too large|leaves too much open"):
        compile_pattern(pattern, regex=True)


@pytest.mark.parametrize(
    ("pattern", "weight"),
    [
        *((r"plain text, \.\(\[ and \x{e9} \x41 \101 \n", 0), (r"\bword$", 0), (r"(?i)^word", 0), (r"a{,5}b", 0)),
        *(
            ("x.", 4),
            ("x.{5}", 20),
            ("x.{2,5}?", 20),
            ("x.{5,}", 20),
            ("x.+.*.?", 12),
            (r"x\d{5}", 5),
            (r"x\pL{2}", 16),
        ),
        *(("x[]a]{2}", 8), ("x[^]a]{2}", 8), ("x[[:alpha:]]{2}", 8), (r"x[\]a]{2}", 8), (r"x[\pL-]{2}", 16)),
        *(("x[0-9.]{9}", 9), ("x[!-~]{2}", 8), ("xy?z*", 2), ("x{30}", 1), ("(ab|c.)", 8), ("(ab.){3}", 16)),
        *((".{30}x", 12), ("(.{30})x", 12), ("(.{9})+x", 40), ("a|.{5}x", 24), (".{5}x|a", 16), (".{60}x", 20)),
        *(
            ("rare.{9}", 20),
            ("rar.{9}", 36),
            ("rares?.{9}", 21),
            ("rare.{4}", 16),
            ("rare.{51}", 40),
            ("(?:rare).{9}", 20),
        ),
        *(
            ("(rare|rarer).{9}", 40),
            ("(rare|rar).{9}", 40),
            (r"\Qrare\E.{9}", 20),
            ("rare+.{9}", 37),
            ("(rare)?.{9}", 40),
        ),
    ],
)
def test_what_a_pattern_weighs(pattern: str, weight: int) -> None:
    assert pattern_weight(pattern) == weight


PIECES = st.sampled_from(
    [*"ab.|()[]{}^$*+?-\\,:<>=!0123P", r"\p", "{L}", r"\Q", r"\E", "(?", "(?:", "(?i)", "[:alpha:]", "é"]
)


@given(st.lists(PIECES, max_size=20).map("".join))
def test_any_text_is_a_pattern_or_refused(text: str) -> None:
    try:
        compiled = compile_pattern(text, regex=True)
    except InvalidOptionError:
        return
    assert compiled.compiled.search("") is None


def test_groups_may_be_as_deep_as_a_pattern_is_long() -> None:
    assert pattern_weight("(" * 99 + "e." + ")" * 99) == 4
    assert pattern_weight("(" * 66 + "e" + ")+" * 66) == 4 * 66
