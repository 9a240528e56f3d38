"""Resolution of two clauses, with its history, and the expansion of an instance of the result into steps of both."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from chcverify.certificate.derivation import Step
from chcverify.terms.arena import Arena, ArenaTerm
from chcverify.transforms.ground import Assignment, Grounder
from chcverify.transforms.rows import Atom, Row, Workspace


@dataclass(frozen=True, eq=False)
class Node:
    """A clause, its index (leaves, resolution None) or how it arose; `size` bounds its constraint's DAG."""

    row: Row
    variables: frozenset[ArenaTerm]
    size: int
    index: int
    resolution: "Resolution | None" = None


@dataclass(frozen=True, eq=False)
class Resolution:
    """inner's head met body atom `position` of outer.

    renamed: inner's variables -> their names here. bound: outer's variables -> terms here.
    """

    outer: Node
    inner: Node
    position: int
    renamed: Mapping[ArenaTerm, ArenaTerm]
    bound: Mapping[ArenaTerm, ArenaTerm]


def leaf(row: Row, index: int, work: Workspace) -> Node:
    """The node of a clause of the system, which must have variables of its own."""
    return Node(row, work.variables(row), 1 + work.arena.size(row.constraint), index)


def resolve(outer: Node, position: int, inner: Node, work: Workspace) -> Node | None:
    """The resolvent, or None if its constraint is syntactically false."""
    arena = work.arena
    renamed: dict[ArenaTerm, ArenaTerm] = {}
    if not inner.variables.isdisjoint(outer.variables):
        renamed = {variable: arena.fresh_like(b"r", variable) for variable in arena.in_order(inner.variables)}
    part = rename(inner.row, renamed, arena)
    assert part.head is not None
    bound: dict[ArenaTerm, ArenaTerm] = {}
    equations = []
    for argument, term in zip(outer.row.body[position].arguments, part.head.arguments, strict=True):
        if argument not in bound and arena.is_variable(argument):
            bound[argument] = term
        else:
            equations.append((argument, term))
    whole = rename(outer.row, bound, arena)
    same = whole.constraint == outer.row.constraint
    constraint = whole.constraint if same else arena.simplify(whole.constraint)
    extra = [arena.simplify(arena.equation(arena.substitute(a, bound), term)) for a, term in equations]
    if arena.false in (constraint, *extra):
        return None
    body = (*whole.body[:position], *part.body, *whole.body[position + 1 :])
    origin, name = outer.row.origin or inner.row.origin, outer.row.name or inner.row.name
    row = Row(whole.head, body, arena.conjunction([part.constraint, constraint, *extra]), origin, name)
    history = Resolution(outer, inner, position, renamed, bound)
    return Node(row, work.variables(row), outer.size + inner.size + len(extra), -1, history)


def rename(row: Row, table: Mapping[ArenaTerm, ArenaTerm], arena: Arena) -> Row:
    """The row under a substitution, its arguments simplified where they change."""
    if not table:
        return row

    def value(term: ArenaTerm) -> ArenaTerm:
        result = arena.substitute(term, table)
        return term if result == term else arena.simplify(result)

    def rewrite(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(map(value, atom.arguments)))

    head = None if row.head is None else rewrite(row.head)
    constraint = arena.substitute(row.constraint, table)
    return Row(head, tuple(map(rewrite, row.body)), constraint, row.origin, row.name)


def expand(
    node: Node,
    assignment: Assignment,
    premises: Sequence[int],
    grounder: Grounder,
    emit: Callable[[Step], int],
) -> int:
    """Emits the steps of this instance of the node, inner clauses first; the number of the last one.

    assignment: values of the node's variables. premises: numbers of the steps that derive its body.
    """
    results: list[int] = []
    work: list[tuple[Node, Assignment, tuple[int, ...], bool]] = [(node, assignment, tuple(premises), False)]
    while work:
        current, values, given, inner_done = work.pop()
        history = current.resolution
        if history is None:
            head = current.row.head
            ground = () if head is None else [grounder.complete(a, values) for a in head.arguments]
            results.append(emit(Step(current.index, tuple(map(grounder.arena.wrap, ground)), given)))
            continue
        count = len(history.inner.row.body)
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
