"""Citation contexts in TEI documents, as the SciNetBench release takes them from its parser's output.

A bibliography entry is found by its titles: the best token-set ratio wins, of article and of journal titles alike;
case, punctuation and accented Latin letters aside, the first of equal ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scholar_env.metrics.released import as_released

TEI = {"tei": "http://www.tei-c.org/ns/1.0"}
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"

_LATIN_1 = dict.fromkeys(range(0x80, 0x100))

SENTIMENT_THRESHOLD, COMENTION_THRESHOLD = 90, 85
"""Least ratio, of 100, at which a title is that of an entry, of the two released scripts."""


def tei_citation_contexts(tei: str | None, title: str, threshold: int = SENTIMENT_THRESHOLD) -> list[str]:
    """The paragraphs that cite a title, distinct and in order of text; the abstract's count, too.

    Args:
        tei: A TEI document; None where the parser gave none.
        title: The cited paper's title.
        threshold: Least ratio.

    Raises:
        ReleaseCrashError: The document holds no XML at all.
        MissingDependencyError: lxml or rapidfuzz is not installed.
    """
    if tei is None:
        return []
    with as_released("citation contexts"):
        root = _root(tei)
        entry = _best_entry(root, title, threshold)
    texts = [] if entry is None else [" ".join("".join(place.itertext()).split()) for place in _paragraphs(root, entry)]
    return sorted(set(texts))


def tei_same_paragraph(tei: str | None, first: str, second: str, threshold: int = COMENTION_THRESHOLD) -> bool:
    """Whether a paragraph of the body cites two titles; of one entry that both name, one mark is enough.

    Arguments and errors as :func:`tei_citation_contexts`.
    """
    if tei is None:
        return False
    with as_released("same paragraph"):
        root = _root(tei)
        entries = [_best_entry(root, title, threshold) for title in (first, second)]
    if None in entries:
        return False
    for paragraph in root.iterfind(".//tei:body//tei:p", TEI):
        marks = {mark.get("target", "").removeprefix("#") for mark in paragraph.iterfind(".//tei:ref", TEI)}
        if marks.issuperset(entry for entry in entries if entry is not None):
            return True
    return False


def _root(tei: str) -> Any:
    """The root element; what is no whole XML is read as far as it can be."""
    from lxml import etree

    parser = etree.XMLParser(recover=True, no_network=True)
    root = etree.fromstring(tei.encode("utf-8"), parser)
    if root is None:
        raise AttributeError("there is no XML in the document")
    return root


def title_ratio(first: str, second: str) -> int:
    """Token-set ratio of two titles, 0 to 100: 100 where the words of the one are among those of the other.

    Case, punctuation and the characters U+0080 to U+00FF are left out, as thefuzz does it by default.
    """
    from rapidfuzz import fuzz, utils

    plain = [utils.default_process(title.translate(_LATIN_1)) for title in (first, second)]
    return round(fuzz.token_set_ratio(*plain))


def _best_entry(root: Any, title: str, threshold: int) -> str | None:
    best, found = 0, None
    for entry in root.iterfind(".//tei:listBibl/tei:biblStruct", TEI):
        for element in entry.iterfind(".//tei:title", TEI):
            score = title_ratio(title, "".join(element.itertext()).strip())
            if score > best:
                best, found = score, entry.get(XML_ID)
    return found if best >= threshold else None


def _paragraphs(root: Any, entry: str) -> Iterator[Any]:
    """The outermost paragraph around each mark of an entry."""
    for mark in root.iterfind(".//tei:ref", TEI):
        if mark.get("target", "").removeprefix("#") == entry:
            around = list(mark.iterancestors(f"{{{TEI['tei']}}}p"))
            if around:
                yield around[-1]
