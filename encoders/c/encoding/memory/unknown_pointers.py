"""Pointers that functions without a body have made: to which object they lead is not known.

Such a function may store, in all memory that it reaches, pointers to any object that it knows: those that the program
has given to functions without a body, what these lead to (`PointsTo.known_elsewhere`), and objects of its own. In the
clauses that is an address below `UNKNOWN`, where no object of the program is. For each run of the program there is one
of the clauses in which these addresses lie far enough below `UNKNOWN` that no arithmetic on them comes back, with the
same distances between them as in the run. It is a run of the clauses since

- a comparison of such a pointer with another one, which may lead to the same object, may have any result; two of them
  are compared by their addresses;
- a read through such a pointer gives any value, each time;
- a write through such a pointer may change everything that functions without a body know, to anything;
- a null pointer, and a number of a function, are values like any other;
- a call of `free` with one may release any block that such functions know, or none.

Numbers that the program converts to pointers, or reads as such, are unknown pointers, too, in programs with a harness:
they may also lead to all objects whose address is taken. So a proof covers all that such pointers do, as long as
functions without a body call none of the program's and store no address of one that the program does not take
(docs/c.md). The checks of an access through one are open, and so is that of a call of `free`: the violation is derived,
but no run confirms it, and runs go on behind it as if the access had been valid. Where lost blocks are looked for, that
call is not modelled.
"""

import z3

from encoders.c.analysis.regions import Region
from encoders.c.analysis.storage import UNKNOWN, Memory
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding


def made_elsewhere(theory: IntegerEncoding, address: BoundedTerm) -> z3.BoolRef:
    """The condition that an address is that of an unknown pointer: address < UNKNOWN."""
    return theory.address_less(address, theory.address(UNKNOWN), strict=True)


def is_unknown(memory: Memory, theory: IntegerEncoding, region: Region, address: BoundedTerm) -> z3.BoolRef | None:
    """The condition that an address in a region is that of an unknown pointer; None if it never is."""
    if address.range is None or address.range[0] >= UNKNOWN or not memory.may_be_unknown(region):
        return None
    return made_elsewhere(theory, address)
