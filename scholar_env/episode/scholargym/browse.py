"""Browsing: what a full text says about a goal, in three sentences at most."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from scholar_env.episode.documents import DocumentStore
from scholar_env.episode.scholargym.assess import WORDS, load_reference, terms
from scholar_env.records import Section

DROPPED_TITLES: Final = ("references", "acknowledgments", "acknowledgements", "about this document", "appendix")
SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
MAX_SENTENCES: Final = 3
MAX_SENTENCE_CHARACTERS: Final = 400
BROWSE_DOCUMENT: Final[Mapping[str, type]] = {"paper": str, "title": str, "goal": str, "summary": str}
"""The form of what ``browse`` shows."""
NO_FULL_TEXT: Final = "Browsing exception, the abstract instead: "


class Browser(Protocol):
    """Reads a full text for a goal, deterministically."""

    def __call__(self, goal: str, subquery: str, title: str, sections: Sequence[Section]) -> str:
        """Returns a summary of three sentences at most, or ``""`` when the text says nothing."""
        ...


def main_sections(sections: Sequence[Section]) -> list[Section]:
    """Returns the sections without references, acknowledgments, document notes and appendices (told by title)."""
    return [section for section in sections if not any(word in section.title.lower() for word in DROPPED_TITLES)]


def sentences(text: str) -> list[str]:
    """Splits text after a full stop, question or exclamation mark before white space, and at line ends."""
    return [piece for part in SENTENCE_END.split(text) if (piece := part.strip())]


class ExtractiveBrowser:
    """Takes the sentences that share most words with the goal.

    A sentence scores the number of distinct goal terms in it (of the subquery's terms where the goal has none); the
    three best with a score above 0 are returned in the order of the text, ties to the earlier one; without any the
    first three stand in.
    """

    def __call__(self, goal: str, subquery: str, title: str, sections: Sequence[Section]) -> str:
        """Returns the summary."""
        wanted = terms(goal) or terms(subquery)
        found = [sentence for section in main_sections(sections) for sentence in sentences(section.text)]
        scores = [len(wanted.intersection(WORDS.findall(sentence.lower()))) for sentence in found]
        best = sorted(range(len(found)), key=lambda place: (-scores[place], place))[:MAX_SENTENCES]
        if best and scores[best[0]] > 0:
            best = [place for place in best if scores[place] > 0]
        return " ".join(found[place][:MAX_SENTENCE_CHARACTERS] for place in sorted(best))


def summarize(browser: Browser, documents: DocumentStore, row: int, *, goal: str, subquery: str) -> str:
    """Browses one paper; without full text, or when the browser finds nothing, the marked abstract stands in."""
    sections = documents.sections(row)
    summary = browser(goal, subquery, documents.title(row), sections) if main_sections(sections) else ""
    return " ".join(sentences(summary)[:MAX_SENTENCES]) if summary else NO_FULL_TEXT + documents.abstract(row)


def make_browser(name: str) -> Browser:
    """Builds the browser that an option names: ``extractive`` or ``package.module:name``."""
    if name == "extractive":
        return ExtractiveBrowser()
    browser: Browser = load_reference("browser", name)
    return browser
