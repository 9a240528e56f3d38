"""The call of main by the program's start, with argc, argv and the environment (C11 5.1.2.2.1)."""

from pycparser import c_ast

from chcverify.horn.system import Origin
from chcverify.results.checks import CheckKind
from encoders.c.cfa.ir import Assume, Binary, Call, CheckBlocks, Constant, Load, Nondet, VariableLValue
from encoders.c.library.model_files import END_OF_JUMPS, MAIN_ARGUMENTS, RUN_EXIT_HANDLERS
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.symbols import FunctionSymbol
from encoders.c.source.source_errors import SourceError
from encoders.c.source.syntax_trees import parameters_of
from encoders.c.types.c_types import CHAR, INT, CInteger, CPointer


def call_main(initial: LoweringContext, main: FunctionSymbol, origin: Origin) -> None:
    """Adds the call of main: argc is not negative; argv and a third parameter point to strings, if main uses them."""
    arguments: list[Load] = []
    assert main.definition is not None
    names = [getattr(parameter, "name", None) for parameter in parameters_of(main.definition.decl)]
    for position, kind in enumerate(main.type.parameters):
        lvalue = initial.temporary(kind)
        if not isinstance(kind, CInteger | CPointer):
            raise SourceError(origin, f"'main' has a parameter of type '{kind}'")
        if isinstance(kind, CPointer) and mentions_strings(main, position):
            count = arguments[0] if position == 1 else _undetermined_count(initial, origin)
            _call_maker(initial, lvalue, count, origin)
        else:
            name = names[position] if position < len(names) else None
            initial.cfa.emit(Nondet(lvalue, "main"), origin, name or "argument of main")
        arguments.append(Load(lvalue, kind))
        if kind == INT and position == 0:
            _assume_natural(initial, arguments[0], origin, "argc >= 0")
    initial.cfa.emit(Call(None, main.name, tuple(arguments)), origin, f"{main.name}()")
    if initial.unit.has_jumps:
        initial.cfa.emit(Call(None, END_OF_JUMPS, ()), origin, f"end of {main.name}")
    if initial.unit.has_exit_handlers:
        initial.cfa.emit(Call(None, RUN_EXIT_HANDLERS, ()), origin, f"end of {main.name}")
    if initial.unit.checks & {CheckKind.CLEANUP, CheckKind.LEAK}:
        initial.cfa.emit(CheckBlocks(leaves_main=True), origin, f"end of {main.name}")
    initial.cfa.jump(initial.exit, origin)


def mentions_strings(main: FunctionSymbol, position: int) -> bool:
    """True if main mentions its parameter at this position (1: argv, 2: the environment), a pointer to strings."""
    kinds, definition = main.type.parameters, main.definition
    if len(kinds) <= position or kinds[0] != INT or kinds[position] != CPointer(CPointer(CHAR)) or definition is None:
        return False
    name = getattr(parameters_of(definition.decl)[position], "name", None)
    stack: list[c_ast.Node] = [definition.body]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.ID) and node.name == name:
            return True
        stack.extend(child for _, child in node.children())
    return False


def _call_maker(initial: LoweringContext, lvalue: VariableLValue, count: Load, origin: Origin) -> None:
    """Adds a call that assigns a new array of `count` strings to the lvalue."""
    initial.cfa.emit(Call(lvalue, MAIN_ARGUMENTS, (count,)), origin, "arguments of main")


def _undetermined_count(initial: LoweringContext, origin: Origin) -> Load:
    """The undetermined number of strings in the environment."""
    lvalue = initial.temporary(INT)
    initial.cfa.emit(Nondet(lvalue, "main"), origin, "size of the environment")
    count = Load(lvalue, INT)
    _assume_natural(initial, count, origin, "size of the environment >= 0")
    return count


def _assume_natural(initial: LoweringContext, count: Load, origin: Origin, text: str) -> None:
    """Adds the assumption that a count is not negative. text: of the edge in traces."""
    initial.cfa.emit(Assume(Binary(">=", count, Constant(0, INT), INT), True), origin, text)
