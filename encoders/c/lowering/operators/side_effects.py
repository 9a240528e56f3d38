"""Which expressions need operations on edges when they are evaluated."""

from pycparser import c_ast

from chcverify.results.checks import CheckKind
from encoders.c.lowering.collaborators import HasBuiltins
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.operators.arithmetic_checks import OPERATORS


class SideEffects:
    """Decides whether the evaluation of an expression calls, assigns, or checks something."""

    def __init__(self, context: LoweringContext, lowering: HasBuiltins) -> None:
        self.context = context
        self.lowering = lowering
        self._effects: dict[int, tuple[c_ast.Node, bool]] = {}  # with the node: no other gets its identity

    def has_effects(self, node: c_ast.Node | None) -> bool:
        """Does evaluating the expression need operations on edges? Memoised: asked again at each level."""
        if node is None:
            return False
        known = self._effects.get(id(node))
        if known is None:
            known = (node, self._has_effects(node))
            self._effects[id(node)] = known
        return known[1]

    def have_none(self, node: c_ast.Node) -> None:
        """Takes the expression, and all parts of it, to need no operations on edges. For conditions of library models,
        which only compare what they read."""
        stack = [node]
        while stack:
            part = stack.pop()
            self._effects[id(part)] = (part, False)
            stack += [child for _, child in part.children()]

    def has_side_effects(self, node: c_ast.Node) -> bool:
        """As `has_effects`, but for checks of arithmetic, which constant expressions and static initialisers pass."""
        if not self.context.unit.checks_arithmetic and not self.context.unit.uses_complex:
            return self.has_effects(node)
        stack = [node]
        while stack:
            part = stack.pop()
            if isinstance(part, c_ast.UnaryOp) and part.op in _MEASURES:
                continue
            if isinstance(part, c_ast.FuncCall) and self.lowering.builtins.is_constant_call(part):
                continue
            if isinstance(part, _EFFECTS) or (isinstance(part, c_ast.UnaryOp) and part.op in _STEPS):
                return True
            stack += [child for _, child in part.children()]
        return False

    def left_is_read_late(self, node: c_ast.BinaryOp, is_pointer: bool) -> bool:
        """Is the left operand a variable that is read behind the right one's effects?

        C leaves that open where a call on the right changes the variable; gcc does it where it may swap the operands.
        is_pointer: the left operand.
        """
        if not isinstance(node.left, c_ast.ID):
            return False
        is_swapped = node.op not in _UNSWAPPED and not (is_pointer and node.op == "+")
        return is_swapped or not self.calls(node.right)

    def calls(self, node: c_ast.Node) -> bool:
        """Does the expression call a function, or consist of statements? What these do is ordered with the rest."""
        stack = [node] if self.has_effects(node) else []
        while stack:
            part = stack.pop()
            if isinstance(part, c_ast.Compound):
                return True
            if isinstance(part, c_ast.FuncCall) and not self.lowering.builtins.is_constant_call(part):
                return True
            if not (isinstance(part, c_ast.UnaryOp) and part.op in _MEASURES):
                stack += [child for _, child in part.children()]
        return False

    def _has_effects(self, node: c_ast.Node) -> bool:
        if isinstance(node, c_ast.UnaryOp) and node.op in _MEASURES:
            return False
        if isinstance(node, c_ast.FuncCall) and self.lowering.builtins.is_constant_call(node):
            return False
        if isinstance(node, _EFFECTS) or (isinstance(node, c_ast.UnaryOp) and node.op in _STEPS):
            return True
        if self.context.unit.checks_arithmetic and self._is_checked(node):
            return True
        if self.context.unit.uses_complex and isinstance(node, _MAY_BE_COMPLEX):
            return True
        return any(self.has_effects(child) for _, child in node.children())

    def _is_checked(self, node: c_ast.Node) -> bool:
        """Could the operation itself be a violation, whatever its type is? Its check is on an edge."""
        if isinstance(node, c_ast.UnaryOp):
            return bool(node.op == "-") and self.context.unit.checks_overflow
        if CheckKind.CONVERSION in self.context.unit.checks and isinstance(node, _CONVERTING):
            return True
        if not isinstance(node, c_ast.BinaryOp):
            return False
        return any(kind in self.context.unit.checks and node.op in among for kind, among in OPERATORS.items())


_EFFECTS = (c_ast.FuncCall, c_ast.Assignment, c_ast.Compound, c_ast.CompoundLiteral)
_CONVERTING = (c_ast.BinaryOp, c_ast.TernaryOp, c_ast.Cast)  # their operands may be converted
_MAY_BE_COMPLEX = (c_ast.BinaryOp, c_ast.UnaryOp, c_ast.TernaryOp, c_ast.Cast)  # then they are made on edges
_UNSWAPPED = ("-", "/", "%", "<<", ">>")
_MEASURES = ("sizeof", "_Alignof", "__alignof__", "__alignof")
_STEPS = ("++", "--", "p++", "p--")
