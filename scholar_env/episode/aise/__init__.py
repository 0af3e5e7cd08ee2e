"""AISE-Bench: planning calls over an academic knowledge graph."""
