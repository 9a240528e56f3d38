"""Witness expressions in a program's syntax tree: where an invariant or an assumption stands, an assignment of its
truth to a ghost variable is put, so that the front end itself finds its scope, its types and its meaning.

The coordinates of all that is put in have GHOST_FILE as file and the number of the mark as line.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from pycparser import c_ast
from pycparser.c_parser import Coord, ParseError

from chcverify.quick_dataclass import dataclass
from encoders.c.source.gnu_tokens import GnuLexer
from encoders.c.source.grammar import GnuParser

GHOST_FILE = "<witness>"
GHOST = "__chcverify_witness"
_EFFECTS = (c_ast.FuncCall, c_ast.Assignment, c_ast.Compound, c_ast.CompoundLiteral)
_LOOPS = (c_ast.While, c_ast.For)
_Conditional = c_ast.If | c_ast.While | c_ast.For
_KEYWORDS = (
    c_ast.If, c_ast.While, c_ast.DoWhile, c_ast.For, c_ast.Switch, c_ast.Case, c_ast.Default, c_ast.Label, c_ast.Goto,
    c_ast.Break, c_ast.Continue, c_ast.Return, c_ast.Compound, c_ast.EmptyStatement,
)  # fmt: skip


class InvalidMark(Exception):
    """A mark without a position in the program, or with an invalid expression: its number, and the reason."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


@dataclass(frozen=True)
class Mark:
    """A point of the program at which an expression is evaluated.

    kind: "statement", before a statement; "loop", whenever a loop's condition is about to be evaluated; "branch", the
    condition of an if or a loop. The position is that of the statement's first token or keyword; column None: the
    leftmost that fits. expression: in C; "" for a branch.
    """

    kind: Literal["statement", "loop", "branch"]
    file: str
    line: int
    column: int | None = None
    expression: str = ""
    snapshot: tuple[str, ...] = ()
    """Variables of which the expression speaks by `previous_of(number, variable)` as well: their values at any visit of
    the same loop before. Where there is none, the expression is true."""


def previous_of(number: int, variable: str) -> str:
    """The name of the ghost that holds a variable's value at a visit before, for the mark of that number."""
    return f"{GHOST}_{number}_{variable}"


@dataclass(eq=False)
class _Insertion:
    """A statement in the tree: its first coordinates, and a function that replaces it."""

    node: c_ast.Node
    line: int
    column: int
    replace: Callable[[c_ast.Node], None]


def instrument(tree: c_ast.FileAST, marks: Sequence[Mark]) -> None:
    """Puts the marks, numbered from 0, into the tree. Raises InvalidMark. The ghost variable is declared as well."""
    if not marks:
        return
    names = [node.name for node in tree.ext if isinstance(node, c_ast.Typedef)]
    slots = [slot for node in tree.ext if isinstance(node, c_ast.FuncDef) for slot in _slots(node.body)]
    chosen = [(_slot(slots, number, mark), number, mark) for number, mark in enumerate(marks)]
    conditions = [item for item in chosen if item[2].kind != "statement"]
    statements: dict[int, tuple[_Insertion, list[c_ast.Node]]] = {}
    for slot, number, mark in conditions:
        expression = _expression(mark, number, names) if mark.expression else None
        assert isinstance(slot.node, _Conditional)
        _wrap_condition(slot.node, number, expression, _snapshot(mark, number))
    for slot, number, mark in chosen:
        if mark.kind == "statement":
            before = statements.setdefault(id(slot.node), (slot, []))[1]
            before.append(_assignment(_expression(mark, number, names), number))
    for slot, before in statements.values():
        _put_before(slot, before)
    tree.ext[:0] = _declarations(marks)


def _coord(number: int) -> Coord:
    return Coord(GHOST_FILE, number, 1)


def _declarations(marks: Sequence[Mark]) -> list[c_ast.Node]:
    lines = [f"int {GHOST};"]
    for number, mark in enumerate(marks):
        if mark.snapshot:
            lines.append(f"extern int __VERIFIER_nondet_int(void); int {previous_of(number, '')};")
        lines += [f"__int128 {previous_of(number, name)};" for name in mark.snapshot]
    return list(GnuParser(lexer=GnuLexer).parse("\n".join(lines), "<ghost>").ext)


