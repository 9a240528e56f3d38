"""What a program states of its loop heads, as candidates for invariants: nothing of it is trusted.

Candidates are the assertions and assumptions with which a loop head begins, what the procedure requires, the `where`
conditions, and that a global has not changed since the procedure began. Further ones are what the body states
elsewhere, since what a loop does not change still holds in it: other assertions and assumptions, assigned values.
"""

from collections.abc import Iterator, Mapping

import z3

from chcverify.effort import MAX_FORMULAS
from chcverify.horn.system import Predicate
from chcverify.terms.core.traversal import free_variables, substitute
from encoders.boogie import syntax as s
from encoders.boogie.control_flow import EXIT
from encoders.boogie.encoded_bodies import ENTRY, EncodedBody, EncodedImplementation
from encoders.boogie.expressions.type_universe import UniverseChanged
from encoders.boogie.expressions.typed_terms import equality
from encoders.boogie.resolved_declarations import NotModelled
from encoders.boogie.semantics import VariableState


def stated_invariants(
    encoded: EncodedImplementation, with_elsewhere: bool = False
) -> Mapping[Predicate, list[z3.BoolRef]]:
    """For the predicate of each loop head the candidates, over its formals. with_elsewhere: the further ones, too."""
    symbols = [term for _, term in encoded.symbols]
    found: dict[Predicate, list[z3.BoolRef]] = {}
    for predicate, (body, location) in zip(encoded.system.predicates, encoded.locations, strict=True):
        values = [*symbols, *(term for _, term in body.formal_values(location))]
        pairs = list(zip(values, predicate.formals, strict=True))
        state = body.formal_state(location)
        conditions = [*_at_location(body, location, state), *_anywhere(body, state)]
        if with_elsewhere:
            conditions += list(stated_elsewhere(body, state))[:MAX_FORMULAS]
        known = {str(term) for term in values}
        found[predicate] = [substitute(condition, pairs) for condition in conditions if _is_over(condition, known)]
    return found


def _is_over(condition: z3.BoolRef, names: set[str]) -> bool:
    """True if the condition has no free constants but these: others are of functions that no clause uses."""
    return all(str(variable) in names for variable in free_variables(condition))


def _at_location(body: EncodedBody, location: str, state: VariableState) -> Iterator[z3.BoolRef]:
    """What is stated of a location: the conditions with which its block begins, or what the contract says of it."""
    contract = body.implementation.procedure.contract
    if location == EXIT:
        for ensured in contract.ensures:
            yield from _condition(body, ensured.condition, body.semantics.declared(state))
    if location in (ENTRY, EXIT):
        return
    for block in body.flow.blocks.values():
        if block.call is not None and block.successors == (location,):
            yield from _ensured(body, block.call, state)
            for command in block.commands:  # they may still hold behind the call
                if isinstance(command, s.AssertStatement | s.AssumeStatement):
                    yield from _condition(body, command.condition, state)
    for command in body.flow.blocks[location].commands:
        if not isinstance(command, s.AssertStatement | s.AssumeStatement):
            return
        yield from _condition(body, command.condition, state)


def _ensured(body: EncodedBody, call: s.CallStatement, state: VariableState) -> Iterator[z3.BoolRef]:
    """What a contract says behind a call, with the present values of arguments and globals for those before it."""
    callee = body.semantics.declarations.procedures[call.procedure]
    translator = body.semantics.translator(state)
    try:
        locals = {
            parameter.name: translator.value(argument, parameter.type)
            for parameter, argument in zip(callee.signature.parameters, call.arguments, strict=True)
        }
    except (NotModelled, UniverseChanged):
        return
    results = zip(callee.signature.results, call.results, strict=True)
    locals |= {result.name: state.scope[name] for result, name in results}
    for ensured in callee.contract.ensures:
        yield from _condition(body, ensured.condition, VariableState(state.globals, state.globals, locals))


def _anywhere(body: EncodedBody, state: VariableState) -> Iterator[z3.BoolRef]:
    """Conditions that may hold at any loop head."""
    yield from unchanged_globals(state)
    begin = body.semantics.declared(VariableState(state.old, state.old, state.locals))
    for required in body.implementation.procedure.contract.requires:
        yield from _condition(body, required.condition, begin)
    for variable in (*body.globals, *body.semantics.locals.values()):
        if variable.where is not None:
            yield from _condition(body, variable.where, state)


def unchanged_globals(state: VariableState) -> Iterator[z3.BoolRef]:
    """For each global that it has the value that it had when the procedure began."""
    for name, now in state.globals.items():
        yield equality(now, state.old[name])


def stated_elsewhere(body: EncodedBody, state: VariableState) -> Iterator[z3.BoolRef]:
    """What commands of the body state, each once."""
    stated: dict[s.Expression, None] = {}
    for block in body.flow.blocks.values():
        for command in block.commands:
            if isinstance(command, s.AssertStatement | s.AssumeStatement):
                stated[command.condition] = None
            elif isinstance(command, s.AssignmentStatement):
                stated.update(dict.fromkeys(assigned_values(command)))
    found: dict[int, z3.BoolRef] = {}
    for condition in stated:
        found.update((formula.get_id(), formula) for formula in _condition(body, condition, state))
    yield from found.values()


def assigned_values(command: s.AssignmentStatement) -> Iterator[s.Expression]:
    """`x == e` for assignments `x := e`, with the present values of globals in e, and with those at the beginning."""
    for target, value in zip(command.targets, command.values, strict=True):
        if not target.selections:
            for term in (value, s.Old(value.origin, value)):
                yield s.Operation(command.origin, s.Operator.EQUAL, (s.Name(target.origin, target.name), term))


def _condition(body: EncodedBody, condition: s.Expression, state: VariableState) -> Iterator[z3.BoolRef]:
    try:
        yield body.semantics.translator(state).condition(condition)
    except (NotModelled, UniverseChanged):
        return
