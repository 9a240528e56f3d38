"""Resolution of two clauses, with its history, and the expansion of an instance of the result into steps of both."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import z3

from chcverify.certificate.derivation import Step
from chcverify.horn.system import Application, Clause
from chcverify.terms.equations import apply_table
from chcverify.terms.occurrence import Occurrences, is_plain
from chcverify.terms.walk import conjunction
from chcverify.transforms.ground import Assignment, Grounder


@dataclass(frozen=True, eq=False)
class Node:
    """A clause, its index (leaves, resolution None) or how it arose; `size` bounds its constraint's DAG."""

    clause: Clause
    variables: frozenset[int]
    size: int
    index: int
    resolution: "Resolution | None" = None


@dataclass(frozen=True, eq=False)
class Resolution:
    """inner's head met body atom `position` of outer.

    renamed: identity of inner's variables -> (variable, its name here). bound: the same for outer's -> term here.
    """

    outer: Node
    inner: Node
    position: int
    renamed: Assignment
    bound: Assignment


def clause_variables(clause: Clause, memo: Occurrences) -> frozenset[int]:
    """The identities of the clause's variables; memoised, unlike clause.variables."""
    arguments = [argument for atom in clause.applications for argument in atom.arguments]
    return memo.variables(clause.constraint).union(*map(memo.variables, arguments))


def leaf(clause: Clause, index: int, memo: Occurrences) -> Node:
    """The node of a clause of the system, which must have variables of its own."""
    return Node(clause, clause_variables(clause, memo), 1 + memo.size(clause.constraint), index)


def resolve(outer: Node, position: int, inner: Node, memo: Occurrences) -> Node | None:
    """The resolvent, or None if its constraint is syntactically false."""
    renamed: Assignment = {}
    if inner.variables & outer.variables:
        for key in inner.variables:
            variable = memo.variable(key)
            renamed[key] = (variable, z3.FreshConst(variable.sort(), "r"))
    part = inner.clause if not renamed else _rename(inner.clause, renamed, memo)
    assert part.head is not None
    atom = outer.clause.body[position]
    bound: Assignment = {}
    equations = []
    for argument, term in zip(atom.arguments, part.head.arguments, strict=True):
        if is_plain(argument) and argument.get_id() not in bound:
            bound[argument.get_id()] = (argument, term)
        else:
            equations.append((argument, term))
    whole = _rename(outer.clause, bound, memo)
    extra = [z3.simplify(apply_table(argument, bound, memo) == term) for argument, term in equations]
    constraint = whole.constraint if whole.constraint is outer.clause.constraint else z3.simplify(whole.constraint)
    if z3.is_false(constraint) or any(map(z3.is_false, extra)):
        return None
    body = (*whole.body[:position], *part.body, *whole.body[position + 1 :])
    clause = Clause(
        whole.head,
        body,
        conjunction([part.constraint, constraint, *extra]),
        outer.clause.origin or inner.clause.origin,
        outer.clause.name or inner.clause.name,
    )
    keys = clause_variables(clause, memo)
    history = Resolution(outer, inner, position, renamed, bound)
    return Node(clause, keys, outer.size + inner.size + len(extra), -1, history)


def _rename(clause: Clause, table: Assignment, memo: Occurrences) -> Clause:
    def rewrite(atom: Application) -> Application:
        return Application(atom.predicate, tuple(_value(argument, table, memo) for argument in atom.arguments))

    return Clause(
        None if clause.head is None else rewrite(clause.head),
        tuple(map(rewrite, clause.body)),
        apply_table(clause.constraint, table, memo),
        clause.origin,
        clause.name,
    )


def _value(term: z3.ExprRef, table: Assignment, memo: Occurrences) -> z3.ExprRef:
    if is_plain(term):
        found = table.get(term.get_id())
        return term if found is None else found[1]
    result = apply_table(term, table, memo)
    return term if result is term else z3.simplify(result)


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
            head = current.clause.head
            arguments = () if head is None else tuple(grounder.complete(a, values) for a in head.arguments)
            results.append(emit(Step(current.index, arguments, given)))
            continue
        count = len(history.inner.clause.body)
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
    if not history.renamed:
        return {key: values[key] for key in history.inner.variables if key in values}
    found = {key: (old, values.get(new.get_id())) for key, (old, new) in history.renamed.items()}
    return {key: (old, pair[1]) for key, (old, pair) in found.items() if pair is not None}


def _outer_values(history: Resolution, values: Assignment, grounder: Grounder) -> Assignment:
    bound = {
        key: (variable, grounder.complete(term, values))
        for key, (variable, term) in history.bound.items()
        if key in history.outer.variables
    }
    return bound | {key: values[key] for key in history.outer.variables if key in values and key not in bound}
