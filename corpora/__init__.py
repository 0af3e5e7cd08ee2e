"""Corpora that can be generated or imported, one line each: name -> "module:function"."""

from __future__ import annotations

GENERATORS = {
    "toy": "scholar_env.corpora.toy:build",
    "world": "scholar_env.corpora.world.pool:build_default",
    **{f"world-train-{number}": "scholar_env.corpora.world.pool:build_training" for number in range(64)},
}
"""Corpora that are built at first use: ``function(folder)`` makes the corpus folder, which is named like the corpus.

A function that has a parameter ``progress`` is given one: ``progress(stage, done, total)``.
"""

FINGERPRINTS = {
    "world": "dfe65c27f7c14e346959acad1a5ec715525db840ccbe8385ea337626e4a12dd8",
}
"""What generated corpora have everywhere; another fingerprint under these names is refused. ``""`` = not pinned."""

IMPORTERS = {
    "scholargym": "scholar_env.corpora.scholargym:import_release",
    "openalex": "scholar_env.corpora.openalex:import_release",
    "s2orc": "scholar_env.corpora.s2orc:import_release",
    "unarxive": "scholar_env.corpora.unarxive:import_release",
}
"""Corpora that are made from downloaded files: ``function(source, …)``, see each function."""

KNOWLEDGE_GRAPHS = {
    "world": "scholar_env.corpora.world.knowledge:graph_tables",
}
"""What makes the tables of a corpus's knowledge graph, by a table that such a corpus has: ``function(corpus)``."""
