"""Loop invariants in a syntax tree: the label that an annotation has become gives way to calls at the loop's head.

A call `__chcverify_loop_invariant(condition, "text")` is evaluated whenever control comes to the head of the loop.
It is a check where such checks are asked for, and else a candidate that has no effect on runs.
"""

from collections.abc import Container, Sequence

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.contracts.acsl_expressions import NoMeaning, Translation
from encoders.c.contracts.annotations import LOOP_INVARIANT
from encoders.c.contracts.behaviours import ContractClause
from encoders.c.contracts.loop_assigns import LOOP_ASSIGNS, Loop, LoopAssigns
from encoders.c.contracts.tree_editing import expression_at, nodes_of
from encoders.c.lowering.calls.annotation_calls import INVARIANT_CALL
from encoders.c.lowering.context import Unit
from encoders.c.source.literals import escaped
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import DataModel


@dataclass(frozen=True)
class UnreadClause:
    """A clause that is not used, or not checked. reason: why, "" where its kind never is."""

    clause: ContractClause
    reason: str = ""


def annotate_loops(
    tree: c_ast.FileAST,
    file: str,
    clauses: Sequence[ContractClause],
    model: DataModel,
    checks: frozenset[CheckKind] = frozenset(),
) -> list[UnreadClause]:
    """Puts the invariants among the clauses into the tree of their file; those of its clauses without a meaning here.

    checks: with those of invariants or contracts among them, what loops assign is checked as well. Raises Unsupported
    for annotations in front of what is no loop.
    """
    labelled: dict[str, list[ContractClause]] = {}
    for clause in clauses:
        if clause.label and clause.origin.file == file:
            labelled.setdefault(clause.label, []).append(clause)
    if not labelled:
        return []
    typedefs = [node.name for node in tree.ext if isinstance(node, c_ast.Typedef)]
    without: list[UnreadClause] = []
    assigns = LoopAssigns(tree, typedefs, model) if checks & {CheckKind.INVARIANT, CheckKind.CONTRACT} else None
    calls = {label: _calls(found, typedefs, model, without) for label, found in labelled.items()}
    done: set[str] = set()
    for node in nodes_of(tree):
        while found := _labels_of(node, calls):
            attribute, label = found[0]
            done.add(label.name)
            found_clauses = labelled[label.name]
            statement = _instrumented(label.stmt, found_clauses[0], calls[label.name])
            _replace(node, attribute, label, _with_assigns(statement, found_clauses, assigns, without))
    for name in labelled.keys() - done:
        raise Unsupported(labelled[name][0].origin, f"'{labelled[name][0].kind}' in front of what is no loop")
    return without


def _labels_of(node: c_ast.Node, labels: Container[str]) -> list[tuple[str, c_ast.Label]]:
    """The labels of annotations among a node's direct parts, each with the attribute that holds it."""
    found = []
    for name in node.__slots__:
        value = getattr(node, name, None)
        parts = value if isinstance(value, list) else [value]
        found += [(name, p) for p in parts if isinstance(p, c_ast.Label) and p.name in labels]
    return found


def _replace(node: c_ast.Node, attribute: str, old: c_ast.Node, new: c_ast.Node) -> None:
    """Puts a node in the position of another one."""
    value = getattr(node, attribute)
    if isinstance(value, list):
        value[next(index for index, part in enumerate(value) if part is old)] = new
    else:
        setattr(node, attribute, new)


def _with_assigns(
    statement: c_ast.Node, clauses: Sequence[ContractClause], assigns: LoopAssigns | None, without: list[UnreadClause]
) -> c_ast.Node:
    """The statement with checks of what its loop assigns; clauses that are not checked are added to `without`."""
    given = [clause for clause in clauses if clause.kind == LOOP_ASSIGNS]
    if not given:
        return statement
    if assigns is None:
        without += [UnreadClause(clause, "without --modular or the property invariant") for clause in given]
        return statement
    try:
        loop = _loop_in(statement)
        assert isinstance(loop, Loop)  # _instrumented has looked
        return assigns.checked(statement, loop, given)
    except NoMeaning as error:
        without += [UnreadClause(clause, f"{error} has no meaning here") for clause in given]
        return statement


def _loop_in(statement: c_ast.Node) -> c_ast.Node:
    """What stands behind the labels of other annotations, and of the program."""
    while isinstance(statement, c_ast.Label):
        statement = statement.stmt
    return statement


def _instrumented(statement: c_ast.Node, clause: ContractClause, calls: Sequence[c_ast.Node]) -> c_ast.Node:
    """The loop that evaluates the calls at its head. Raises Unsupported for another statement."""
    loop = _loop_in(statement)
    if not isinstance(loop, Loop):
        raise Unsupported(clause.origin, f"'{clause.kind}' in front of what is no loop")
    if isinstance(loop, c_ast.DoWhile):
        loop.stmt = c_ast.Compound([*calls, loop.stmt], loop.stmt.coord)
    elif calls:
        condition = loop.cond if loop.cond is not None else c_ast.Constant("int", "1", loop.coord)
        loop.cond = c_ast.ExprList([*calls, condition], condition.coord)
    return statement


def _calls(
    clauses: Sequence[ContractClause], typedefs: Sequence[str], model: DataModel, without: list[UnreadClause]
) -> list[c_ast.Node]:
    """The calls for the invariants among the clauses; those that have no meaning are added to `without`."""
    found = []
    for clause in clauses:
        if clause.kind != LOOP_INVARIANT:
            without += [] if clause.kind == LOOP_ASSIGNS else [UnreadClause(clause)]
            continue
        try:
            condition = Translation().predicate(clause.text)
        except NoMeaning:
            without.append(UnreadClause(clause))
            continue
        shown = escaped(clause.text)
        found.append(expression_at(f'{INVARIANT_CALL}({condition}, "{shown}")', typedefs, clause.origin, model))
    return found


def note_unread(unit: Unit, unread: UnreadClause) -> None:
    """Records that a clause is not checked, or that an invariant is not used. Raises Unsupported for one that is to be
    checked."""
    clause = unread.clause
    if clause.kind != LOOP_INVARIANT:
        if clause.kind == LOOP_ASSIGNS and CheckKind.INVARIANT in unit.checks:
            raise Unsupported(clause.origin, f"'{clause.kind} {clause.text}': {unread.reason}")
        why = f": {unread.reason}" if unread.reason else ""
        unit.assume("annotation", f"'{clause.kind}'", f"is not checked{why}", clause.origin)
        return
    try:
        Translation().predicate(clause.text)
    except NoMeaning as error:
        if CheckKind.INVARIANT in unit.checks:
            raise Unsupported(clause.origin, f"{error} in '{clause.kind} {clause.text}'") from None
        subject = f"the loop invariant '{clause.text}'"
        unit.assume("invariant", subject, f"is not used: {error} has no meaning here", clause.origin)
