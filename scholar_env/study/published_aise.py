"""Published reference numbers of AISE-Bench, as data.

Setting: the 150 test questions. Source: arXiv 2607.20498. The gold answers behind them are not released, so no run of
this package is comparable with them number by number; they are here to be shown beside, never among, own results.
None = not published.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AiseRow:
    """One row of the main table; shares in [0, 1].

    Attributes:
        system: The system, with the model where several are compared.
        precision, recall: Of links.
        format: Share of answers that pass the format check.
        edit_distance: Of plans; lower is better.
        parameter_accuracy, success: Of calls and of plans.
        correctness, completeness, faithfulness: By the judges, averaged over both.
        f1_lm: Harmonic mean of the two averages before.
    """

    system: str
    precision: float | None
    recall: float | None
    format: float | None
    edit_distance: float | None
    parameter_accuracy: float | None
    success: float | None
    correctness: float
    completeness: float
    faithfulness: float | None
    f1_lm: float


MAIN_TABLE: tuple[AiseRow, ...] = (
    AiseRow("CAW DeepSeek-V3.2", 0.3544, 0.3461, 0.78, 1.56, 0.4453, 0.8267, 0.4571, 0.4729, 0.8355, 0.4649),
    AiseRow("CAW GLM-4.7", 0.1905, 0.1659, 0.4067, 1.8467, 0.3474, 0.8533, 0.3727, 0.3510, 0.6168, 0.3615),
    AiseRow("CAW Qwen3-235B-A22B", 0.4416, 0.3524, 0.8467, 1.84, 0.4131, 0.9133, 0.4936, 0.4778, 0.7607, 0.4856),
    AiseRow("CAW GPT-5.2", 0.3008, 0.3167, 0.8467, 5.4667, 0.3432, 0.62, 0.4368, 0.4562, 0.787, 0.4463),
    AiseRow("CAW Gemini-3-Pro", 0.4109, 0.4342, 0.74, 1.2867, 0.4242, 0.7867, 0.5721, 0.5495, 0.7907, 0.5606),
    AiseRow("CAW Claude-4.5", 0.1564, 0.1072, 0.1467, 1.7733, 0.3632, 0.7733, 0.3666, 0.3328, 0.6705, 0.3489),
    AiseRow("ReAct", 0.343, 0.3779, 0.7333, 4.8267, 0.2705, 0.9933, 0.5923, 0.6015, 0.7402, 0.5969),
    AiseRow("AvaTaR", 0.4313, 0.4639, 0.79, 1.3867, 0.3522, 0.9267, 0.6046, 0.5894, 0.826, 0.5969),
    AiseRow("DRAFT", 0.4199, 0.4545, 0.7667, 1.3333, 0.412, 0.92, 0.5873, 0.5819, 0.8217, 0.5846),
    AiseRow("PLAY2PROMPT", 0.4308, 0.4881, 0.8333, 1.5267, 0.3968, 0.9, 0.6104, 0.609, 0.8542, 0.610),
    AiseRow("CodeAct", 0.4022, 0.4313, 0.8, 1.3467, 0.4047, 0.9467, 0.5144, 0.5123, 0.9295, 0.5130),  # mean: .5133
    AiseRow("SoAy", 0.4275, 0.4306, 0.8067, 1.3067, 0.3934, 0.9667, 0.541, 0.5008, 0.7225, 0.5201),
    AiseRow("Perplexity", None, None, None, None, None, None, 0.3692, 0.4251, None, 0.3952),
    AiseRow("Metaso", None, None, None, None, None, None, 0.2688, 0.3025, None, 0.2847),
)
"""The 150 test questions; agents and coding systems use Gemini-3-Pro."""

PARTIAL_COMPLETION: dict[str, tuple[float, float]] = {
    "AvaTaR": (0.9540, 0.4094),
    "CodeAct": (0.9515, 0.3919),
    "DRAFT": (0.9346, 0.3788),
    "SoAy": (0.8970, 0.3847),
    "PLAY2PROMPT": (0.8985, 0.3790),
    "CAW Claude-4.5": (0.8259, 0.3822),
    "CAW DeepSeek-V3.2": (0.8974, 0.4245),
    "CAW Gemini-3-Pro": (0.8543, 0.3897),
    "CAW GLM-4.7": (0.8486, 0.3778),
    "CAW GPT-5.2": (0.8206, 0.1740),
    "CAW Qwen3-235B-A22B": (0.9210, 0.4062),
    "ReAct": (0.9011, 0.1483),
}
"""Partial completion and fuzzy parameter F1."""

JUDGE_AGREEMENT: dict[str, tuple[float, float, float]] = {
    "DeepSeek": (0.7581, 0.7320, 0.7451),
    "Qwen3": (0.7376, 0.7239, 0.7308),
    "Gemini": (0.8122, 0.7735, 0.7929),
}
"""P-BT, PW-AUC and their mean over 173 pairs of answers of similar length."""

F1_LM_BY_STEPS: dict[tuple[str, str], float] = {
    ("Gemini", "5+"): 0.6176,
    ("ReAct", "3"): 0.7609,
    ("ReAct", "4"): 0.652,
    ("ReAct", "5+"): 0.5766,
}
"""F1-LM by the number of planned steps, as far as the text quotes it."""
