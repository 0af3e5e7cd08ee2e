"""The synthetic scholarly world: an ontology written by hand, and the corpus that is drawn from it."""
