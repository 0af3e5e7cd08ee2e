"""Views of the same episode for other kinds of agents.

| wrapper | actions | observations | for |
|---|---|---|---|
| :class:`TextAction` | text with a call in it | text | language models without tool calling |
| :class:`Messages` | assistant messages | the conversation so far | chat models with tool calling |
| :class:`DiscreteTemplates` | numbers, with a mask | as below it | policies that choose from a fixed list |
| :class:`NumericObs` | as below it | padded arrays with masks | learners without text; above ``DiscreteTemplates`` |
| :class:`PotentialShaping` | as below it | as below it | denser rewards that keep the optimal policy |

The usual stack for a reinforcement learner: ``NumericObs(DiscreteTemplates(gymnasium.make(id)))``. Each is imported
when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .discrete import DiscreteTemplates
    from .messages import Messages
    from .numeric import NumericObs
    from .shaping import PotentialShaping
    from .text_action import TextAction

__all__ = ["DiscreteTemplates", "Messages", "NumericObs", "PotentialShaping", "TextAction"]

_HOMES = {
    "DiscreteTemplates": "discrete",
    "Messages": "messages",
    "NumericObs": "numeric",
    "PotentialShaping": "shaping",
    "TextAction": "text_action",
}


def __getattr__(name: str) -> Any:
    """Imports a wrapper when it is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
