"""ScholarGym: a tree of subqueries, iterations, selection by the agent or by a fixed assessor."""
