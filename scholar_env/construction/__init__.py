"""How queries for one paper are made: constraints from evidence, verification, purpose, wording, uniqueness."""
