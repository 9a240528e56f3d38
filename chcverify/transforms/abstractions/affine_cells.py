"""Related cells: of arrays at affine functions of the index, such as a[k] and b[n - 1 - k], that queries compare, and
those that loops copy between: where c[k] is a copy of b[n - 1 - k], a query about c[k] needs what holds of the latter.

What a loop establishes of two cells at different places is said of one symbolic index then, as all else.
"""

from collections.abc import Iterator, Sequence, Set
from itertools import chain, islice, permutations

import z3

from chcverify.effort import MAX_ALTERNATIVES
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
    """The cells that queries compare with those at INDEX, then those that loops copy to either, each once."""
    constant = constant_names(system)
    return _with_copied(system, [cell for _, cell in _compared_cells(system, constant)], constant)


def cells_in_other_order(system: HornSystem) -> tuple[RelatedCell, ...]:
    """The same without those that a query compares at a constant distance in one array: with a[k - 1] beside a[k],
    standard_seq_init_ground took 21 s of the processor in place of 7 s."""
    constant = constant_names(system)
    pairs = _compared_cells(system, constant)
    compared = [cell for base, cell in pairs if cell.array != base or _has_varying_distance(cell.index_term)]
    return _with_copied(system, compared, constant)


def _has_varying_distance(index_term: z3.ArithRef) -> bool:
    """True if the distance from the index depends on it, as that of n - 1 - k."""
    return any(variable.eq(INDEX) for variable in free_variables(z3.simplify(index_term - INDEX)))


def _with_copied(system: HornSystem, compared: Sequence[RelatedCell], constant: Set[str]) -> tuple[RelatedCell, ...]:
    """These cells, and the sources of copies to them and to the cells at INDEX that queries read."""
    # Each makes as many more instances of an atom as there are.
    return tuple(islice(chain(compared, _copied_cells(system, compared, constant)), 2))


def _compared_cells(system: HornSystem, constant: Set[str]) -> Sequence[tuple[str, RelatedCell]]:
    """Those that a query compares with others, each with the array of the other one, which is read at INDEX.

    constant: the names of arguments that keep their values.
    """
    found: dict[tuple[str, int], tuple[str, RelatedCell]] = {}
    for index in system.queries:
        simplest_first = _simplest_first(system.clauses[index])
        seen: set[frozenset[int]] = set()
        for base, other in permutations(simplest_first, 2):
            pair = frozenset((id(base), id(other)))
            index_term = None if pair in seen else affine_function(base.index, other.index)
            if index_term is None:
                continue
            seen.add(pair)
            if not index_term.eq(INDEX) and _is_over(index_term, constant):
                cell = RelatedCell(other.array, index_term)
                found.setdefault((other.array, index_term.get_id()), (base.array, cell))
    return list(found.values())


def _is_over(index_term: z3.ArithRef, names: Set[str]) -> bool:
    """True if only INDEX and constants of these names occur in the term."""
    return {v.decl().name() for v in free_variables(index_term) if not v.eq(INDEX)} <= names


def _copied_cells(system: HornSystem, compared: Sequence[RelatedCell], constant: Set[str]) -> Iterator[RelatedCell]:
    """The sources of copies to these cells and to the cells at INDEX that queries read, through one loop or several."""
    copies = [copy for clause in system.clauses for copy in _copies(clause)] if system.queries else []
    if not copies:
        return
    work = [(array, INDEX) for query in system.queries for array in _at_index(system.clauses[query])]
    work += [(cell.array, cell.index_term) for cell in compared]
    seen = {(array, term.get_id()) for array, term in work}
    for array, place in work:  # which grows
        for target, source in copies:
            if target.array != array or source.array == array:
                continue
            moved = affine_function(target.index, source.index)
            if moved is None:
                continue
            term = z3.simplify(substitute(moved, [(INDEX, place)]), som=True)
            if (source.array, term.get_id()) in seen or not _is_over(term, constant):
                continue
            if len(seen) > MAX_ALTERNATIVES:
                return
            seen.add((source.array, term.get_id()))
            work.append((source.array, term))
            if not term.eq(INDEX):
                yield RelatedCell(source.array, term)


def _at_index(query: Clause) -> Iterator[str]:
    """The arrays that a query reads at the simplest of its indices."""
    accesses = _simplest_first(query)
    return (access.array for access in accesses if access.index.eq(accesses[0].index))


def _simplest_first(query: Clause) -> "list[_Access]":
    """What a query reads, sorted by the sizes of the indices."""
    return sorted(_accesses(query), key=lambda access: len(list(subterms(access.index))))


def _copies(clause: Clause) -> "Iterator[tuple[_Access, _Access]]":
    """The cells that the clause writes, each with a cell of an array that the written value is computed from."""
    names = _ArgumentNames.of(clause)
    for argument in () if clause.head is None else clause.head.arguments:
        while z3.is_store(argument) and argument.num_args() == 3:
            argument, index, value = argument.children()
            target = names.access(argument, index)
            if target is None:
                continue
            sources = map(names.read, subterms(value))
            yield from ((target, source) for source in sources if source is not None)


@dataclass(frozen=True)
class _Access:
    array: str
    index: z3.ArithRef


@dataclass(frozen=True, eq=False)
class _ArgumentNames:
    """The variables that are arguments of a clause's body, each with a constant of its name; ids of these constants."""

    pairs: Sequence[tuple[z3.ExprRef, z3.ExprRef]]
    known: Set[int]

    @classmethod
    def of(cls, clause: Clause) -> "_ArgumentNames":
        pairs = [(a, n) for atom in clause.body for a, n in named_arguments(atom) if is_variable(a)]
        return cls(pairs, {name.get_id() for _, name in pairs})

    def read(self, term: z3.ExprRef) -> _Access | None:
        """The access if the term is a read, as of `access`."""
        is_read = z3.is_select(term) and term.num_args() == 2
        return self.access(term.arg(0), term.arg(1)) if is_read else None

    def access(self, array: z3.ExprRef, index: z3.ExprRef) -> _Access | None:
        """The access to an array argument at an integer index over arguments; None for others."""
        if not z3.is_int(index):
            return None
        array, index = substitute(array, self.pairs), substitute(_unwrapped(index), self.pairs)
        if not is_variable(array) or any(v.get_id() not in self.known for v in free_variables(array, index)):
            return None
        return _Access(array.decl().name(), index)


def _accesses(clause: Clause) -> Iterator[_Access]:
    """The arrays that are read, with their indices over the names of arguments; a heuristic without wrap-around."""
    names = _ArgumentNames.of(clause)
    seen = set()
    for term in subterms(clause.constraint):
        access = names.read(term)
        if access is not None and (key := (access.array, access.index.get_id())) not in seen:
            seen.add(key)
            yield access


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
