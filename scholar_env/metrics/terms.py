"""Further metric terms beside the tracker's own: a term is one function, registered by one line here.

A term is ``term(episode, gold, metrics) -> float``: a finite value of the state after a call, computed from the
episode, the gold ids and the metrics that the tracker has already computed. It is asked for by its registered name
or, unregistered, as ``"package.module:name"``; a reward weight of that name is enough. NaN means undefined and counts
0 in a reward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, cast

from scholar_env.errors import InvalidOptionError
from scholar_env.named import named

Term = Callable[[Any, tuple[str, ...], Mapping[str, float]], float]
"""``term(episode, gold, metrics) -> float``; pure and deterministic. The episode is of the family that it is for."""

TERMS: dict[str, str] = {
    "shown_reciprocal_rank": "scholar_env.metrics.term_reading:shown_reciprocal_rank",
    "shown_ndcg": "scholar_env.metrics.term_reading:shown_ndcg",
}
"""Registered name -> where the function is; imported when first used."""


def load_term(name: str) -> Term:
    """The function behind a registered name or a ``"package.module:name"``.

    Raises:
        InvalidOptionError: No such term, module or function.
    """
    target = TERMS.get(name, name)
    module_name, colon, attribute = target.partition(":")
    if not colon or not module_name or not attribute:
        raise InvalidOptionError(
            f"metric {name!r}",
            f"a metric is one of the environment's own, of {sorted(TERMS)}, or 'package.module:name'",
            "correct the name",
        )
    try:
        term = named(target)
    except (ImportError, AttributeError) as error:
        raise InvalidOptionError(
            f"metric {name!r}: {error}", "the named function can be imported", "check the spelling and the installation"
        ) from error
    if not callable(term):
        raise InvalidOptionError(
            f"metric {name!r} is a {type(term).__name__}", "a metric term is a function", "name a function"
        )
    return cast(Term, term)


def load_terms(names: Iterable[str]) -> dict[str, Term]:
    """The functions behind several names, in the order given."""
    return {name: load_term(name) for name in names}


class TermTracker:
    """What the trackers of all families share: the names of their metrics, and further terms behind these.

    Args:
        gold: Ids of the gold papers, as terms get them.
        terms: Names of the terms, under which they are reported.

    Raises:
        InvalidOptionError: A term is unknown.
    """

    METRICS: ClassVar[tuple[str, ...]]

    def __init__(self, gold: Sequence[str], terms: Iterable[str]) -> None:
        self._gold = tuple(gold)
        self._terms = load_terms(terms)

    @property
    def names(self) -> tuple[str, ...]:
        """Keys that ``update`` returns: the family's metrics, then the terms."""
        return (*self.METRICS, *self._terms)

    def _with_terms(self, episode: Any, metrics: dict[str, float]) -> dict[str, float]:
        """Adds the terms, in order, to the metrics of a state."""
        for name, term in self._terms.items():
            metrics[name] = float(term(episode, self._gold, metrics))
        return metrics
