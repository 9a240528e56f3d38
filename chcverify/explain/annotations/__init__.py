"""Programs with what was found written into them: invariants, variants, contracts of functions."""
