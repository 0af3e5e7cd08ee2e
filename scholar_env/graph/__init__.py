"""Graphs over papers and people: citations, and the academic knowledge graph."""
