"""Clauses `loop assigns`: a check in front of each write of a loop.

A write is one of the loop's condition, step and body, also of functions that it calls. It goes to a location of the
clauses, whose indices are evaluated when the loop begins, or to a variable that the loop declares; otherwise the check
in front of it is violated. What is written through a pointer may be a location by another name: then the check is a
trap. Storing the value that was there before is a write, too.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from encoders.c.contracts.acsl_expressions import NoMeaning
from encoders.c.contracts.assigned_locations import AssignedPart, Indices, MemberStep, assigned_locations
from encoders.c.contracts.behaviours import ContractClause
from encoders.c.contracts.tree_editing import expression_at, nodes_of, statements_at
from encoders.c.lowering.calls.annotation_calls import BEYOND_CALL, LOOP_ASSIGNS_CALL
from encoders.c.source.literals import escaped
from encoders.c.source.source_errors import Unsupported
from encoders.c.source.syntax_trees import parameters_of
from encoders.c.types.c_types import DataModel

_CHANGES = ("p++", "p--", "++", "--")
_HARMLESS = re.compile(
    r"__VERIFIER_(?:assume|error|nondet_(?!memory)\w+)|__chcverify_\w+|__assert_fail|abort|exit|reach_error|assert|"
    r"__CPROVER_(?:assume|assert|precondition|same_object|overflow_\w+|r_ok|w_ok|rw_ok)|malloc|calloc"
)
LOOP_ASSIGNS = "loop assigns"
LOOP_LABEL = "__chcverify_loop_"
Loop = c_ast.While | c_ast.DoWhile | c_ast.For


@dataclass(frozen=True, eq=False)
class _IndexExpression:
    """The expression of an index."""

    expression: c_ast.Node


WrittenStep = str | _IndexExpression
"""The name of a member, or an index."""


@dataclass
class _WrittenLocation:
    """The location of a write: parts of the variable `root`, or of what is behind it."""

    root: str
    steps: list[WrittenStep]


@dataclass
class LoopAssigns:
    """The instrumentation of the loops of one file. tree: of the file. typedefs: the names of its types."""

    tree: c_ast.FileAST
    typedefs: Sequence[str]
    model: DataModel
    _loops: int = 0
    _taken: frozenset[str] = field(init=False)
    _functions: dict[str, c_ast.FuncDef] = field(init=False)

    def __post_init__(self) -> None:
        everything = list(nodes_of(self.tree))
        self._functions = {node.decl.name: node for node in everything if isinstance(node, c_ast.FuncDef)}
        operands = [node.expr for node in everything if isinstance(node, c_ast.UnaryOp) and node.op == "&"]
        self._taken = frozenset(node.name for part in operands for node in nodes_of(part) if isinstance(node, c_ast.ID))

    def checked(self, statement: c_ast.Node, loop: Loop, clauses: Sequence[ContractClause]) -> c_ast.Node:
        """The statement that begins with a loop, with checks in front of its writes. Raises NoMeaning where they cannot
        be checked."""
        try:
            listed = assigned_locations(clauses)
        except Unsupported as error:
            raise NoMeaning(error.construct) from None
        step = loop.next if isinstance(loop, c_ast.For) else None
        parts = [part for part in (loop.cond, step, loop.stmt) if part is not None]
        self._require_no_labels(parts)
        self._require_known_calls(parts)
        self._require_fixed(listed, [node for part in parts for node in nodes_of(part) if _is_write(node)])
        self._loops += 1
        names = _LoopNames.of(self.tree, self._functions.values(), loop, parts)
        text = "loop assigns " + ", ".join(clause.text for clause in clauses)
        checks = [
            (owner, node, self._check(node, condition, text))
            for part in parts
            for owner, node in _writes_with_owners(loop, part)
            if (condition := self._condition(node, listed, names)) is not None
        ]
        for owner, node, check in checks:
            _replaced(owner, node, c_ast.ExprList([check, node], node.coord))
        before = [
            f"long chcverify_{end}_{self._loops}_{number}_{position} = {bound};"
            for number, part in enumerate(listed)
            for position, step in enumerate(part.steps)
            if isinstance(step, Indices)
            for end, bound in (("low", step.low), ("high", step.high))
        ]
        if not before:
            return statement
        made = statements_at(" ".join(before), self.typedefs, clauses[0].origin, self.model)
        return c_ast.Compound([*made, statement], loop.coord)

    # --- what cannot be checked

    @staticmethod
    def _require_no_labels(parts: Sequence[c_ast.Node]) -> None:
        """Raises NoMeaning where control may enter the loop elsewhere than at its beginning."""
        for part in parts:
            for node in nodes_of(part):
                if isinstance(node, c_ast.Label) and not node.name.startswith(LOOP_LABEL):
                    raise NoMeaning(f"a loop with the label {node.name}")

    def _require_known_calls(self, parts: Sequence[c_ast.Node]) -> None:
        """Raises NoMeaning for calls of functions that may write more than variables of their own."""
        seen: set[str] = set()
        work = [name for part in parts for name in _called(part)]
        while work:
            name = work.pop()
            if name in seen or (name is not None and _HARMLESS.fullmatch(name)):
                continue
            function = self._functions.get(name or "")
            if function is None:
                raise NoMeaning(f"a loop that calls {name or 'functions through pointers'}")
            assert name is not None
            seen.add(name)
            own = {node.name for node in nodes_of(function) if isinstance(node, c_ast.Decl)}
            for node in nodes_of(function.body):
                if _is_write(node) and not (isinstance(target := _target(node), c_ast.ID) and target.name in own):
                    raise NoMeaning(f"a loop that calls {name}, which writes {CGenerator().visit(_target(node))}")
            work += _called(function.body)

    def _require_fixed(self, listed: Sequence[AssignedPart], writes: Sequence[c_ast.Node]) -> None:
        """Raises NoMeaning for locations that begin with what the loop itself changes."""
        changed = {target.name for node in writes if isinstance(target := _target(node), c_ast.ID)}
        for part in listed:
            if part.steps and part.root in changed:
                raise NoMeaning(f"a location behind {part.root}, which the loop changes,")

    # --- the checks

    def _check(self, node: c_ast.Node, condition: str, text: str) -> c_ast.Node:
        """The call that checks a condition in front of a write."""
        quoted = escaped(f"{text}: {CGenerator().visit(_target(node))} is written")
        origin = Origin(node.coord.file, node.coord.line, node.coord.column or 1)
        return expression_at(f'{LOOP_ASSIGNS_CALL}({condition}, "{quoted}")', self.typedefs, origin, self.model)

    def _condition(self, node: c_ast.Node, listed: Sequence[AssignedPart], names: "_LoopNames") -> str | None:
        """The condition that a write is allowed; None if it always is. Raises NoMeaning."""
        written = _location(_target(node))
        if written is None:
            return self._unknown("a write through an expression")
        root, steps = written.root, [isinstance(step, str) for step in written.steps]
        if names.is_own(root) and not names.leads_away(root, steps):
            return None
        covering = [(part, self._covers(part, number, written)) for number, part in enumerate(listed)]
        conditions = [condition for _, condition in covering if condition is not None]
        if "1" in conditions:
            return None
        if not steps:
            is_open = root in self._taken and names.any_leads_away(listed)
        elif not names.leads_away(root, steps):
            is_open = names.any_leads_away(listed)
        else:
            others = [part for part, condition in covering if condition is None]
            is_open = not conditions or any(part.steps or part.root in self._taken for part in others)
        if is_open:
            conditions.append(self._unknown(f"a write of {root} beside locations behind pointers"))
        return " || ".join(conditions) or "0"

    @staticmethod
    def _unknown(what: str) -> str:
        """A trap: whether the location is one of the listed ones is not known."""
        return f'{BEYOND_CALL}(0, "{what}, in a loop with a clause assigns")'

    def _covers(self, part: AssignedPart, number: int, written: _WrittenLocation) -> str | None:
        """The condition that a listed location contains a written one; "1" if always, None if never by its name."""
        if part.root != written.root or len(part.steps) > len(written.steps):
            return None
        conditions: list[str] = []
        for position, (step, own) in enumerate(zip(part.steps, written.steps, strict=False)):
            if isinstance(step, MemberStep):
                if own != step.name:
                    return None
                continue
            if isinstance(own, str):
                return None
            index = f"(__int128)({CGenerator().visit(own.expression)})"
            low, high = (f"chcverify_{end}_{self._loops}_{number}_{position}" for end in ("low", "high"))
            conditions.append(f"({low} <= {index} && {index} <= {high})")
        return " && ".join(conditions) or "1"


def _is_write(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Assignment) or (isinstance(node, c_ast.UnaryOp) and node.op in _CHANGES)


def _target(node: c_ast.Node) -> c_ast.Node:
    """What a write writes to."""
    assert isinstance(node, c_ast.Assignment | c_ast.UnaryOp)
    return node.lvalue if isinstance(node, c_ast.Assignment) else node.expr


def _called(part: c_ast.Node) -> Iterator[str | None]:
    """The functions that a part calls; None for calls through expressions."""
    for node in nodes_of(part):
        if isinstance(node, c_ast.FuncCall):
            yield node.name.name if isinstance(node.name, c_ast.ID) else None


@dataclass(frozen=True)
class _LoopNames:
    """The variables that are declared around a loop."""

    own: frozenset[str]
    """The variables that the loop declares itself."""
    parameters: frozenset[str]
    """The parameters of the function."""
    declared: dict[str, list[c_ast.Decl]]
    """All declarations, by name."""

    @classmethod
    def of(
        cls, tree: c_ast.FileAST, functions: Iterable[c_ast.FuncDef], loop: c_ast.Node, parts: Sequence[c_ast.Node]
    ) -> "_LoopNames":
        """The names around a loop."""
        around = next(function for function in functions if any(node is loop for node in nodes_of(function)))
        parameters = [node for node in parameters_of(around.decl) if isinstance(node, c_ast.Decl)]
        found = [node for node in tree.ext if isinstance(node, c_ast.Decl)] + parameters
        found += [node for node in nodes_of(around.body) if isinstance(node, c_ast.Decl)]
        declared: dict[str, list[c_ast.Decl]] = {}
        for node in found:
            if node.name is not None:
                declared.setdefault(node.name, []).append(node)
        own = {node.name for part in parts for node in nodes_of(part) if isinstance(node, c_ast.Decl) and node.name}
        return cls(frozenset(own), frozenset(node.name for node in parameters if node.name), declared)

    def is_own(self, name: str) -> bool:
        """Is it a variable that the loop declares, and no other one?"""
        return name in self.own and len(self.declared.get(name, [])) == 1

    def leads_away(self, name: str, steps: Sequence[bool]) -> bool:
        """May the part of a variable be behind a pointer? steps: is it a member, or else an index?

        Also true where several variables have the name.
        """
        found = self.declared.get(name, [])
        if not steps:
            return False
        if len(found) != 1 or name in self.parameters:
            return len(found) != 1 or not steps[0] or not all(steps)
        kind = found[0].type
        for position, is_member in enumerate(steps):
            if is_member:
                return not all(steps[position:])
            if not isinstance(kind, c_ast.ArrayDecl):
                return True
            kind = kind.type
        return False

    def any_leads_away(self, listed: Sequence[AssignedPart]) -> bool:
        """May one of the locations be behind a pointer?"""
        return any(self.leads_away(part.root, [isinstance(step, MemberStep) for step in part.steps]) for part in listed)


def _writes_with_owners(loop: Loop, part: c_ast.Node) -> list[tuple[c_ast.Node, c_ast.Node]]:
    """The writes in a part of a loop, each with the node that it is a direct part of."""
    found: list[tuple[c_ast.Node, c_ast.Node]] = [(loop, part)]
    found += [(node, child) for node in nodes_of(part) for _, child in node.children()]
    return [(owner, node) for owner, node in found if _is_write(node)]


def _location(node: c_ast.Node) -> _WrittenLocation | None:
    """The location of an lvalue; None for one that does not begin with a variable.

    Raises NoMeaning for side effects.
    """
    steps: list[WrittenStep] = []
    while not isinstance(node, c_ast.ID):
        if isinstance(node, c_ast.ArrayRef):
            steps.insert(0, _IndexExpression(_pure(node.subscript)))
            node = node.name
        elif isinstance(node, c_ast.StructRef):
            steps.insert(0, str(node.field.name))
            if node.type == "->":
                steps.insert(0, _IndexExpression(_ZERO))
            node = node.name
        elif isinstance(node, c_ast.UnaryOp) and node.op == "*":
            node, index = _added(node.expr)
            steps.insert(0, _IndexExpression(_pure(index)))
        else:
            return None
    return _WrittenLocation(str(node.name), steps)


_ZERO = c_ast.Constant("int", "0")


def _added(node: c_ast.Node) -> tuple[c_ast.Node, c_ast.Node]:
    """The pointer and the index of `p + i`."""
    if isinstance(node, c_ast.BinaryOp) and node.op == "+" and isinstance(node.left, c_ast.ID):
        return node.left, node.right
    return node, _ZERO


def _pure(index: c_ast.Node) -> c_ast.Node:
    """The index, which is evaluated twice. Raises NoMeaning for side effects."""
    if any(_is_write(node) or isinstance(node, c_ast.FuncCall) for node in nodes_of(index)):
        raise NoMeaning(f"a write whose location {CGenerator().visit(index)} has side effects")
    return index


def _replaced(owner: c_ast.Node, old: c_ast.Node, new: c_ast.Node) -> None:
    """Puts a node in the position of a direct part of its owner."""
    for name in owner.__slots__:
        value = getattr(owner, name, None)
        if value is old:
            setattr(owner, name, new)
        elif isinstance(value, list) and any(part is old for part in value):
            value[next(index for index, part in enumerate(value) if part is old)] = new
