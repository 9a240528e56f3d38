"""Array terms of clauses that may stand for one array, or for it before and after stores, and how they are accessed."""

from collections.abc import Iterable, Iterator, Sequence, Set

import z3

from chcverify.terms.core.unionfind import UnionFind
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause

ArrayKey = tuple[str, int] | tuple[int, ArenaTerm]
"""An argument: its predicate's name and its position. A term: the number of its clause, and the term."""


class ArrayClasses:
    """Classes of array arguments and terms: P(a) and b = store(a, 7, v) => Q(b), for example, make one class.

    indices: where an array is read or written. constants: what the cells of constant arrays hold.
    Excluded are classes that are used otherwise: compared within formulas, bound by quantifiers, kept in arrays.
    """

    def __init__(self, arena: Arena, clause_rows: Sequence[ArenaClause]) -> None:
        self.arena = arena
        self.indices: dict[ArrayKey, dict[ArenaTerm, None]] = {}
        self.constants: dict[ArrayKey, dict[ArenaTerm, None]] = {}
        self.array_variables: set[ArenaTerm] = set()
        self._other_variables: set[ArenaTerm] = set()
        self._classes: UnionFind[ArrayKey] = UnionFind()
        self._used_otherwise: set[ArrayKey] = set()
        for number, clause_row in enumerate(clause_rows):
            self._add(number, clause_row)
        self._excluded = set(map(self._classes.find, self._used_otherwise))

    def find(self, key: ArrayKey) -> ArrayKey:
        """The representative of the key's class."""
        return self._classes.find(key)

    def is_excluded(self, key: ArrayKey) -> bool:
        """True if the array is used otherwise than in reads, writes, choices and equations of clauses."""
        return self._classes.find(key) in self._excluded

    def members(self) -> dict[ArrayKey, list[ArrayKey]]:
        """The keys that have indices or constants, by the representative of their class."""
        return self._classes.classes(dict.fromkeys((*self.indices, *self.constants)))

    def _add(self, number: int, clause_row: ArenaClause) -> None:
        arena = self.arena
        roots = []
        for atom in clause_row.atoms:
            for position, argument in enumerate(atom.arguments):
                roots.append(argument)
                if arena.is_array(argument):
                    self._classes.union((atom.predicate.name, position), (number, argument))
        for part in arena.conjuncts(clause_row.constraint):
            if arena.kind(part) == z3.Z3_OP_EQ and arena.is_array(arena.children(part)[0]):
                left, right = arena.children(part)
                self._classes.union((number, left), (number, right))
                roots += [left, right]
            else:
                roots.append(part)
        self._add_variables(roots)
        for term in array_subterms(arena, roots, self.array_variables):
            self._add_term(number, term)

    def _add_variables(self, roots: Iterable[ArenaTerm]) -> None:
        for root in roots:
            for variable in self.arena.variables(root):
                if variable not in self._other_variables and variable not in self.array_variables:
                    known = self.array_variables if self.arena.is_array(variable) else self._other_variables
                    known.add(variable)

    def _add_term(self, number: int, term: ArenaTerm) -> None:
        arena = self.arena
        kind, below = arena.kind(term), arena.children(term)
        values = below  # the subterms that may not be arrays
        if kind == z3.Z3_OP_SELECT and len(below) == 2:
            self.indices.setdefault((number, below[0]), {})[below[1]] = None
            values = (*below[1:], term)
        elif kind == z3.Z3_OP_STORE and len(below) == 3:
            self.indices.setdefault((number, below[0]), {})[below[1]] = None
            self._classes.union((number, term), (number, below[0]))
            values = below[1:]
        elif kind == z3.Z3_OP_ITE and arena.is_array(term):
            for choice in below[1:]:
                self._classes.union((number, term), (number, choice))
            values = ()
        elif kind == z3.Z3_OP_CONST_ARRAY:
            self.constants.setdefault((number, term), {})[below[0]] = None
        elif arena.is_array(term) and not arena.is_variable(term):
            values = (*below, term)
        elif kind == -1:
            values = tuple(arena.variables(term))
        self._used_otherwise.update((number, value) for value in values if arena.is_array(value))


def array_subterms(arena: Arena, roots: Sequence[ArenaTerm], variables: Set[ArenaTerm]) -> Iterator[ArenaTerm]:
    """The subterms of the roots that are arrays or have some of the variables, each once and before what it is part of.

    Quantifiers as a whole. Most terms are arithmetic, whose subterms are not even looked at.
    """
    seen: set[ArenaTerm] = set()
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        term, ready = stack.pop()
        if ready:
            yield term
        elif term not in seen and (not arena.variables(term).isdisjoint(variables) or arena.is_array(term)):
            seen.add(term)
            stack.append((term, True))
            if arena.kind(term) != -1:
                stack.extend((child, False) for child in arena.children(term))
