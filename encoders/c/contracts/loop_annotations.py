"""Loop invariants in a syntax tree: the label that an annotation has become gives way to calls at the loop's head.

A call `__chcverify_loop_invariant(condition, "text")` is evaluated whenever control comes to the head of the loop.
It is a check where such checks are asked for, and else a candidate that has no effect on runs.
"""

from collections.abc import Container, Iterable, Sequence
from typing import Any

from pycparser import c_ast
from pycparser.c_parser import Coord

from chcverify.horn.system import Origin
from chcverify.results.checks import CheckKind
from encoders.c.contracts.acsl_expressions import NoMeaning, Translation
from encoders.c.contracts.annotations import LOOP_INVARIANT
from encoders.c.contracts.behaviours import ContractClause
from encoders.c.lowering.calls.annotation_calls import INVARIANT_CALL
from encoders.c.lowering.context import Unit
from encoders.c.source.parser import parse
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import DataModel

_LOOPS = (c_ast.While, c_ast.DoWhile, c_ast.For)


def annotate_loops(
    tree: c_ast.FileAST, file: str, clauses: Sequence[ContractClause], model: DataModel
) -> list[ContractClause]:
    """Puts the invariants among the clauses into the tree of their file; those of its clauses without a meaning here.

    Raises Unsupported for annotations in front of what is no loop.
    """
    labelled: dict[str, list[ContractClause]] = {}
    for clause in clauses:
        if clause.label and clause.origin.file == file:
            labelled.setdefault(clause.label, []).append(clause)
    if not labelled:
        return []
    typedefs = [node.name for node in tree.ext if isinstance(node, c_ast.Typedef)]
    without: list[ContractClause] = []
    calls = {label: _calls(found, typedefs, model, without) for label, found in labelled.items()}
    done: set[str] = set()
    for node in _nodes(tree):
        while found := _labels_of(node, calls):
            attribute, label = found[0]
            done.add(label.name)
            _replace(node, attribute, label, _instrumented(label.stmt, labelled[label.name][0], calls[label.name]))
    for name in labelled.keys() - done:
        raise Unsupported(labelled[name][0].origin, f"'{labelled[name][0].kind}' in front of what is no loop")
    return without


def _nodes(tree: c_ast.Node) -> Iterable[c_ast.Node]:
    """All nodes, wholes before their parts."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(child for _, child in node.children())


def _labels_of(node: Any, labels: Container[str]) -> list[tuple[str, c_ast.Label]]:
    """The labels of annotations among a node's direct parts, each with the attribute that holds it."""
    found = []
    for name in node.__slots__:
        value = getattr(node, name, None)
        parts = value if isinstance(value, list) else [value]
        found += [(name, p) for p in parts if isinstance(p, c_ast.Label) and p.name in labels]
    return found


def _replace(node: Any, attribute: str, old: c_ast.Node, new: c_ast.Node) -> None:
    """Puts a node in the position of another one."""
    value = getattr(node, attribute)
    if isinstance(value, list):
        value[next(index for index, part in enumerate(value) if part is old)] = new
    else:
        setattr(node, attribute, new)


def _instrumented(statement: Any, clause: ContractClause, calls: Sequence[c_ast.Node]) -> c_ast.Node:
    """The loop that evaluates the calls at its head. Raises Unsupported for another statement."""
    loop = statement
    while isinstance(loop, c_ast.Label):  # of another annotation, or of the program
        loop = loop.stmt
    if not isinstance(loop, _LOOPS):
        raise Unsupported(clause.origin, f"'{clause.kind}' in front of what is no loop")
    if isinstance(loop, c_ast.DoWhile):
        loop.stmt = c_ast.Compound([*calls, loop.stmt], loop.stmt.coord)
    elif calls:
        condition = loop.cond if loop.cond is not None else c_ast.Constant("int", "1", loop.coord)
        loop.cond = c_ast.ExprList([*calls, condition], condition.coord)
    node: c_ast.Node = statement
    return node


def _calls(
    clauses: Sequence[ContractClause], typedefs: Sequence[str], model: DataModel, without: list[ContractClause]
) -> list[c_ast.Node]:
    """The calls for the invariants among the clauses; those that have no meaning are added to `without`."""
    found = []
    for clause in clauses:
        if clause.kind != LOOP_INVARIANT:
            without.append(clause)
            continue
        try:
            condition = Translation().predicate(clause.text)
        except NoMeaning:
            without.append(clause)
            continue
        shown = clause.text.replace("\\", "\\\\").replace('"', '\\"')
        found.append(expression_at(f'{INVARIANT_CALL}({condition}, "{shown}")', typedefs, clause.origin, model))
    return found


def expression_at(text: str, typedefs: Sequence[str], origin: Origin, model: DataModel) -> c_ast.Node:
    """The syntax tree of an expression, all of it at one position. Raises Unsupported for what is no expression."""
    prelude = "".join(f"typedef int {name};" for name in typedefs)
    try:
        tree, _ = parse(f"{prelude} void f(void) {{ {text}; }}", origin.file, model)
    except SourceError as error:
        raise Unsupported(origin, f"an annotation that is no predicate ({error.message})") from None
    body = tree.ext[-1].body.block_items or []
    if len(body) != 1:
        raise Unsupported(origin, "an annotation that is no predicate")
    place = Coord(origin.file, origin.line, origin.column)
    for node in _nodes(body[0]):
        node.coord = place
    expression: c_ast.Node = body[0]
    return expression


def note_unread(unit: Unit, clause: ContractClause) -> None:
    """Records that a clause is not checked, or that an invariant is not used. Raises Unsupported for one that is to be
    checked."""
    if clause.kind != LOOP_INVARIANT:
        unit.assume("annotation", f"'{clause.kind}'", "is not checked", clause.origin)
        return
    try:
        Translation().predicate(clause.text)
    except NoMeaning as error:
        if CheckKind.INVARIANT in unit.checks:
            raise Unsupported(clause.origin, f"{error} in '{clause.kind} {clause.text}'") from None
        subject = f"the loop invariant '{clause.text}'"
        unit.assume("invariant", subject, f"is not used: {error} has no meaning here", clause.origin)
