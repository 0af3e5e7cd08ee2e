"""The question templates by key, with what they count as, and the words of their questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from . import aise_authors as authors
from . import aise_coauthors as coauthors
from . import aise_experts as experts
from . import aise_foremost as foremost
from . import aise_lists as lists
from . import aise_places as places
from . import aise_published as published
from . import aise_topics as topics
from . import aise_works as works
from .aise_sketch import Asking, Sketch

FRAMES = Path(__file__).with_name("aise_frames.txt")

PAPER, AUTHOR, VENUE, ORG = "search_paper", "search_author", "search_venue", "search_org"
MEMORY, COMPARE, EXAMPLES = "memorisation", "comparison", "examples"
INTERPRET, SUMMARIZE = "interpretation", "summarisation"


@dataclass(frozen=True)
class Template:
    """A kind of question.

    Attributes:
        key: Key of its frames.
        intent: What is looked for.
        level: Memorisation, or the kind of understanding.
        steps: Order of the last call of its plan.
        weight: How often it is asked.
        make: Draws one; None where the draw does not fit.
    """

    key: str
    intent: str
    level: str
    steps: int
    weight: int
    make: Callable[[Asking, str], Sketch | None]


TEMPLATES: tuple[Template, ...] = (
    Template("author/pub_num", AUTHOR, MEMORY, 2, 3, authors.author_figure),
    Template("author/citation_num", AUTHOR, MEMORY, 2, 2, authors.author_figure),
    Template("author/h_index", AUTHOR, MEMORY, 2, 2, authors.author_figure),
    Template("author/position", AUTHOR, MEMORY, 2, 3, authors.author_position),
    Template("author/interests", AUTHOR, MEMORY, 2, 4, authors.author_interests),
    Template("author/org", ORG, MEMORY, 2, 3, authors.author_org),
    Template("author/best/venue", PAPER, MEMORY, 3, 3, foremost.author_best),
    Template("author/best/year", PAPER, MEMORY, 3, 2, foremost.author_best),
    Template("author/best/citation", PAPER, MEMORY, 3, 3, foremost.author_best),
    Template("author/best/authors", PAPER, MEMORY, 3, 3, foremost.author_best),
    Template("author/best/abstract", PAPER, SUMMARIZE, 3, 4, foremost.author_best),
    Template("author/latest", PAPER, MEMORY, 3, 3, foremost.author_latest),
    Template("author/coauthors", AUTHOR, EXAMPLES, 3, 4, coauthors.author_coauthors),
    Template("author/coauthors/topic", AUTHOR, EXAMPLES, 4, 4, coauthors.coauthors_topic),
    Template("author/coauthors/compare", AUTHOR, COMPARE, 4, 3, coauthors.coauthors_compare),
    Template("author/coauthors/elsewhere", ORG, COMPARE, 5, 4, coauthors.coauthors_elsewhere),
    Template("author/compare/h_index", AUTHOR, COMPARE, 2, 2, authors.author_compare),
    Template("author/compare/citation_num", AUTHOR, COMPARE, 2, 2, authors.author_compare),
    Template("author/top", AUTHOR, EXAMPLES, 2, 4, experts.author_top),
    Template("author/prolific", AUTHOR, MEMORY, 2, 2, experts.author_prolific),
    Template("author/at", AUTHOR, EXAMPLES, 2, 4, experts.author_at),
    Template("author/nation", AUTHOR, EXAMPLES, 2, 3, experts.author_nation),
    Template("author/expert/best", PAPER, MEMORY, 3, 3, foremost.expert_best),
    Template("author/expert/collaborators", AUTHOR, EXAMPLES, 4, 3, foremost.expert_collaborators),
    Template("paper/authors/first", AUTHOR, MEMORY, 3, 3, works.paper_first_author),
    Template("paper/authors/compare", AUTHOR, COMPARE, 3, 2, works.paper_authors_compare),
    Template("paper/authors/orgs", ORG, EXAMPLES, 3, 3, works.paper_orgs),
    Template("paper/summary", PAPER, SUMMARIZE, 2, 4, works.paper_summary),
    Template("paper/field", PAPER, MEMORY, 2, 3, works.paper_field),
    Template("paper/scholar", PAPER, MEMORY, 2, 4, works.paper_scholar),
    Template("paper/explain", PAPER, INTERPRET, 2, 5, works.paper_explain),
    Template("paper/venue/level", VENUE, INTERPRET, 4, 4, works.paper_level),
    Template("papers/topic/year", PAPER, EXAMPLES, 2, 5, topics.topic_year),
    Template("papers/topic/latest", PAPER, SUMMARIZE, 2, 4, topics.topic_latest),
    Template("papers/topic/count", PAPER, COMPARE, 2, 3, topics.topic_count),
    Template("papers/author/venue", PAPER, EXAMPLES, 3, 4, lists.author_venue),
    Template("papers/author/years", PAPER, EXAMPLES, 3, 3, lists.author_years),
    Template("papers/author/topic", PAPER, EXAMPLES, 3, 3, lists.author_topic),
    Template("papers/together", PAPER, EXAMPLES, 3, 3, lists.papers_together),
    Template("papers/together/venue", VENUE, INTERPRET, 5, 3, lists.together_venue),
    Template("papers/org/topic", PAPER, EXAMPLES, 3, 4, published.org_topic),
    Template("papers/org/topic/authors", AUTHOR, COMPARE, 4, 3, published.org_topic),
    Template("papers/class", PAPER, EXAMPLES, 3, 2, topics.papers_class),
    Template("venue/level", VENUE, INTERPRET, 2, 3, places.venue_level),
    Template("venue/list", VENUE, EXAMPLES, 2, 3, places.venue_list),
    Template("venue/compare", VENUE, COMPARE, 2, 3, places.venue_compare),
    Template("venue/papers", VENUE, SUMMARIZE, 3, 3, published.venue_papers),
    Template("venue/papers/year", PAPER, EXAMPLES, 3, 3, published.venue_year),
    Template("venue/author", VENUE, INTERPRET, 5, 4, foremost.venue_author),
    Template("venue/expert", VENUE, INTERPRET, 5, 2, foremost.venue_expert),
    Template("org/detail", ORG, MEMORY, 2, 3, places.org_detail),
    Template("org/compare", ORG, COMPARE, 2, 3, places.org_compare),
    Template("org/compare/papers", ORG, COMPARE, 2, 2, places.org_compare),
    Template("org/field", ORG, SUMMARIZE, 3, 4, experts.org_field),
    Template("org/author", ORG, MEMORY, 3, 3, authors.org_author),
    Template("org/coauthors", ORG, EXAMPLES, 4, 3, foremost.org_coauthors),
    Template("org/expert", ORG, EXAMPLES, 5, 3, foremost.org_expert),
)


@cache
def frames() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """The frames by key and language."""
    found: dict[str, dict[str, list[str]]] = {}
    key = ""
    for line in FRAMES.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            key = line.strip("[]")
            found[key] = {"zh": [], "en": []}
        elif line[:4] in ("zh: ", "en: "):
            found[key][line[:2]].append(line[4:])
    return {key: {language: tuple(texts) for language, texts in by.items()} for key, by in found.items()}


_slot = re.compile(r"\{(\w+)\}")
_comma = re.compile(r",(?=\s*[?.,:;!)])")


def filled(frame: str, slots: Mapping[str, str]) -> str:
    """A frame with its slots filled.

    Where two words in Latin letters would run into one a space parts them, and a comma before another sign goes.
    """
    joined = _slot.sub(lambda match: f"\x00{slots[match[1]]}\x00", frame)
    parted = re.sub("\x00", lambda match: " " if _runs_together(joined, match.start()) else "", joined)
    return _comma.sub("", parted)


def _runs_together(text: str, at: int) -> bool:
    """Whether the signs before and behind a seam, further seams left out, are both of Latin words."""
    before, behind = text[:at].rstrip("\x00")[-1:], text[at + 1 :].lstrip("\x00")[:1]
    outermost = text[at - 1 : at] != "\x00"
    return outermost and before.isascii() and behind.isascii() and before.isalnum() and behind.isalnum()


def worded(ask: Asking, sketch: Sketch) -> str:
    """The question of a sketch: a frame drawn and filled; authors are worded with frames of their own."""
    slots = dict(sketch.slots)
    for name in ("who", "who2"):
        if name in slots:
            own = "2" if name.endswith("2") else ""
            kind = slots[name]
            frame = ask.choose(frames()[kind][ask.language])
            slots[name] = filled(
                frame, {"name": slots[f"name{own}"], **dict.fromkeys(("topic", "org"), slots[f"hint{own}"])}
            )
    frame = ask.choose(frames()[sketch.frame][ask.language])
    question = filled(frame, slots)
    return question[:1].upper() + question[1:]
