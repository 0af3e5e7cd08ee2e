"""The user of a conversation: deterministic, says each utterance at its turn, and never adds a constraint.

What an agent says when it asks for the next turn is looked at by rules. If it asks something, the user repeats the
sentence said so far that shares most words with it, or says that there is no requirement; if it only proposes a paper,
the user repeats what was said last. The user never says whether a proposal is right.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from scholar_env.episode.scholargym.assess import terms
from scholar_env.stemmer import stem

NO_REQUIREMENT: Final = "I have no requirement there."
AGAIN: Final = "As I said: "
_ASKS: Final = re.compile(
    r"\?|^\s*(?:which|what|who|when|where|why|how|does|do|did|is|are|was|should|shall|can|could|would|will|any)\b"
    r"|\b(?:do|would|could|can|should|shall) (?:you|i|we|it)\b|\blet me know\b|\bplease (?:tell|say|confirm|clarify)\b",
    re.IGNORECASE,
)
_MARKS: Final = "()[]{}<>,.;:!?*_`'\"“”«»"
"""What may stand before or after an id in a sentence."""
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=\S)")
_NO_TOPIC: Final = frozenset(
    stem(word)
    for word in (
        *("paper", "papers", "article", "work", "study", "need", "needs", "requirement", "constraint", "prefer"),
        *("require", "matter", "matters", "specific", "particular", "anything", "something", "know", "tell", "please"),
        *("confirm", "clarify", "say", "said", "right", "correct", "find", "found", "looking", "search", "answer"),
    )
)


def answer_to(message: str, said: Sequence[str], known: Collection[str]) -> str:
    """Returns the one sentence that the user adds before the next utterance, "" for none.

    Args:
        message: What the agent said.
        said: The user's utterances so far, in order, at least one, without what was said between them.
        known: Ids and titles of papers; naming one of them, or quoting a title, proposes a paper.
    """
    if not message.strip():
        return ""
    if _ASKS.search(message):
        sentence = _nearest(message, said)
        return AGAIN + sentence if sentence else NO_REQUIREMENT
    if any(_names(message, paper) for paper in known) or re.search(r"[\"“”«»]", message):
        return AGAIN + _sentences(said[-1])[-1]
    return ""


def possible_ids(message: str) -> frozenset[str]:
    """Words of a message that may be ids of papers, without the marks around them."""
    return frozenset(word.strip(_MARKS) for word in message.split()) - {""}


def _names(message: str, paper: str) -> bool:
    """Whether an id or a title stands in a message as words of its own, in whatever case."""
    if not paper or paper.casefold() not in message.casefold():  # most do not, and need no expression
        return False
    return re.search(rf"(?<!\w){re.escape(paper)}(?!\w)", message, re.IGNORECASE) is not None


def _nearest(message: str, said: Sequence[str]) -> str:
    """The sentence with most topic words of the message, the later one of equals; "" when none has one."""
    wanted = _topics(message)
    best, most = "", 0
    for utterance in said:
        for sentence in _sentences(utterance):
            shared = len(wanted & _topics(sentence))
            if shared and shared >= most:
                best, most = sentence, shared
    return best


def _sentences(text: str) -> list[str]:
    return _SENTENCE_END.split(text.strip())


def _topics(text: str) -> frozenset[str]:
    return frozenset(map(stem, terms(text))) - _NO_TOPIC
