"""The citation graph of a corpus, and the knowledge graph of its papers, people, venues and organisations (``kg``).

Citations: who cites whom and where, novelty and disruption, co-mentions, influential paths.

No graph library holds it: a million papers with ten million references are 107 MiB as arrays that all processes share,
and 2.3 GB as the objects of networkx, at 222 bytes a reference (``benchmarks/graph.py`` measures both). None has
disruption, z-scores of co-cited pairs or paths of largest citation sum. networkx is the reference that the tests
compare with.
"""
