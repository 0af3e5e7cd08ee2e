"""The citation graph of a corpus: who cites whom and where, novelty and disruption, co-mentions, influential paths.

No graph library holds it: a graph of a million papers and ten million references is 200 MB as arrays that all
processes share, and several gigabytes as the objects of networkx (``benchmarks/graph.py`` measures both where networkx
ends); none has disruption, co-citation z-scores or paths of largest citation sum. networkx is the reference that the
tests compare with.
"""
