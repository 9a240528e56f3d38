"""The roles of arguments of predicates, as far as transforms and engines need to agree on them."""

from enum import Enum


class Role(Enum):
    """What an argument of a predicate stands for."""

    SCALAR = "scalar"
    """A value by itself."""
    ARRAY = "array"
    """A whole array."""
    INDEX = "index"
    """A symbolic index, at which arguments with the role CELL have values."""
    CELL = "cell"
    """The value of one cell of an array, at a symbolic index or at a fixed one."""
    END = "end"
    """The index at which the part of arrays that is in use ends. Proofs about all of that part may need it where no
    clause looks at it."""
    IN_USE = "in use"
    """An array, or a cell of one, that says which elements of other arrays are in use: those where it is positive."""
    RANK = "rank"
    """A number, or a cell or an array of numbers, where only the order matters."""
    NEIGHBOUR = "neighbour"
    """The value of the cell at an index that is itself the value of an argument with the role CELL."""
