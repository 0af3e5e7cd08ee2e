"""Corpora: builders and importers, one module each."""
