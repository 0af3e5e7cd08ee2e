"""Agents: from observation to tool call."""
