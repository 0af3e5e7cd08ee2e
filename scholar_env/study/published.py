"""Published reference numbers of ScholarGym, as data.

Setting: Test-Fast (200 queries), sparse retrieval, abstracts only, T = 5. Source: arXiv 2601.21654 v1 and the
release's README. The task lists behind them are not released, so no run of this package is comparable with them
number by number; they are here to be shown beside, never among, own results. None = not published in the sources.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row of the main table; shares in [0, 1], rounded to three decimals, F1 of the means.

    Attributes:
        system: Model, or ``Direct Query`` with the model that selects; ``(thinking)`` for the reasoning mode.
        recall: Recall of the selection.
        precision: Precision of the selection.
        f1: F1 of the selection.
        ret_recall: Recall of the retrieval.
        ret_precision: Precision of the retrieval.
        ret_f1: F1 of the retrieval.
    """

    system: str
    recall: float
    precision: float
    f1: float
    ret_recall: float
    ret_precision: float | None
    ret_f1: float | None


MAIN_TABLE: tuple[PublishedRow, ...] = (
    PublishedRow("Direct Query, Qwen3-8B", 0.185, 0.042, 0.069, 0.210, 0.036, 0.061),
    PublishedRow("Direct Query, Qwen3-30B", 0.312, 0.058, 0.098, 0.350, 0.052, 0.091),
    PublishedRow("Qwen3-8B", 0.483, 0.152, 0.231, 0.550, 0.022, 0.042),
    PublishedRow("Qwen3-8B (thinking)", 0.458, 0.216, 0.293, 0.580, None, None),  # named in the text only
    PublishedRow("Qwen3-30B", 0.673, 0.181, 0.285, 0.720, 0.011, 0.021),
    PublishedRow("Qwen3-30B (thinking)", 0.482, 0.290, 0.362, 0.590, 0.025, 0.048),
    PublishedRow("GLM-4.7", 0.754, 0.111, 0.194, 0.814, 0.010, 0.020),
    PublishedRow("DeepSeek-V3.2", 0.855, 0.135, 0.233, 0.862, 0.007, 0.014),
    PublishedRow("DeepSeek-V3.2 (thinking)", 0.812, 0.287, 0.423, 0.872, 0.009, 0.018),
    PublishedRow("GPT-5.2", 0.837, 0.305, 0.447, 0.883, 0.009, 0.018),
    PublishedRow("Gemini3-Pro", 0.950, 0.199, 0.329, 0.958, 0.011, 0.022),
)
"""Test-Fast, sparse, abstracts only, T = 5."""

GT_DISCARD_PERCENT: dict[str, tuple[float, ...]] = {
    "Qwen3-8B": (1.46, 0.70, 0.55, 0.22, 0.38),  # the text gives this row to the thinking mode, the figure does not
    "Qwen3-8B (thinking)": (1.20, 1.20, 0.90, 0.57, 0.78),
    "Qwen3-30B": (0.23, 0.19, 0.08, 0.08, 0.09),
    "Qwen3-30B (thinking)": (1.22, 1.26, 1.15, 1.11, 0.77),
    "GPT-5.2": (0.20, 0.16, 0.12, 0.11, 0.10),
    "Gemini3-Pro": (0.20, 0.14, 0.17, 0.10, 0.09),
}
"""``gt_discard_iter`` in percent at iterations 1 to 5 (figure 3)."""

GT_DISCARD_MEAN_PERCENT: dict[str, float] = {
    "Qwen3-8B (thinking)": 0.93,
    "Qwen3-30B": 0.13,
    "Qwen3-30B (thinking)": 1.03,  # its own five values average 1.10
}
"""Means over iterations that the text quotes (table 6)."""

DENSE_RECALL: dict[str, tuple[float, float]] = {
    "Qwen3-8B": (0.483, 0.608),
    "Qwen3-8B (thinking)": (0.458, 0.488),  # the second is given as approximate
    "Qwen3-30B": (0.673, 0.718),
    "Qwen3-30B (thinking)": (0.482, 0.532),  # the second is given as approximate
}
"""Recall with sparse and with dense retrieval."""

F1_WITHOUT_MEMORY: dict[str, float] = {
    "Qwen3-8B": 0.217,  # approximate
    "Qwen3-8B (thinking)": 0.239,
    "Qwen3-30B": 0.268,  # approximate
    "Qwen3-30B (thinking)": 0.282,
}
"""F1 without the experience buffer."""

AVG_DISTANCE_GEMINI: tuple[float, float, float] = (0.784, 0.881, 0.845)
"""Gemini3-Pro: iteration 1, iteration 5, and the headline, which lies between them as a mean over iterations does."""

TEST_HARD: dict[str, tuple[float, float, float]] = {
    "Qwen3-30B (thinking)": (0.172, 0.058, 0.087),
    "GPT-5.2": (0.397, 0.045, 0.081),
}
"""Test-Hard (100 queries), same setting: recall, precision, F1."""

RECALL_AT_25_ITERATIONS: dict[str, float] = {"Qwen3-30B": 0.702, "Qwen3-8B": 0.487}
"""Recall of the long-horizon study, T = 25."""
