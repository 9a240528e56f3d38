"""Interrupt handlers as threads: each calls its handler again and again, each time in one atomic section.

What a handler interrupts does not go on before the handler returns, and handlers do not interrupt each other. So the
runs are those of a program in which such a thread may take its turn between any two steps of the others (Regehr,
Cooprider: Interrupt verification via thread verification, TV 2006).
"""

from collections.abc import Sequence

from chcverify.horn.system import Origin
from chcverify.results.source_facts import INTERRUPT
from encoders.c.cfa.ir import AtomicBegin, AtomicEnd, Call, CreateThread, Expression, Load, Nondet
from encoders.c.lowering.context import LoweringContext, Unit
from encoders.c.lowering.symbols import FunctionSymbol, Scope
from encoders.c.source.source_errors import LinkError, Unsupported
from encoders.c.types.c_types import INT, CInteger


def interrupt_threads(unit: Unit, names: Sequence[str]) -> list[LoweringContext]:
    """The functions at which the threads of handlers begin. The handlers become wanted functions.

    Raises LinkError for a name that no function has, Unsupported for a handler that has other parameters than integers,
    which get any values.
    """
    return [_repeated(unit, _handler(unit, name)) for name in dict.fromkeys(names)]


def start_interrupts(initial: LoweringContext, threads: Sequence[LoweringContext], origin: Origin) -> None:
    """Starts the threads of handlers at the end of the initialisation so far."""
    for thread in threads:
        create = CreateThread(initial.temporary(INT), thread.name, (), interrupts=True)
        initial.cfa.emit(create, origin, thread.name)


def _handler(unit: Unit, name: str) -> FunctionSymbol:
    for scope in unit.scopes():
        found = scope.names.get(name)
        if isinstance(found, FunctionSymbol) and found.definition is not None:
            return found
    raise LinkError(Origin(unit.file, 1), f"no function '{name}' for --interrupt")


def _repeated(unit: Unit, handler: FunctionSymbol) -> LoweringContext:
    """A function without an end that calls a handler repeatedly."""
    context = LoweringContext(unit, f"{INTERRUPT}{handler.name}>", Scope(unit.scope))
    builder, start = context.cfa, context.cfa.current
    assert handler.definition is not None
    origin = context.origin(handler.definition)
    unit.wanted.setdefault(handler.name, handler)
    unit.assume(
        "interrupt", handler.name, "interrupts main at any point, any number of times, and runs to its end", origin
    )
    builder.emit(AtomicBegin(), origin, f"interrupt: {handler.name}")
    arguments: list[Expression] = []
    for kind in handler.type.parameters:
        if not isinstance(kind, CInteger):
            raise Unsupported(origin, f"interrupt handler with a parameter of type '{kind}'")
        given = context.temporary(kind)
        builder.emit(Nondet(given, handler.name), origin, f"argument of {handler.name}")
        arguments.append(Load(given, kind))
    builder.emit(Call(None, handler.name, tuple(arguments)), origin, f"{handler.name}()")
    builder.emit(AtomicEnd(), origin)
    builder.jump(start, origin)
    return context
