"""Functions by recursion in which a model may be written: over datatypes, and over the cells of arrays."""
