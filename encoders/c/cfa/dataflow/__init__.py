"""Forward analyses of functions that note in their automata what holds at a location, for checks and comparisons; the
fixpoint of backward ones."""
