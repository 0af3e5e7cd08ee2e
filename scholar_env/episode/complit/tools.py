"""The tools of CompLit, each declared once, and what they do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from scholar_env.episode.arguments import BEFORE, OFFSET, PAPER, REASON, TEXT, K, optional_text
from scholar_env.episode.complit.document import read
from scholar_env.episode.complit.resources import SCOPES
from scholar_env.episode.schema import ActionError, Argument
from scholar_env.episode.searching import capped_size, date_bound
from scholar_env.episode.tool import Tool, by_name
from scholar_env.errors import InvalidOptionError
from scholar_env.index.grep import ABSTRACT_PLACE, MAX_PATTERN, TITLE_PLACE, GrepHit, compile_pattern, grep
from scholar_env.metrics.complit import Answer, held_id

if TYPE_CHECKING:
    from scholar_env.episode.complit.engine import ComplitEpisode

FREE: Final = ("answer", "abstain", "next_turn")
"""Tools that cost nothing of the budget and are taken when it is spent."""


def search(episode: ComplitEpisode, arguments: Mapping[str, Any]) -> None:
    """Shows a page of the papers that BM25 ranks best, by title and abstract or by full text."""
    size = capped_size(episode, arguments["k"], episode.config.page_size)
    before = date_bound(episode, arguments["before"])
    page = episode.fetch(arguments["text"], k=size, offset=arguments["offset"], scope=arguments["scope"], before=before)
    corpus, longest = episode.corpus, episode.config.max_abstract_chars
    shown = sum(len(corpus.title(entry.row)) + min(len(corpus.abstract(entry.row)), longest) for entry in page.entries)
    episode.list_papers(page.papers, shown)
    if not page.entries:
        episode.note("search: nothing found" if not page.total else f"search: only {page.total} papers are found")


def grep_texts(episode: ComplitEpisode, arguments: Mapping[str, Any]) -> None:
    """Shows where titles, abstracts and full texts hold a text or match a regular expression."""
    try:
        pattern = compile_pattern(
            arguments["text"], regex=arguments["regex"], case_sensitive=arguments["case_sensitive"]
        )
    except InvalidOptionError as problem:
        raise ActionError("bad_pattern", f"grep: {problem}") from problem
    resources, size = episode.resources, capped_size(episode, arguments["k"], episode.config.grep_size)
    row = episode.row_to_show("grep", arguments["paper"]) if arguments["paper"] else None
    documents = resources.corpus.documents
    page = grep(documents, pattern, k=size, offset=arguments["offset"], row=row, admits=episode.admits)
    hits = [_hit(episode, hit) for hit in page.hits]
    episode.state.n_greps += 1
    episode.list_papers([hit["paper"] for hit in hits], sum(len(hit["snippet"]) for hit in hits))
    episode.give({"hits": hits})
    episode.note(f"grep: {page.n_texts} texts of {page.n_papers} papers match, {len(hits)} shown")


def _hit(episode: ComplitEpisode, hit: GrepHit) -> dict[str, Any]:
    corpus = episode.corpus
    places = {TITLE_PLACE: "title", ABSTRACT_PLACE: "abstract"}
    where = places.get(hit.place) or corpus.sections(hit.row)[hit.place].title
    return {
        "paper": corpus.id_of(hit.row),
        "title": corpus.title(hit.row),
        "section": where,
        "matches": hit.matches,
        "snippet": hit.snippet,
    }


def answer(episode: ComplitEpisode, arguments: Mapping[str, Any]) -> None:
    """Names the paper that meets the need; neither id nor title says that none does."""
    paper = held_id(arguments["paper"], episode.corpus.row_of)
    episode.answered(Answer(paper, arguments["title"]), arguments["rationale"])


def abstain(episode: ComplitEpisode, arguments: Mapping[str, Any]) -> None:
    """Says that no paper meets the need; before the last turn of a conversation, takes the answer back."""
    episode.answered(Answer(), arguments["reason"])


def next_turn(episode: ComplitEpisode, arguments: Mapping[str, Any]) -> None:
    """Says something to the user and goes on to the next turn."""
    episode.go_on(arguments["message"])


SCOPE: Final = Argument(
    "scope", "string", "what is searched", required=False, default=SCOPES[0], choices=SCOPES
)  # fmt: skip
GREP_ARGUMENTS: Final = (
    Argument(
        "text", "string", "literal text, white space at its ends included, or a regular expression of RE2",
        min_length=1, max_length=MAX_PATTERN, verbatim=True,
    ),
    Argument("regex", "boolean", "whether text is a regular expression", required=False, default=False),
    Argument("case_sensitive", "boolean", "whether case counts", required=False, default=False),
    optional_text("paper", "search this paper only", 200),
    K,
    OFFSET,
)  # fmt: skip
READ_ARGUMENTS: Final = (
    PAPER,
    optional_text("section", "title or number of a section, or abstract; leave out for the whole text", 500),
    Argument("offset", "integer", "characters to skip", required=False, default=0, minimum=0),
)
ANSWER_ARGUMENTS: Final = (
    optional_text("paper", "id of the paper", 200),
    optional_text("title", "its title", 1000),
    optional_text("rationale", "why it is the one", 8000),
)
TOOLS: Final[Mapping[str, Tool]] = by_name(
    (
        Tool(
            "search",
            "Search titles and abstracts, or full texts, for words.",
            (TEXT, K, OFFSET, SCOPE, BEFORE),
            search,
            {"text": "sparse retrieval", "k": 10, "scope": "title_abstract"},
        ),
        Tool(
            "grep",
            "Find literal text or a regular expression in titles, abstracts and full texts.",
            GREP_ARGUMENTS,
            grep_texts,
            {"text": "held-out queries", "regex": False},
        ),
        Tool(
            "read",
            "Show a paper's whole text in parts, or one section, with the data of the first four figures in it.",
            READ_ARGUMENTS,
            read,
            {"paper": "2101.00001", "section": "Results"},
        ),
        Tool(
            "answer",
            "Name the one paper that meets the need, by id or title.",
            ANSWER_ARGUMENTS,
            answer,
            {"paper": "2101.00001", "rationale": "all that was asked for holds"},
            charged=False,
        ),
        Tool(
            "abstain",
            "Say that no paper meets the need.",
            (REASON,),
            abstain,
            {"reason": "no paper meets every constraint"},
            charged=False,
        ),
        Tool(
            "next_turn",
            "Go on to the user's next turn, with a message if wanted.",
            (optional_text("message", "what to tell or ask the user", 4000),),
            next_turn,
            {"message": "I have a candidate. Anything else?"},
            charged=False,
        ),
    )
)
