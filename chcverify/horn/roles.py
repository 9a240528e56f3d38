"""The roles of arguments of predicates, as far as transforms and engines need to agree on them."""

from enum import Enum


class Role(Enum):
    """SCALAR: a value by itself. ARRAY: a whole array. INDEX: a symbolic index, at which CELL arguments have values.

    CELL: the value of one cell of an array, at a symbolic index or at a fixed one.
    """

    SCALAR = "scalar"
    ARRAY = "array"
    INDEX = "index"
    CELL = "cell"
