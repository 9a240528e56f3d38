"""Calls that annotations of the source have become."""

from dataclasses import field, replace

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.cfa.ir import (
    AccessClaim,
    CheckAccess,
    Constant,
    Dereference,
    Expression,
    Load,
    LoopInvariant,
    Nondet,
    ReachError,
    Skip,
)
from encoders.c.lowering.collaborators import HasStatements
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.operators.conversions import binary, convert
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import BOOL, INT, UCHAR, VOID, CFunction, CPointer, CVoid, size_type

INVARIANT_CALL = "__chcverify_loop_invariant"
CONTRACT_CALL = "__chcverify_contract"
VALID_CALL = "__chcverify_valid"
BEYOND_CALL = "__chcverify_too_large"
LOOP_ASSIGNS_CALL = "__chcverify_loop_assigns"
_CALLS = frozenset({INVARIANT_CALL, CONTRACT_CALL, VALID_CALL, BEYOND_CALL, LOOP_ASSIGNS_CALL})
ACCESS_INTRINSICS = frozenset(
    {"__CPROVER_r_ok", "__CPROVER_w_ok", "__CPROVER_rw_ok", "__ESBMC_r_ok", "__ESBMC_w_ok", "__ESBMC_rw_ok"}
)


@dataclass(eq=False)
class AnnotationCalls:
    """Lowering of calls that annotations have become.

    `__chcverify_loop_invariant(condition, "text")`, `__chcverify_contract(condition, "text")`: a check of a contract;
    `__chcverify_valid(pointer, count)`: true, after a check that so many elements can be accessed;
    `__chcverify_loop_assigns(condition, "text")`: a check of a write of a loop;
    `__chcverify_too_large(0, "what")`: what is not modelled. Of CBMC and ESBMC: `__CPROVER_r_ok(pointer, size)` and its
    like: do so many bytes lie in one living object? Where an assertion claims it, that is a check.
    """

    context: LoweringContext
    side_effects: SideEffects
    expressions: ExpressionLowering
    lowering: HasStatements
    _claimed: dict[int, c_ast.Node] = field(default_factory=dict, init=False)
    """Intrinsics that assertions claim, by their identity."""

    def claim(self, condition: c_ast.Node) -> None:
        """Notes that an assertion claims a condition: what it says of accesses becomes checks of them.

        Only where it must hold: in conjunctions, and as the last alternative, since a check is no alternative itself.
        """
        if not self.context.unit.checks >= DEREFERENCES:
            return
        if isinstance(condition, c_ast.BinaryOp) and condition.op in ("&&", "||"):
            if condition.op == "&&":
                self.claim(condition.left)
            self.claim(condition.right)
        elif isinstance(condition, c_ast.FuncCall) and getattr(condition.name, "name", "") in ACCESS_INTRINSICS:
            self._claimed[id(condition)] = condition

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """The value of a check of accesses, void for other annotations; None for other functions."""
        if name in ACCESS_INTRINSICS:
            return self._accessible(node, name, arguments)
        if len(arguments) != 2 or name not in _CALLS:
            return None
        condition, text = arguments[0], string_of(arguments[1])
        if name == BEYOND_CALL:
            self.context.trap(text or "a contract about so large an object", node)
            return Constant(1, INT)
        if name == VALID_CALL:
            return self._valid(node, *arguments)
        if name == CONTRACT_CALL:
            if CheckKind.CONTRACT not in self.context.unit.checks:
                raise self.context.refuse(node, f"'{text}', without checks of contracts")
            self._check(node, condition, text, CheckKind.CONTRACT)
        elif name == LOOP_ASSIGNS_CALL:
            is_invariant = CheckKind.INVARIANT in self.context.unit.checks
            self._check(node, condition, text, CheckKind.INVARIANT if is_invariant else CheckKind.CONTRACT)
        elif CheckKind.INVARIANT in self.context.unit.checks:
            self._check(node, condition, f"loop invariant {text}", CheckKind.INVARIANT)
        else:
            self._candidate(node, condition, text)
        return Constant(0, VOID)

    def _valid(self, node: c_ast.FuncCall, pointer: c_ast.Node, count: c_ast.Node) -> Expression:
        """A check that the elements behind a pointer, so many of them, can be accessed."""
        value, kind = self.expressions.value(pointer), size_type(self.context.unit.model)
        if not isinstance(value.type, CPointer) or not self.context.unit.checks >= DEREFERENCES:
            raise self.context.refuse(node, "a check of accesses, where these are not checked")
        number = self.expressions.converted(self.expressions.value(count), kind, count)
        unit = 1 if isinstance(value.type.target, CVoid) else self.context.size_of(value.type.target, node)
        size = binary("*", number, Constant(unit, kind), kind)
        place = Dereference(
            self.context.held(value, node), UCHAR if isinstance(value.type.target, CVoid) else value.type.target
        )
        self.context.cfa.emit(CheckAccess(place, size), self.context.origin(node), self.context.text(pointer))
        return Constant(1, INT)

    def _accessible(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """Can bytes, so many as the second argument says, or those of what is pointed to, be accessed?

        Where an assertion claims it, a check that they can. Elsewhere any number, behind which only runs go on in which
        it is the truth; where lifetimes are not followed, an estimate.
        """
        if not 1 <= len(arguments) <= 2:
            return None
        value, kind = self.expressions.value(arguments[0]), size_type(self.context.unit.model)
        if not isinstance(value.type, CPointer) or isinstance(value.type.target, CFunction):
            return None
        is_opaque = isinstance(value.type.target, CVoid) or not self.context.unit.layout.is_complete(value.type.target)
        target = UCHAR if is_opaque else value.type.target
        place, size = Dereference(convert(self.context.held(value, node), CPointer(target)), target), None
        if len(arguments) == 2:
            number = self.expressions.converted(self.expressions.value(arguments[1]), kind, arguments[1])
            size = self.context.held(number, node)
        operation = CheckAccess(place, size, counts_none=size is not None)
        if id(node) in self._claimed:
            self.context.emit(operation, node)
            return Constant(1, INT)
        return self._truth(node, name, operation)

    def _truth(self, node: c_ast.FuncCall, name: str, access: CheckAccess) -> Expression:
        """A number that is not zero where an access is valid."""
        cfa, origin, text = self.context.cfa, self.context.origin(node), self.context.text(node)
        result, is_followed = self.context.temporary(BOOL), self.context.unit.checks >= DEREFERENCES
        cfa.emit(Nondet(result, name, is_estimate=not is_followed), origin, text)
        truth = Load(result, BOOL)
        if is_followed:
            holds, fails, after = cfa.location(), cfa.location(), cfa.location()
            self.expressions.assume(truth, node, holds, fails)
            for here, claim in ((holds, AccessClaim.HOLDS), (fails, AccessClaim.FAILS)):
                cfa.current = here
                cfa.emit(replace(access, claim=claim), origin, text)
                cfa.jump(after, origin)
            cfa.current = after
        return truth

    def _check(self, node: c_ast.FuncCall, condition: c_ast.Node, text: str, kind: CheckKind) -> None:
        """Two edges: on where the condition holds, and to a violation where it does not."""
        cfa, origin = self.context.cfa, self.context.origin(node)
        then, otherwise = cfa.location(), cfa.location()
        self.lowering.statements.branch(condition, then, otherwise)
        cfa.edge(otherwise, cfa.location(), ReachError(text, kind), origin, text)
        cfa.current = then

    def _candidate(self, node: c_ast.FuncCall, condition: c_ast.Node, text: str) -> None:
        """Notes the invariant at the present location; no run is changed. What is no pure expression is left out."""
        cfa, origin = self.context.cfa, self.context.origin(node)
        mark, checks = cfa.mark(), self.context.unit.checks
        self.context.unit.checks = frozenset()  # an invariant is not executed
        try:
            value = self.expressions.condition(condition)
        except (Unsupported, SourceError):
            value = None
        finally:
            self.context.unit.checks = checks
        if value is None or cfa.mark() != mark:
            cfa.rollback(mark)
            self.context.unit.assume("invariant", f"the loop invariant '{text}'", "is not used", origin)
            cfa.emit(Skip(), origin)
            return
        cfa.emit(LoopInvariant(value, text), origin)


def string_of(node: c_ast.Node) -> str:
    """The text of a string literal that an annotation has been put into; "" for another expression."""
    text = node.value[1:-1] if isinstance(node, c_ast.Constant) and node.type == "string" else ""
    return str(text.replace('\\"', '"').replace("\\\\", "\\"))
