"""The wrappers are found under the package's own name, and imported when they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scholar_env import wrappers


def test_every_wrapper_is_exported_and_in_the_table() -> None:
    assert wrappers.__all__ == ["DiscreteTemplates", "Messages", "NumericObs", "PotentialShaping", "TextAction"]
    for name in wrappers.__all__:
        assert getattr(wrappers, name).__name__ == name
        assert f"| :class:`{name}` |" in (wrappers.__doc__ or "")
        assert name in dir(wrappers)
    with pytest.raises(AttributeError, match=r"'scholar_env\.wrappers' has no attribute 'Discrete'"):
        _ = wrappers.Discrete


def test_wrappers_are_imported_when_they_are_used() -> None:
    code = (
        "import sys, scholar_env.wrappers as wrappers\n"
        "modules = ('discrete', 'messages', 'numeric', 'shaping', 'text_action')\n"
        "loaded = lambda: [name for name in modules if 'scholar_env.wrappers.' + name in sys.modules]\n"
        "print(loaded()); wrappers.NumericObs; print(loaded())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n['numeric']\n"
