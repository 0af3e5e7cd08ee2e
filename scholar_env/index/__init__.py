"""Frozen indexes: one protocol, several engines."""
