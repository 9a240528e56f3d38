"""The checks of a program: what its edges can violate."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from chcverify.horn.system import Origin
from chcverify.results.checks import DEREFERENCES, Check, CheckKind
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge
from encoders.c.cfa.model_origins import MODELS, is_model

ARITHMETIC_WORDS = {
    CheckKind.DIVISION: "division by zero",
    CheckKind.SHIFT: "shift",
    CheckKind.OVERFLOW: "overflow",
    CheckKind.CONVERSION: "conversion",
    CheckKind.BUILTIN: "no result",
    CheckKind.VLA_BOUND: "length",
}
"""How the texts of the edges of a check begin, before the operation: `overflow: i++`, `no overflow: i++`."""


def operation_of(text: str) -> str:
    """The text of an edge without the word of the arithmetic check that it is a part of."""
    for word in ARITHMETIC_WORDS.values():
        for prefix in (f"{word}: ", f"no {word}: "):
            if text.startswith(prefix):
                return text.removeprefix(prefix)
    return text


def is_condition(edge: ir.Edge) -> bool:
    """Is the edge an assumption with a text of its own, and no part of an arithmetic check (`no overflow: i++`)?"""
    return isinstance(edge.operation, ir.Assume) and edge.text != "" and operation_of(edge.text) == edge.text


def checks_of(program: ir.Program) -> tuple[Check, ...]:
    """Returns the checks of a program that are not assumed to hold, by position and kind."""
    inside = checks_inside_models(program)
    found: set[Check] = set()
    for function in program.functions.values():
        if is_model(function):
            continue
        for edge in function.edges:
            found.update(checks_of_edge(edge, program.checks))
            if isinstance(edge.operation, ir.Call):  # what library models do, the user's call does
                kinds = inside.get(edge.operation.function, frozenset())
                found.update(Check(edge.origin, kind, edge.text) for kind in kinds)
    return tuple(sorted(found - program.assumed))


def assuming(program: ir.Program, assumed: frozenset[Check]) -> ir.Program:
    """The program of which other runs decide these checks. Where that of lost blocks is among them, none are looked
    for: what a run loses is no reason to end it."""
    kinds = program.checks
    if any(check.kind is CheckKind.LEAK for check in assumed):
        kinds -= {CheckKind.LEAK}
    return replace(program, assumed=program.assumed | assumed, checks=kinds)


def selectable(program: ir.Program) -> ir.Program:
    """The program whose clauses are the same for each selection of checks, but for the violations of the others.

    Where lost blocks are looked for it stays as it is, since a run that loses one goes on if that check is assumed.
    """
    return program if CheckKind.LEAK in program.checks else replace(program, ends_at_violations=True)


def checks_inside_models(program: ir.Program) -> dict[str, frozenset[CheckKind]]:
    """The kinds of checks that each library model makes, itself or through calls of others."""
    models = {name: function for name, function in program.functions.items() if is_model(function)}
    kinds = {
        name: {check.kind for edge in function.edges for check in checks_of_edge(edge, program.checks)}
        for name, function in models.items()
    }
    changed = True
    while changed:
        changed = False
        for name, function in models.items():
            for edge in function.edges:
                called = kinds.get(edge.operation.function, set()) if isinstance(edge.operation, ir.Call) else set()
                changed |= not called <= kinds[name]
                kinds[name] |= called
    return {name: frozenset(found) for name, found in kinds.items()}


def checks_of_edge(edge: ir.Edge, kinds: frozenset[CheckKind]) -> Iterator[Check]:
    """The checks of these kinds that an edge makes, in the order in which a run decides them."""
    match edge.operation:
        case ir.ReachError(what=what, kind=kind) | ir.OpenCheck(what=what, kind=kind):
            yield Check(edge.origin, kind, operation_of(edge.text or what))
        case ir.CheckAccess(is_claim=False):
            for kind in (CheckKind.NULL, CheckKind.LIFETIME, CheckKind.BOUNDS):
                if kind in kinds & DEREFERENCES:
                    yield Check(edge.origin, kind, edge.text)
        case ir.CheckWritten():
            yield Check(edge.origin, CheckKind.UNINITIALISED, edge.text)
        case ir.Release() if CheckKind.FREE in kinds:
            yield Check(edge.origin, CheckKind.FREE, edge.text)
        case ir.CheckBlocks(leaves_main=leaves_main):
            if CheckKind.CLEANUP in kinds:
                yield Check(edge.origin, CheckKind.CLEANUP, edge.text)
            if CheckKind.LEAK in kinds and leaves_main:  # one for the program: a block may be lost anywhere
                yield Check(edge.origin, CheckKind.LEAK, edge.text)
        case _:
            return


def error_check(edge: ir.Edge) -> Check:
    """The check of an edge that is a violation."""
    assert isinstance(edge.operation, ir.ReachError)
    return Check(edge.origin, edge.operation.kind, operation_of(edge.text or edge.operation.what))


def user_position(edge: FlatEdge) -> tuple[Origin, str]:
    """Where the user reads an edge, and what is there: of an edge inside a library model, the call of that."""
    frame, shown = edge.frame, edge.edge
    while shown.origin.file.startswith(MODELS) and frame.call is not None and frame.parent is not None:
        shown, frame = frame.call, frame.parent
    return shown.origin, shown.text


def checks_of_flat_edge(
    edge: FlatEdge, kinds: frozenset[CheckKind], inside: Mapping[str, frozenset[CheckKind]]
) -> Iterator[Check]:
    """The checks of these kinds that an edge makes, as the user knows them: what library models do, their call does.

    inside: the kinds that each model makes (`checks_inside_models`), for calls that are not inlined.
    """
    made: list[CheckKind] = []
    for check in checks_of_edge(edge.edge, kinds):
        if not check.origin.file.startswith(MODELS):
            yield check
        else:
            made.append(check.kind)
    if isinstance(edge.operation, ir.Call):
        made += inside.get(edge.operation.function, ())
    origin, text = user_position(edge)
    yield from (Check(origin, kind, text) for kind in made)
