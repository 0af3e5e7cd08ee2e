"""Views of the same episode for other kinds of agents."""
