"""What reports on CompLit show: accuracy by setting, abstention on both sides, curves, break-downs.

The accuracy on Unmet needs never stands alone: beside it are the false abstention of the same agent on Standard, from
the same run (Mixed) or from another run of the report, and the balanced mean of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from scholar_env.metrics import complit
from scholar_env.study.complit_averages import STANDARD, UNMET, run_averages
from scholar_env.study.complit_tables import complit_tables
from scholar_env.study.family_report import FamilyReport

if TYPE_CHECKING:
    from scholar_env.study.report import ReportRow


def set_beside(rows: Sequence[ReportRow]) -> list[str]:
    """Puts beside each run with Unmet needs the false abstention on Standard, and the balanced mean of both.

    Standard is taken from the run itself where it has such needs (Mixed), else from a run of the same agent, with the
    same options and rules, on the same corpus: the only one over Standard needs alone, or where there is none, the only
    one with such needs among others.

    Args:
        rows: Runs; ``standard_false_abstention`` and ``balanced_abstention`` are added to their averages.

    Returns:
        A remark for each run that lacks its other side.
    """
    remarks = []
    for row in rows:
        unmet = row.averages["settings"].get(UNMET)
        if unmet is None:
            continue
        own = [row] if STANDARD in row.averages["settings"] else []
        others = [other for other in rows if _same_agent(row, other) and STANDARD in other.averages["settings"]]
        alone = [other for other in others if set(other.averages["settings"]) == {STANDARD}]
        found = own or alone or others
        if len(found) != 1:
            which = "no" if not found else f"{len(found)}"
            remarks.append(
                f"{row.run}: accuracy on Unmet says nothing without false abstention on Standard, and the report has "
                f"{which} runs of {row.agent} with Standard needs on that corpus, with the same options"
            )
            continue
        false = found[0].averages["settings"][STANDARD]["false_abstention"]
        row.averages["standard_false_abstention"] = false
        row.averages["balanced_abstention"] = complit.balanced_abstention(unmet["accuracy"], false)
    return remarks


def _same_agent(one: ReportRow, other: ReportRow) -> bool:
    """Whether two runs are of one agent with the same options and rules, on one corpus."""
    same_player = (one.agent, one.player_hash) == (other.agent, other.player_hash)
    return same_player and one.corpus.get("fingerprint") == other.corpus.get("fingerprint")


REPORT: Final = FamilyReport(
    results=(
        ("accuracy", "accuracy"),
        ("false abst. on Standard", "standard_false_abstention"),
        ("balanced", "balanced_abstention"),
        ("unforced", "accuracy_unforced"),
        ("forced", "forced"),
        ("abstained", "abstained"),
        ("listed", "retrieved"),
        ("read", "read"),
        ("near-miss read", "near_miss_read"),
    ),
    process=(
        ("tool calls", "n_tool_calls"),
        ("searches", "n_searches"),
        ("greps", "n_greps"),
        ("reads", "n_reads"),
        ("shown", "n_results_shown"),
        ("characters", "n_characters"),
        ("calls", "n_calls"),
        ("invalid", "n_invalid"),
        ("return", "return"),
    ),
    summary=("accuracy", "unmet_accuracy", "false_abstention", "forced", "n_tool_calls", "n_invalid", "return"),
    cautions={
        "unmet_accuracy": "unmet_accuracy says nothing without false abstention on Standard needs, where an agent that "
        "always abstains fails: scholar-env report sets runs of both side by side; a false_abstention shown here is "
        "over all needs that a paper meets, Implicit ones among them",
    },
    compared=("accuracy", "accuracy_unforced", "return"),
    digits={
        "n_tool_calls": 1,
        "n_searches": 1,
        "n_greps": 1,
        "n_reads": 1,
        "n_results_shown": 1,
        "n_characters": 0,
        "n_calls": 1,
        "n_invalid": 2,
    },
    averages=run_averages,
    tables=complit_tables,
    beside=set_beside,
    by_environment=True,
)
