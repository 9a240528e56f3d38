"""Which arguments, and cells of arrays, may lead to an object, and which objects a clause leaves as they are."""