def _snapshot(mark: Mark, number: int) -> tuple[c_ast.Node, c_ast.Node] | None:
    """Whether values were noted at a visit before, and an expression that notes them now, or later, or never; None
    where the mark speaks of none."""
    if not mark.snapshot:
        return None
    noted = previous_of(number, "")
    notes = "".join(f"{previous_of(number, name)} = {name}, " for name in mark.snapshot)
    text = f"void f(void) {{ (void)({noted} || !({noted} = __VERIFIER_nondet_int()) || ({notes}1)); }}"
    statement = _last_body(GnuParser(lexer=GnuLexer).parse(text, GHOST_FILE))[0]
    assert isinstance(statement, c_ast.Cast)
    return c_ast.ID(noted, _coord(number)), _located(statement.expr, number)


def _last_body(tree: c_ast.FileAST) -> list[c_ast.Node]:
    """The statements in the body of the function that a file ends in; none if it ends in another declaration."""
    last = tree.ext[-1]
    return (last.body.block_items or []) if isinstance(last, c_ast.FuncDef) else []


# --- positions
# -----------------------------------------------------------------------------------------------------------


def _slots(body: c_ast.Node) -> Iterator[_Insertion]:
    """The statements and declarations inside a body, outer before inner."""
    stack: list[c_ast.Node] = [body]
    while stack:
        node = stack.pop()
        found = list(_held(node))
        for child, replace in found:
            position = _start(child)
            if position is not None:
                yield _Insertion(child, *position, replace)
        held = {id(child) for child, _ in found}
        stack.extend(child for child, _ in reversed(found))
        stack.extend(c for _, c in node.children() if id(c) not in held)  # statement expressions


def _held(node: c_ast.Node) -> Iterator[tuple[c_ast.Node, Callable[[c_ast.Node], None]]]:
    """The statements that a node directly holds, and how to replace each."""
    for name in ("block_items", "stmts"):
        items = getattr(node, name, None)
        if isinstance(items, list):
            for item in items:
                yield item, _in_list(items, item)
    if isinstance(node, c_ast.If | c_ast.While | c_ast.DoWhile | c_ast.For | c_ast.Switch | c_ast.Label):
        for name in ("iftrue", "iffalse", "stmt"):
            item = getattr(node, name, None)
            if item is not None:
                yield item, lambda new, node=node, name=name: setattr(node, name, new)  # type: ignore[misc]


def _in_list(items: list[c_ast.Node], item: c_ast.Node) -> Callable[[c_ast.Node], None]:
    def replace(new: c_ast.Node) -> None:
        at = next(index for index, other in enumerate(items) if other is item)
        items[at : at + 1] = new.block_items if isinstance(new, c_ast.Compound) and new.coord is None else [new]

    return replace


def _start(node: c_ast.Node) -> tuple[int, int] | None:
    """The first coordinates of the statement's own text; None for what is nowhere."""
    positions: list[tuple[int, int]] = []
    stack = [node]
    while stack:
        part = stack.pop()
        if part.coord is not None and part.coord.file != GHOST_FILE:
            positions.append((part.coord.line, part.coord.column or 1))
            if isinstance(part, _KEYWORDS):
                continue  # nothing of it is before its keyword
        stack.extend(child for _, child in part.children())
    return min(positions, default=None)


def _slot(slots: Sequence[_Insertion], number: int, mark: Mark) -> _Insertion:
    """The statement at the mark's place: exactly there, else the first to its right whose own parenthesis, asterisk or
    type begins there (the tree has no coordinates for these)."""
    here = [slot for slot in slots if _file(slot.node) == mark.file and slot.line == mark.line and _fits(slot, mark)]
    if mark.column is not None:
        exact = [slot for slot in here if slot.column == mark.column]
        column = mark.column
        here = exact or ([slot for slot in here if slot.column > column] if mark.kind == "statement" else [])
    if not here:
        raise InvalidMark(number, f"no place for it at line {mark.line}")
    return min(here, key=lambda slot: slot.column)


