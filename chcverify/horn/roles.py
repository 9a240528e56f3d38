"""The roles of arguments of predicates, as far as transforms and engines need to agree on them."""

from enum import Enum


class Role(Enum):
    """SCALAR: a value by itself. ARRAY: a whole array. INDEX: a symbolic index, at which CELL arguments have values.

    CELL: the value of one cell of an array, at a symbolic index or at a fixed one. END: the index at which the part of
    arrays that is in use ends; proofs about all of that part may need it where no clause looks at it. IN_USE: as ARRAY
    or CELL, of an array that says which elements of others are in use: those where it is positive. RANK: a number, or a
    cell or an array of numbers, of which only the order matters. NEIGHBOUR: as CELL, at the index that is the value
    of a CELL.
    """

    SCALAR = "scalar"
    ARRAY = "array"
    INDEX = "index"
    CELL = "cell"
    END = "end"
    IN_USE = "in use"
    RANK = "rank"
    NEIGHBOUR = "neighbour"
