"""Changed systems in which the value analysis finds more: predicates in parts, and cells of arrays as arguments."""
