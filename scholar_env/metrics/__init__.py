"""Measures as pure functions."""