def _fits(slot: _Insertion, mark: Mark) -> bool:
    if mark.kind == "loop":
        return isinstance(slot.node, _LOOPS)
    if mark.kind == "branch":
        return isinstance(slot.node, _Conditional)
    return True


def _file(node: c_ast.Node) -> str:
    stack = [node]
    while stack:
        part = stack.pop()
        if part.coord is not None:
            return str(part.coord.file)
        stack.extend(child for _, child in part.children())
    return ""


# --- expressions ------------------------------------------------------------------------------------------------------


def _expression(mark: Mark, number: int, typedefs: Sequence[str]) -> c_ast.Node:
    """The C expression as a tree; InvalidMark if it is none or has side effects."""
    prelude = "".join(f"typedef int {name};" for name in typedefs)
    try:
        tree = GnuParser(lexer=GnuLexer).parse(f"{prelude} void f(void) {{ (void)({mark.expression}); }}", GHOST_FILE)
    except (ParseError, ValueError, AttributeError, AssertionError) as error:
        raise InvalidMark(number, f"not an expression: {mark.expression[:60]}") from error
    body = _last_body(tree)
    if len(tree.ext) != len(typedefs) + 1 or len(body) != 1 or not isinstance(body[0], c_ast.Cast):
        raise InvalidMark(number, f"not an expression: {mark.expression[:60]}")
    found: c_ast.Node = body[0].expr
    stack = [found]
    while stack:
        node = stack.pop()
        if isinstance(node, _EFFECTS) or (isinstance(node, c_ast.UnaryOp) and node.op in ("++", "--", "p++", "p--")):
            raise InvalidMark(number, f"an expression with side effects: {mark.expression[:60]}")
        stack.extend(child for _, child in node.children())
    return _located(found, number)


def _located(found: c_ast.Node, number: int) -> c_ast.Node:
    """The tree with the coordinates of a mark."""
    stack = [found]
    while stack:
        node = stack.pop()
        node.coord = _coord(number)
        stack.extend(child for _, child in node.children())
    return found


def _assignment(expression: c_ast.Node, number: int) -> c_ast.Node:
    """The assignment `ghost = !!expression`."""
    coord = _coord(number)
    truth = c_ast.UnaryOp("!", c_ast.UnaryOp("!", expression, coord), coord)
    return c_ast.Assignment("=", c_ast.ID(GHOST, coord), truth, coord)


def _wrap_condition(
    node: _Conditional, number: int, invariant: c_ast.Node | None, snapshot: tuple[c_ast.Node, c_ast.Node] | None
) -> None:
    """Replaces the condition by `ghost = invariant, condition`, or for a branch by `ghost = !!condition`.

    With a snapshot: by `ghost = !noted || invariant, notes, condition`.
    """
    coord = _coord(number)
    condition = c_ast.Constant("int", "1", coord) if node.cond is None else node.cond
    if invariant is None:
        node.cond = _assignment(condition, number)
    elif snapshot is not None:
        noted, notes = snapshot
        claim = c_ast.BinaryOp("||", c_ast.UnaryOp("!", noted, coord), invariant, coord)
        node.cond = c_ast.ExprList([_assignment(claim, number), notes, condition], coord)
    else:
        node.cond = c_ast.ExprList([_assignment(invariant, number), condition], coord)


def _put_before(slot: _Insertion, before: list[c_ast.Node]) -> None:
    """Before a statement, but behind its label: jumps to it come by, too."""
    node = slot.node
    if isinstance(node, c_ast.Label):
        label = node
        while isinstance(label.stmt, c_ast.Label):
            label = label.stmt
        label.stmt = c_ast.Compound([*before, label.stmt], _coord(0))
    elif isinstance(node, c_ast.Case | c_ast.Default):
        node.stmts[:0] = before
    else:
        slot.replace(c_ast.Compound([*before, node], None))
