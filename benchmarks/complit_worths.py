"""Fits what CompLit's checker takes candidates to be worth: ``python benchmarks/complit_worths.py``.

Where every wording is known, what is read deserves more trust than in a world with other wordings. So for each fold it
learns phrases with a third of the wordings of clauses and passages held out (`complit_held`), masks the cues written by
hand that know them, and plays needs of another training world. For the constants of
``scholar_env/agents/complit_verdict.py``, and for worths fitted to what was judged (`complit_fit`), it prints on which
share of each setting's needs the checker would abstain, and on which it would be right, by the least doubt from which
it abstains; then both side by side. It changes no constant, and other needs give somewhat other worths. The default
world and its tasks are never opened. It needs scikit-learn (``pip install scholar-env[learn]``) and a dozen minutes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from complit_doubt import TOOLS, play
from complit_fit import (
    IMPLICIT,
    IN_USE,
    STANDARD,
    UNMET,
    Candidate,
    Need,
    Point,
    Table,
    Worths,
    curve,
    descend,
    farthest_off,
    objective,
)
from complit_held import hold_out, masked_cues, passages_by_wording
from complit_phrases import Seen, learn, read_worlds, valued

from scholar_env.agents.complit_checker import CheckerAgent, Desk
from scholar_env.agents.complit_judge import Judgement
from scholar_env.agents.complit_known import Known, known_of

SHARES = (0.05, 0.06, 0.07, 0.085, 0.10)
"""Shares of Standard needs on which the checker abstains, of which the outcome is printed."""

MOST_OFF = 1e-9
"""How far the doubts that are fitted may be from the checker's own."""


class Judging(CheckerAgent):
    """The checker that knows what it is given, and keeps what it judged.

    Args:
        tools: Tools of the environment.
        known: What it knows of words.
    """

    def __init__(self, tools: Collection[str], known: Known) -> None:
        super().__init__(tools)
        self._desk = Desk(known=known)
        self.judged: dict[str, tuple[Judgement, float]] = {}

    def _open(self) -> Desk:
        return self._desk

    def _verdict(self, ranked: Sequence[tuple[str, Judgement, float]], listed: str) -> tuple[str, str]:
        self.judged = {paper: (said, self._desk.ranks[paper]) for paper, said, _ in ranked}
        return super()._verdict(ranked, listed)


def known_without(seen: Seen, wordings: Mapping[str, set[str]], fold: int) -> Known:
    """What the checker knows when a fold of wordings is held out."""
    held = hold_out(wordings, fold)
    cues = masked_cues(seen.asked, held)
    return replace(known_of(learn(seen, held)), in_clauses=cues.in_clauses, in_papers=cues.in_papers)


def judged_needs(known: Known, world: int, needs: int) -> Iterator[Need]:
    """Plays needs of all settings; those are left out for which nothing was read."""
    for setting in (STANDARD, UNMET, IMPLICIT):
        for agent, task, _ in play(setting, world, needs, lambda: Judging(TOOLS, known)):
            if agent.judged:
                found = [Candidate(said, ranks, paper in task.gold) for paper, (said, ranks) in agent.judged.items()]
                yield Need(setting, found)


def show(name: str, table: Table, worths: Worths) -> None:
    """Prints what comes of worths."""
    print(f"\n{name}: objective {objective(table, worths):.4f}")
    heads = [field.replace("_", " ") for field in Point._fields]
    print("  ".join(heads))
    for point in curve(table, worths, SHARES):
        print("  ".join(f"{cell:>{len(head)}.3f}" for cell, head in zip(point, heads, strict=True)))


def main() -> None:
    """Learns, plays, fits and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, nargs="+", default=[1, 2, 3], help="training worlds that it learns from")
    parser.add_argument("--world", type=int, default=0, help="number of the training world that is played")
    parser.add_argument("--needs", type=int, default=200, help="needs of each setting and fold")
    parser.add_argument("--folds", type=int, nargs="+", default=[0, 1], help="folds held out in turn, -1 for none")
    options = parser.parse_args()
    if options.world in options.worlds:
        parser.error("it has to play another world than those that it learns from")

    seen = read_worlds(options.worlds)
    wordings = passages_by_wording((trait, one.passage) for one, (trait, _) in valued(seen.told))
    tell(f"read worlds {options.worlds}: {len(seen.told)} constraints, {len(wordings)} wordings of passages")
    needs: list[Need] = []
    for fold in options.folds:
        known = known_without(seen, wordings, fold)
        tell(f"fold {fold}: learned")
        needs.extend(judged_needs(known, options.world, options.needs))
        tell(f"fold {fold}: played, {len(needs)} needs so far")
    table = Table(needs)
    off = farthest_off(needs, table)
    if not off <= MOST_OFF:
        sys.exit(f"complit_fit and complit_verdict drifted apart: their doubts differ by {off:g}")
    tell(f"{len(needs)} needs; doubts differ from the checker's by {off:.1e} at most")
    fitted = descend(table)
    tell("fitted")

    show("in use", table, IN_USE)
    show("fitted", table, fitted)
    print(f"\n{'':>16}{'in use':>10}{'fitted':>10}")
    for name, used, found in zip(Worths._fields, IN_USE, fitted, strict=True):
        print(f"{name:>16}{used:>10.4g}{found:>10.4g}")


def tell(what: str) -> None:
    """Prints how far it is, with the seconds of processor time spent."""
    print(f"[{time.process_time():5.0f} s] {what}", flush=True)


if __name__ == "__main__":
    main()
