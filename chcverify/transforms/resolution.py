"""Resolution of two clauses, with its history, and the expansion of an instance of the result into steps of both."""

from collections.abc import Callable, Mapping, Sequence

from chcverify.certificate.derivation import Step
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, Atom, PassContext
from chcverify.transforms.grounding import Assignment, Grounder


@dataclass(frozen=True, eq=False)
class DerivedClause:
    """A clause, its index (leaves, resolution None) or how it arose; `size` bounds its constraint's DAG."""

    clause_row: ArenaClause
    variables: frozenset[ArenaTerm]
    size: int
    index: int
    resolution: "Resolution | None" = None


@dataclass(frozen=True, eq=False)
class Resolution:
    """inner's head met body atom `position` of outer.

    renamed: inner's variables -> their names here. bound: outer's variables -> terms here.
    """

    outer: DerivedClause
    inner: DerivedClause
    position: int
    renamed: Mapping[ArenaTerm, ArenaTerm]
    bound: Mapping[ArenaTerm, ArenaTerm]


def leaf(clause_row: ArenaClause, index: int, work: PassContext) -> DerivedClause:
    """The node of a clause of the system, which must have variables of its own."""
    return DerivedClause(clause_row, work.variables(clause_row), 1 + work.arena.size(clause_row.constraint), index)


def resolve(outer: DerivedClause, position: int, inner: DerivedClause, work: PassContext) -> DerivedClause | None:
    """The resolvent, or None if its constraint is syntactically false."""
    arena = work.arena
    renamed: dict[ArenaTerm, ArenaTerm] = {}
    if not inner.variables.isdisjoint(outer.variables):
        renamed = {variable: arena.fresh_like(b"r", variable) for variable in arena.in_order(inner.variables)}
    part = rename(inner.clause_row, renamed, arena)
    assert part.head is not None
    bound: dict[ArenaTerm, ArenaTerm] = {}
    equations = []
    for argument, term in zip(outer.clause_row.body[position].arguments, part.head.arguments, strict=True):
        if argument not in bound and arena.is_variable(argument):
            bound[argument] = term
        else:
            equations.append((argument, term))
    whole = rename(outer.clause_row, bound, arena)
    same = whole.constraint == outer.clause_row.constraint
    constraint = whole.constraint if same else arena.simplify(whole.constraint)
    extra = [arena.simplify(arena.equation(arena.substitute(a, bound), term)) for a, term in equations]
    if arena.false in (constraint, *extra):
        return None
    body = (*whole.body[:position], *part.body, *whole.body[position + 1 :])
    origin, name = outer.clause_row.origin or inner.clause_row.origin, outer.clause_row.name or inner.clause_row.name
    clause_row = ArenaClause(whole.head, body, arena.conjunction([part.constraint, constraint, *extra]), origin, name)
    history = Resolution(outer, inner, position, renamed, bound)
    return DerivedClause(clause_row, work.variables(clause_row), outer.size + inner.size + len(extra), -1, history)


def rename(clause_row: ArenaClause, table: Mapping[ArenaTerm, ArenaTerm], arena: Arena) -> ArenaClause:
    """The row under a substitution, its arguments simplified where they change."""
    if not table:
        return clause_row

    def value(term: ArenaTerm) -> ArenaTerm:
        result = arena.substitute(term, table)
        return term if result == term else arena.simplify(result)

    def rewrite(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(map(value, atom.arguments)))

    head = None if clause_row.head is None else rewrite(clause_row.head)
    constraint = arena.substitute(clause_row.constraint, table)
    return ArenaClause(head, tuple(map(rewrite, clause_row.body)), constraint, clause_row.origin, clause_row.name)


def expand(
    node: DerivedClause,
    assignment: Assignment,
    premises: Sequence[int],
    grounder: Grounder,
    emit: Callable[[Step], int],
) -> int:
    """Emits the steps of this instance of the node, inner clauses first; the number of the last one.

    assignment: values of the node's variables. premises: numbers of the steps that derive its body.
    """
    results: list[int] = []
    work: list[tuple[DerivedClause, Assignment, tuple[int, ...], bool]] = [(node, assignment, tuple(premises), False)]
    while work:
        current, values, given, inner_done = work.pop()
        history = current.resolution
        if history is None:
            head = current.clause_row.head
            ground = () if head is None else [grounder.complete(a, values) for a in head.arguments]
            results.append(emit(Step(current.index, tuple(map(grounder.arena.wrap, ground)), given)))
            continue
        count = len(history.inner.clause_row.body)
        before, inside = given[: history.position], given[history.position : history.position + count]
        after = given[history.position + count :]
        if inner_done:
            work.append(
                (history.outer, _outer_values(history, values, grounder), (*before, results.pop(), *after), False)
            )
        else:
            work.append((current, values, given, True))
            work.append((history.inner, _inner_values(history, values), inside, False))
    return results.pop()


def _inner_values(history: Resolution, values: Assignment) -> Assignment:
    names = history.renamed
    return {v: values[names.get(v, v)] for v in history.inner.variables if names.get(v, v) in values}


def _outer_values(history: Resolution, values: Assignment, grounder: Grounder) -> Assignment:
    bound = {v: grounder.complete(t, values) for v, t in history.bound.items() if v in history.outer.variables}
    return bound | {v: values[v] for v in history.outer.variables if v in values and v not in bound}
