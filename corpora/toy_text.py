"""Puts the facts of a toy paper into words: title, abstract, and sections of full text."""

from __future__ import annotations

from collections.abc import Sequence

from scholar_env.records import Section

from .toy_facts import (
    DUPLICATE,
    N_PROBLEMS,
    NO_ABSTRACT_ROW,
    NUMBER_ROWS,
    NUMBER_TITLE,
    OTHER_SCRIPT,
    OTHER_SCRIPT_ROWS,
    Draws,
    Facts,
)
from .toy_topics import NUMBER_TITLES, OTHER_SCRIPTS

_TITLES = (
    "{Method} for {problem}",
    "{Problem} with {method}",
    "Towards {problem} despite {obstacle}",
    "What {method} can and cannot do for {problem}",
    "Rethinking {problem} through {method}",
    "{Problem}: lessons from {data}",
    "A closer look at {method} in {problem}",
    "{Problem} in the presence of {obstacle}",
)
_BACKGROUND = (
    "{Problem} is a central task of {aim}, yet it suffers from {obstacle}.",
    "Systems for {problem} often fail because of {obstacle}.",
    "Progress in {problem} has been held back by {obstacle}.",
    "Much work on {aim} comes down to {problem}, that is, to {paraphrase}.",
    "After a decade of research, {problem} still breaks down in the face of {obstacle}.",
)
_APPROACH = (
    "We approach it with {method} and a simple training objective.",
    "This paper studies {method} as a remedy and asks when the effort pays off.",
    "We combine {method} with a careful treatment of {obstacle}.",
    "Our system relies on {method}, and a second stage corrects its most frequent mistakes.",
    "The key idea is to bring {method} to {problem} without any hand-written rule.",
)
_DATA = (
    "Experiments on {data} cover {small} settings.",
    "We evaluate on {data} and compare with {small} earlier systems.",
    "A new collection of {data} makes the comparison possible.",
    "All tests use {data}, split by date to avoid leakage.",
)
_RESULTS = (
    "The error falls by {large} percent against the best earlier system.",
    "Gains of up to {small} points appear where training data are scarce and vanish elsewhere.",
    "Contrary to expectation, a tuned baseline comes within {small} percent of every newer method.",
    "Results improve by {large} percent while the cost of a run is halved.",
    "The advantage holds across seeds, but it shrinks to {small} points under a fixed budget.",
)
_OUTLOOK = (
    "Code and splits are available for later studies.",
    "An analysis of the remaining errors points to annotation noise.",
    "We close with advice for practitioners.",
    "The findings question a common way of reporting progress in {aim}.",
    "",
)


def title_of(draws: Draws, paper: Facts) -> str:
    """Returns the title of a paper."""
    if paper.kind == NUMBER_TITLE:
        return NUMBER_TITLES[NUMBER_ROWS.index(paper.row)]
    if paper.kind == OTHER_SCRIPT:
        return _other_script(paper)[0]
    return _say(draws, paper, _TITLES, "title")


def abstract_of(draws: Draws, paper: Facts) -> str:
    """Returns the abstract of a paper, ``""`` for one of them."""
    if paper.row == NO_ABSTRACT_ROW:
        return ""
    if paper.kind == OTHER_SCRIPT:
        return _other_script(paper)[1]
    parts = (_BACKGROUND, _APPROACH, _DATA, _RESULTS, _OUTLOOK)
    sentences = [_say(draws, paper, part, f"abstract {i}") for i, part in enumerate(parts)]
    return " ".join(sentence for sentence in sentences if sentence)


def full_text_of(draws: Draws, paper: Facts, cited: Sequence[Facts]) -> tuple[Section, ...]:
    """Returns the sections of a paper, none for about four in ten."""
    if draws.below(5, "full text", paper.row) < 2:
        return ()
    words = _words(draws, paper, "sections")
    related = [
        f"{other.authors[0].split(' ')[-1]} et al. studied {other.problem.name} with {other.method} on "
        f"{other.problem.data}."
        for other in cited
    ]
    texts = {
        "Introduction": (
            "{Problem} means {paraphrase}. It matters for {aim}, and practitioners meet {obstacle} every day. We ask "
            "whether {method} can help."
        ),
        "Related Work": " ".join(related) or "To our knowledge no earlier study asks this question.",
        "Method": (
            "We begin with {method}. The model has {small} components and is trained on {data}. A held-out part "
            "decides when training ends."
        ),
        "Experiments": (
            "We report the mean of {small} runs on {data}. The strongest baseline is tuned with the same number of "
            "trials. The error falls by {large} percent."
        ),
        "Limitations": "The study covers {data} only, and {obstacle} may be worse elsewhere.",
        "Acknowledgments": "We thank the people who prepared {data}.",
        "References": "\n".join(f"[{i}] {other.id}" for i, other in enumerate(cited, start=1)),
    }
    return tuple(Section(title, text.format(**words)) for title, text in texts.items() if text)


def _say(draws: Draws, paper: Facts, templates: Sequence[str], purpose: str) -> str:
    row = paper.row - N_PROBLEMS if paper.kind == DUPLICATE else paper.row
    return draws.pick(templates, purpose, row).format(**_words(draws, paper, purpose))


def _words(draws: Draws, paper: Facts, purpose: str) -> dict[str, str]:
    row = paper.row - N_PROBLEMS if paper.kind == DUPLICATE else paper.row
    problem = paper.problem
    return {
        "problem": problem.name,
        "Problem": problem.name[0].upper() + problem.name[1:],
        "method": paper.method,
        "Method": paper.method[0].upper() + paper.method[1:],
        "paraphrase": problem.paraphrase,
        "data": problem.data,
        "obstacle": problem.obstacle,
        "aim": paper.topic.aim,
        "small": str(2 + draws.below(8, purpose, "small", row)),
        "large": str(10 + draws.below(30, purpose, "large", row)),
    }


def _other_script(paper: Facts) -> tuple[str, str]:
    return OTHER_SCRIPTS[OTHER_SCRIPT_ROWS.index(paper.row)]
