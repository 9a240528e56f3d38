"""Related cells: of arrays at affine functions of the index, such as a[k] and b[n - 1 - k], that queries compare.

What a loop establishes of two cells at different places is said of one symbolic index then, as all else.
"""

from collections.abc import Iterator
from itertools import permutations

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.arithmetic.index_functions import INDEX, affine_function
from chcverify.terms.core.traversal import free_variables, is_variable, substitute, subterms

_SMALLEST_WORD_MODULUS = 2**16  # moduli from here on are those of machine words


@dataclass(frozen=True, eq=False)
class RelatedCell:
    """The cell of the array of this name at an index, a term over INDEX and constants that are arguments by name."""

    array: str
    index_term: z3.ArithRef

    def of(self, predicate: Predicate) -> tuple[int, z3.ArithRef] | None:
        """The array's position and the index over the predicate's formals; None if one is not an argument of it."""
        if len(predicate.names) != predicate.arity or self.array not in predicate.names:
            return None
        named = dict(zip(predicate.names, predicate.formals, strict=True))
        sort = named[self.array].sort()
        if not (isinstance(sort, z3.ArraySortRef) and sort.domain() == z3.IntSort()):
            return None
        used = [v for v in free_variables(self.index_term) if not v.eq(INDEX)]
        if any(named.get(v.decl().name(), z3.BoolVal(True)).sort() != v.sort() for v in used):
            return None
        index_term = substitute(self.index_term, [(v, named[v.decl().name()]) for v in used])
        return predicate.names.index(self.array), index_term


def affine_cells(system: HornSystem) -> tuple[RelatedCell, ...]:
    """The cells that the queries suggest, each once."""
    constant = constant_names(system)
    found: dict[tuple[str, int], RelatedCell] = {}
    for index in system.queries:
        accesses = list(_accesses(system.clauses[index]))
        simplest_first = sorted(accesses, key=lambda access: len(list(subterms(access.index))))
        seen: set[frozenset[int]] = set()
        for base, other in permutations(simplest_first, 2):
            pair = frozenset((id(base), id(other)))
            index_term = None if pair in seen else affine_function(base.index, other.index)
            if index_term is None:
                continue
            seen.add(pair)
            used = {v.decl().name() for v in free_variables(index_term) if not v.eq(INDEX)}
            if not index_term.eq(INDEX) and used <= constant:
                found.setdefault((other.array, index_term.get_id()), RelatedCell(other.array, index_term))
    return tuple(found.values())[:2]  # each makes as many more instances of an atom as there are


def cells_in_other_order(system: HornSystem) -> tuple[RelatedCell, ...]:
    """Those of `affine_cells` at no constant distance, as a[n - 1 - k]: with a[k - 1] beside a[k],
    standard_seq_init_ground took 21 s of the processor in place of 7 s."""
    found = ((cell, z3.simplify(cell.index_term - INDEX)) for cell in affine_cells(system))
    return tuple(cell for cell, distance in found if any(v.eq(INDEX) for v in free_variables(distance)))


@dataclass(frozen=True)
class _Access:
    array: str
    index: z3.ArithRef


def _accesses(clause: Clause) -> Iterator[_Access]:
    """The arrays that are read, with their indices over the names of arguments; a heuristic without wrap-around."""
    names = [(a, n) for atom in clause.body for a, n in named_arguments(atom) if is_variable(a)]
    known = {name.get_id() for _, name in names}
    seen = set()
    for term in subterms(clause.constraint):
        if z3.is_select(term) and z3.is_int(term.arg(1)):
            array, index = substitute(term.arg(0), names), substitute(_unwrapped(term.arg(1)), names)
            key = array.get_id(), index.get_id()
            if (
                is_variable(array)
                and key not in seen
                and all(v.get_id() in known for v in free_variables(array, index))
            ):
                seen.add(key)
                yield _Access(array.decl().name(), index)


def named_arguments(atom: Application) -> Iterator[tuple[z3.ExprRef, z3.ExprRef]]:
    """Each argument with a constant of its name; none where they have no names."""
    if len(atom.predicate.names) == atom.predicate.arity:
        for argument, name in zip(atom.arguments, atom.predicate.names, strict=True):
            yield argument, z3.Const(name, argument.sort())


def _unwrapped(term: z3.ArithRef) -> z3.ArithRef:
    """Arithmetic without wrap-around: of choices the smaller alternative, and what is taken modulo a word's range."""
    while wraps := [t for t in subterms(term) if _is_wrap(t)]:
        inner = wraps[0]  # operands come first
        choices = inner.children()[1:] if z3.is_app_of(inner, z3.Z3_OP_ITE) else inner.children()[:1]
        term = z3.simplify(substitute(term, [(inner, min(choices, key=lambda c: len(list(subterms(c)))))]), som=True)
    return term


def _is_wrap(term: z3.ExprRef) -> bool:
    if z3.is_app_of(term, z3.Z3_OP_MOD):
        return bool(z3.is_int_value(term.arg(1)) and term.arg(1).as_long() >= _SMALLEST_WORD_MODULUS)
    return bool(z3.is_app_of(term, z3.Z3_OP_ITE) and z3.is_int(term))


def constant_names(system: HornSystem) -> set[str]:
    """The names of arguments that keep their values from bodies to heads."""
    names = {name for predicate in system.predicates for name in predicate.names}
    for clause in system.clauses:
        before: dict[str, list[z3.ExprRef]] = {}
        for atom in clause.body:
            for argument, name in named_arguments(atom):
                before.setdefault(name.decl().name(), []).append(argument)
        for argument, name in () if clause.head is None else named_arguments(clause.head):
            if any(not argument.eq(other) for other in before.get(name.decl().name(), ())):
                names.discard(name.decl().name())
    return names


def constant_summand(term: z3.ArithRef) -> int:
    """The number in a sum, 0 if there is none."""
    parts = term.children() if z3.is_add(term) else [term]
    return sum(part.as_long() for part in parts if z3.is_int_value(part))
