"""Operations on z3 terms. Nothing outside this package uses the raw C interface.

`core` works on z3py's objects, `native` on integer handles in hot loops; the other folders are theories and tasks built
on them.
"""
