"""Which arguments, and cells of arrays, may lead to an object."""
