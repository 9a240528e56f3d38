"""Random programs with pointers, executed here and under gcc's and clang's sanitizers: both see the same violation.

`python -m tests.differential.memory --count N`; mutants of safe programs with `--mutants`. Generated around, since the
sanitizers do not see it or see something else: accesses more than a few bytes beyond an object (they may hit another
one), unaligned ones, overflows inside of an object, blocks of alloca after their
function, pointers to the end of a block as the only ones (a leak there, none for valid-memtrack), overlapping copies,
uninitialised values in conditions and indices.
"""
