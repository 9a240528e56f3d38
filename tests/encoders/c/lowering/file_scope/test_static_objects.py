"""Objects with static storage, in functions and at file scope."""

from pycparser import c_ast

from encoders.c.lowering.context import LoweringContext, Unit
from encoders.c.lowering.file_scope.static_objects import StaticObjects
from encoders.c.lowering.symbols import GlobalVariable, Scope
from encoders.c.types.c_types import INT, CArray

NODE = c_ast.ID("g")


def test_a_variable_is_used_from_its_first_mention(context: LoweringContext) -> None:
    symbol = GlobalVariable("g", "g", CArray(INT, None), NODE, context.scope, 0, defined=True)
    objects = StaticObjects(context)
    with context.unevaluated():
        objects.global_variable(symbol)
    assert symbol.fixed is None and not context.unit.used_globals
    variable = objects.global_variable(symbol)
    assert variable is objects.global_variable(symbol) is symbol.fixed
    assert variable.type == CArray(INT, 1)  # a tentative definition
    assert list(context.unit.used_globals) == ["g"]


def test_unnamed_objects_are_static_at_file_scope(context: LoweringContext, unit: Unit) -> None:
    local = StaticObjects(context).unnamed_object(INT, NODE, False)
    assert local.variable in context.locals and not unit.used_globals
    file = LoweringContext(unit, "start", Scope(), is_file_scope=True)
    static = StaticObjects(file).unnamed_object(INT, NODE, True)
    assert static.variable.constant and not local.variable.constant
    assert static.variable.function is None and not file.locals and len(unit.used_globals) == 1
