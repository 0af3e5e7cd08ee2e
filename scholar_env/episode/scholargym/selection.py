"""Runs a fixed assessor over a page, with the browsing of the chosen mode."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scholar_env.episode.documents import DocumentStore
from scholar_env.episode.retrieval import with_retries
from scholar_env.episode.scholargym.assess import Assessor, Candidate, RecordedAssessor
from scholar_env.episode.scholargym.browse import Browser, main_sections, summarize
from scholar_env.episode.trace import Page, RecordedAssessment


@dataclass(frozen=True, slots=True)
class AssessedPage:
    """The verdict on one page.

    Attributes:
        selected: Ids kept, in page order.
        overview: Last remark of the assessor.
        browsed: Ids sent to the browser, in page order.
        passes: The assessor's answers, one or two.
    """

    selected: tuple[str, ...]
    overview: str
    browsed: tuple[str, ...]
    passes: tuple[RecordedAssessment, ...]


@dataclass(slots=True)
class PageJudge:
    """A fixed assessor at work on the pages of one question.

    Modes, as in the released workflow: NONE selects once from abstracts, ``to_browse`` is passed over. REFRESH reads
    the papers in ``to_browse`` and judges the whole page again; the second verdict replaces the first. INCREMENTAL
    judges only the read papers again; the verdicts are merged. PRE_ENRICH asks for each paper whether to read it
    (``decide`` of the assessor; without that method every paper with full text is read, with the subquery as goal) and
    then selects once. There is one browsing round. What fails for want of a remote part is tried again, first after
    ``retry_delay`` seconds.
    """

    assessor: Assessor
    browser: Browser
    documents: DocumentStore
    mode: str
    question: str
    checklist: str = ""
    retry_delay: float = 0.0

    def judge(self, page: Page, subquery: str) -> AssessedPage:
        """Judges one page of a node with this text."""
        candidates = candidates_of(self.documents, page)
        browsed: tuple[str, ...] = ()
        if self.mode == "PRE_ENRICH":
            browsed = page.papers
            candidates = [self._enrich(candidate, page, subquery) for candidate in candidates]
        first = self._ask(page, subquery, candidates, browsed=False)
        if self.mode not in ("REFRESH", "INCREMENTAL") or not first.to_browse:
            return AssessedPage(first.selected, first.overview, browsed, (first,))
        browsed = tuple(first.to_browse)
        again = []
        for candidate in candidates:
            if candidate.id in first.to_browse:
                again.append(self._read(candidate, page, subquery, first.to_browse[candidate.id]))
            elif self.mode == "REFRESH":
                again.append(candidate)
        second = self._ask(page, subquery, again, browsed=True)
        selected = second.selected if self.mode == "REFRESH" else _in_order(page, (*first.selected, *second.selected))
        return AssessedPage(selected, second.overview, browsed, (first, second))

    def _enrich(self, candidate: Candidate, page: Page, subquery: str) -> Candidate:
        decide = getattr(self.assessor, "decide", None)
        if decide is not None:
            asked = (self.question, subquery, self.checklist, candidate)
            goal = str(with_retries(lambda: decide(*asked), self.retry_delay))
        else:
            goal = subquery if main_sections(self.documents.sections(_row(page, candidate.id))) else ""
        return self._read(candidate, page, subquery, goal) if goal else candidate

    def _read(self, candidate: Candidate, page: Page, subquery: str, goal: str) -> Candidate:
        row = _row(page, candidate.id)
        summary = with_retries(
            lambda: summarize(self.browser, self.documents, row, goal=goal, subquery=subquery), self.retry_delay
        )
        return replace(candidate, abstract="", summary=summary)

    def _ask(self, page: Page, subquery: str, candidates: list[Candidate], *, browsed: bool) -> RecordedAssessment:
        if isinstance(self.assessor, RecordedAssessor):
            answer = self.assessor.at(page.iteration, page.subquery, page.number, browsed=browsed)
        else:
            assessor, asked = self.assessor, (self.question, subquery, self.checklist, candidates)
            answer = with_retries(lambda: assessor(*asked), self.retry_delay)
        goals = answer.to_browse
        return RecordedAssessment(
            iteration=page.iteration,
            subquery=page.subquery,
            page=page.number,
            browsed=browsed,
            selected=_in_order(page, answer.selected, {candidate.id for candidate in candidates}),
            to_browse={paper: str(goals[paper]) for paper in page.papers if paper in goals},
            overview=str(answer.overview),
        )


def candidates_of(documents: DocumentStore, page: Page) -> list[Candidate]:
    """Returns the papers of a page as an assessor sees them."""
    return [
        Candidate(
            entry.paper,
            entry.score,
            documents.date(entry.row),
            documents.title(entry.row),
            documents.abstract(entry.row),
        )
        for entry in page.entries
    ]


def _row(page: Page, paper: str) -> int:
    return next(entry.row for entry in page.entries if entry.paper == paper)


def _in_order(page: Page, papers: Iterable[str], allowed: set[str] | None = None) -> tuple[str, ...]:
    """Distinct ids of the page among these, in page order."""
    wanted = set(papers) if allowed is None else set(papers) & allowed
    return tuple(paper for paper in page.papers if paper in wanted)
