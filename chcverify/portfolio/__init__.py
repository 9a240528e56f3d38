"""Worker processes, budgets and the lemma bus."""
