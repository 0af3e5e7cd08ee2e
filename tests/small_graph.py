"""A small world's knowledge graph for tests: built once a process, in a folder of its own."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from scholar_env.corpora.world.facts_build import build_facts
from scholar_env.corpora.world.knowledge import tables_of
from scholar_env.corpora.world.shipped import shipped_ontology
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.corpora.world.world import Statements, World
from scholar_env.graph.kg import KnowledgeGraph
from scholar_env.graph.kg_build import build_graph
from scholar_env.graph.kg_tables import GraphTables

SPEC = WorldSpec(seed=11, papers=400, subfields=("cs.IR", "stat.ME"))
_folder = tempfile.TemporaryDirectory()


@cache
def small_tables() -> GraphTables:
    import numpy as np

    facts = build_facts(shipped_ontology(), SPEC)
    nothing = np.zeros((SPEC.papers, 0), dtype=np.uint8)
    world = World(
        shipped_ontology(), SPEC, facts, Statements((), nothing, nothing, np.zeros((SPEC.papers, 3), np.uint16))
    )
    titles = [f"On topic {facts.line[row]} number {row} in words that differ" for row in range(SPEC.papers)]
    tables: GraphTables = tables_of(world, titles, [f"An abstract of paper {row}." for row in range(SPEC.papers)])
    return tables


@cache
def small_graph() -> KnowledgeGraph:
    return KnowledgeGraph.open(build_graph(Path(_folder.name) / "graph", small_tables(), "a test"))
