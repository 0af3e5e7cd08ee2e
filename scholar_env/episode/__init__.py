"""The episode engine: tool calls, subquery tree, assessment, budgets."""
