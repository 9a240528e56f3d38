"""Allocations that may fail: `malloc` and its like give null, or say so, at any call, or are assumed never to."""

from collections.abc import Callable

from pycparser import c_ast

from chcverify.results.checks import CheckKind
from encoders.c.cfa.ir import Assign, Assume, Constant, Expression, Load, LValue, Nondet
from encoders.c.library.table_reader import find, may_lack_memory
from encoders.c.lowering.checks.reallocation import forgets
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.environment import Allocations
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.types.c_types import BOOL, VOID

Allocate = Callable[[LValue | None], Expression | None]
"""Lowers a call that does not fail; its result, which may be what the given lvalue now holds."""


class FailingAllocations:
    """Adds the case that a call of the program fails; what models of the library allocate is a part of their call."""

    def __init__(self, context: LoweringContext, side_effects: SideEffects, expressions: ExpressionLowering) -> None:
        self.context, self.side_effects, self.expressions = context, side_effects, expressions

    def or_null(
        self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node], into: LValue | None, allocate: Allocate
    ) -> Expression | None:
        """The result of a call of a function without a body: that of allocate, or null where an allocation fails.

        One that fails does nothing else (C11 7.22.3; realloc: 7.22.3.5, paragraph 3: the old block stays).
        """
        entry = find(name)
        unit, origin, plain = self.context.unit, self.context.origin(node), name.removeprefix("__builtin_")
        if entry is None or not may_lack_memory(name) or not self.context.evaluated or self.context.is_generated(node):
            return allocate(into)
        if entry.frees and CheckKind.LIFETIME not in unit.checks and not forgets(unit.checks):
            unit.assume("lifetime", plain, "is followed by no read of the old block", origin)
        if unit.surroundings.allocations is not Allocations.MAY_FAIL:
            self.context.assume_success(plain, node)
            return allocate(into)
        cfa, text = self.context.cfa, self.context.text(node)
        choice = self.context.temporary(BOOL)
        cfa.emit(Nondet(choice, f"failure of {plain}"), origin, f"failure of {text}")
        works, fails, after = cfa.location(), cfa.location(), cfa.location()
        for target, holds in ((fails, True), (works, False)):
            cfa.edge(cfa.current, target, Assume(Load(choice, BOOL), holds), origin, f"{plain} fails")
        cfa.current = works
        value = allocate(None)
        if value is None:
            raise self.context.refuse(node, f"call of {name}")
        result = None if value.type == VOID else self.context.temporary(value.type)
        if result is not None:
            cfa.emit(Assign(result, value), origin, text)
        cfa.jump(after, origin)
        cfa.current = fails
        for argument in reversed(arguments):
            if self.side_effects.has_side_effects(argument):
                self.expressions.effect(argument)
        if result is not None:
            failure = entry.allocation.failure if entry.allocation is not None else 0
            cfa.emit(Assign(result, Constant(failure, result.type)), origin, text)
        cfa.jump(after, origin)
        cfa.current = after
        return Constant(0, VOID) if result is None else Load(result, result.type)
