"""From finished episodes to averages, intervals and reports."""
