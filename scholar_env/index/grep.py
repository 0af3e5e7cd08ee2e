r"""Text search as ``grep`` does it, over the titles, abstracts and full texts of a corpus.

A pattern is literal text, or a regular expression of RE2, which takes time linear in the text whatever the pattern.
Nothing is copied: RE2 reads the memory-mapped columns. A literal pattern runs over a whole batch of rows at once;
a match across the border of two texts is none. A regular expression runs over each text by itself, so that ``^``, ``$``
and ``\b`` mean its ends. Order is that of rows, then title, abstract, sections: the same on every machine.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from scholar_env import documents as columns
from scholar_env.documents import ABSTRACT, SECTION_TEXTS, TITLE, DocumentStore
from scholar_env.errors import InvalidOptionError
from scholar_env.index.pattern_weight import GAP, GAP_CHARACTERS, MOST, RARE, WIDE, pattern_weight

MAX_PATTERN: Final = 200
"""Characters of a pattern."""

MAX_PROGRAM: Final = 4000
"""Instructions of a compiled pattern, some hundreds for a class by a property of Unicode such as ``\\pL``."""

MATCH_CHARACTERS: Final = 160
CONTEXT_CHARACTERS: Final = 60
"""Characters of a snippet: of the match, and on either side of it."""

TITLE_PLACE: Final = -2
ABSTRACT_PLACE: Final = -1
"""Places of the two texts that are no sections."""

Found = tuple[int, int, int, int]
"""Row, place of the text (from 0 on: number of the section), and start and end of its first match in bytes."""


class Pattern(NamedTuple):
    """A compiled pattern and whether it is literal text."""

    compiled: Any
    literal: bool


@dataclass(frozen=True, slots=True)
class GrepHit:
    """A text with a match.

    Attributes:
        row: Row of the paper.
        place: :data:`TITLE_PLACE`, :data:`ABSTRACT_PLACE`, or the 0-based number of a section.
        matches: Number of matches in the text that do not overlap.
        snippet: The first match with what stands around it, in one line.
    """

    row: int
    place: int
    matches: int
    snippet: str


@dataclass(frozen=True, slots=True)
class GrepPage:
    """A page of hits, and how many texts and papers match in all."""

    hits: tuple[GrepHit, ...]
    n_texts: int
    n_papers: int


@lru_cache(maxsize=256)
def compile_pattern(text: str, *, regex: bool = False, case_sensitive: bool = False) -> Pattern:
    """Compiles a pattern.

    Raises:
        InvalidOptionError: It is empty, too long, no regular expression of RE2, too large when compiled, or it matches
            the empty text and so everything.
    """
    import re2

    if not text or len(text) > MAX_PATTERN:
        raise InvalidOptionError(
            f"a pattern of {len(text)} characters", f"a pattern has 1 to {MAX_PATTERN}", "search for less"
        )
    options = re2.Options()
    options.literal, options.case_sensitive, options.log_errors = not regex, case_sensitive, False
    try:
        compiled = re2.compile(text, options)
    except (re2.error, UnicodeEncodeError) as error:
        why = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        raise InvalidOptionError(
            f"the pattern {text[:60]!r} is no regular expression ({why})",
            "with regex=true a pattern is one of RE2: no back-references, no look-around",
            "correct it, or search for literal text",
        ) from error
    if regex:
        _refuse_costly(text, compiled)
    return Pattern(compiled, not regex)


def _refuse_costly(text: str, compiled: Any) -> None:
    """Refuses a regular expression that matches everything, or that may take long.

    Raises:
        InvalidOptionError: It does.
    """
    if compiled.search("") is not None:
        raise InvalidOptionError(
            f"the pattern {text[:60]!r} matches the empty text",
            "a pattern matches some characters",
            "name what must stand there, as with + in place of *",
        )
    if compiled.programsize > MAX_PROGRAM:
        raise InvalidOptionError(
            f"the pattern {text[:60]!r} is too large",
            f"a pattern compiles to at most {MAX_PROGRAM} instructions, of which a class such as \\pL takes hundreds",
            "write classes such as \\pL less often or as [a-z], put + in place of a count, or search for a part of it",
        )
    if (weight := pattern_weight(text)) > MOST:
        raise InvalidOptionError(
            f"the pattern {text[:60]!r} leaves too much open (weight {weight})",
            f"a pattern weighs at most {MOST}: {WIDE} for a character that may be any letter, times its count, but at "
            f"most {GAP} for each {GAP_CHARACTERS} such characters that follow a word of {RARE} letters or more",
            "put + or * in place of a count, name a word before a gap, shorten the gap, or search for a part of it",
        )


def grep(
    documents: DocumentStore,
    pattern: Pattern,
    *,
    k: int,
    offset: int = 0,
    row: int | None = None,
    admits: Callable[[int], bool] = lambda row: True,
) -> GrepPage:
    """Returns a page of the texts that a pattern matches.

    Args:
        documents: The papers.
        pattern: What to look for.
        k: Hits of the page.
        offset: Hits to skip.
        row: Search this paper alone.
        admits: Which papers count.
    """
    found: list[Found] = []
    n_texts = n_papers = 0
    last, good = -1, False
    for match in _matches(documents, pattern, row):
        if match[0] != last:
            last, good = match[0], admits(match[0])
            n_papers += good
        if good:
            if offset <= n_texts < offset + k:
                found.append(match)
            n_texts += 1
    return GrepPage(tuple([_hit(documents, pattern, match) for match in found]), n_texts, n_papers)


def _matches(documents: DocumentStore, pattern: Pattern, row: int | None) -> Iterator[Found]:
    """The first match of every text that has one, in order."""
    batches = range(-(-documents.n_rows // columns.BATCH_ROWS)) if row is None else [row // columns.BATCH_ROWS]
    scan = _literal if pattern.literal else _regex
    for number in batches:
        first = number * columns.BATCH_ROWS
        rows = range(min(columns.BATCH_ROWS, documents.n_rows - first)) if row is None else [row - first]
        found: list[Found] = []
        for column, place in ((TITLE, TITLE_PLACE), (ABSTRACT, ABSTRACT_PLACE)):
            offsets, data = documents.cells(column, number)
            cells = scan(pattern.compiled, offsets, data, rows[0], rows[-1] + 1)
            found += [(first + cell, place, start, end) for cell, start, end in cells]
        lists, offsets, data = documents.cells(SECTION_TEXTS, number)
        for cell, start, end in scan(pattern.compiled, offsets, data, lists[rows[0]], lists[rows[-1] + 1]):
            at = bisect_right(lists, cell, rows[0], rows[-1] + 1) - 1
            found.append((first + at, cell - lists[at], start, end))
        found.sort()
        yield from found


def _literal(
    compiled: Any, offsets: memoryview, data: memoryview, low: int, high: int
) -> Iterator[tuple[int, int, int]]:
    """(text, start, end) of the first match in each of the texts [low, high) that has one."""
    at, end = offsets[low], offsets[high]
    while (match := compiled.search(data, at, end)) is not None:
        cell = bisect_right(offsets, match.start(), low, high + 1) - 1
        base, border = offsets[cell], offsets[cell + 1]
        if match.end() <= border:
            yield cell, match.start() - base, match.end() - base
            at = border
        else:
            at = match.start() + 1


def _regex(compiled: Any, offsets: memoryview, data: memoryview, low: int, high: int) -> Iterator[tuple[int, int, int]]:
    start = offsets[low]
    for cell in range(low, high):
        end = offsets[cell + 1]
        match = compiled.search(data[start:end])
        if match is not None:
            yield cell, match.start(), match.end()
        start = end


def _hit(documents: DocumentStore, pattern: Pattern, match: Found) -> GrepHit:
    row, place, start, end = match
    if place >= 0:
        text = documents.texts(SECTION_TEXTS, row)[place]
    else:
        text = documents.text(TITLE if place == TITLE_PLACE else ABSTRACT, row)
    data = text.encode("utf-8")
    before = data[:start].decode("utf-8", "ignore")[-CONTEXT_CHARACTERS:]
    inside = data[start:end].decode("utf-8", "ignore")
    after = data[end:].decode("utf-8", "ignore")[:CONTEXT_CHARACTERS]
    if len(inside) > MATCH_CHARACTERS:
        inside, after = inside[:MATCH_CHARACTERS], ""
    n_matches = sum(1 for _ in pattern.compiled.finditer(data))
    return GrepHit(row, place, n_matches, " ".join(f"{before}{inside}{after}".split()))
