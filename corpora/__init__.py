"""Corpora that can be generated or imported, one line each: name -> "module:function"."""

from __future__ import annotations

GENERATORS = {
    "toy": "scholar_env.corpora.toy:build",
}
"""Corpora that are built at first use: ``function(folder)`` makes the corpus folder."""

IMPORTERS = {
    "scholargym": "scholar_env.corpora.scholargym:import_release",
}
"""Corpora that are made from downloaded files: ``function(source, …)``, see each function."""
