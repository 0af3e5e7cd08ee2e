"""CompLit: find the one paper that meets every constraint of a need, or find that there is none."""
