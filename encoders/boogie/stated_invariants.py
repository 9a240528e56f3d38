"""What a program states of its loop heads, as candidates for invariants: nothing of it is trusted.

Candidates are the assertions and assumptions with which a loop head begins, what the procedure requires, the `where`
conditions, and that a global has not changed since the procedure began. Further ones are what the body states
elsewhere, since what a loop does not change still holds in it: other assertions and assumptions, assigned values.
"""

from collections.abc import Iterator, Mapping

import z3

from chcverify.horn.system import Predicate
from chcverify.terms.core.traversal import free_variables, substitute
from encoders.boogie import syntax as s
from encoders.boogie.expressions.type_universe import UniverseChanged
from encoders.boogie.expressions.typed_terms import equality
from encoders.boogie.implementation_encoder import EncodedImplementation, formal_state, state_values
from encoders.boogie.resolved_declarations import NotModelled
from encoders.boogie.semantics import VariableState

MOST_ELSEWHERE = 200
"""Further candidates of one loop head. Chosen by hand; the bodies of Boogie's textbook examples state up to 40."""


def stated_invariants(
    encoded: EncodedImplementation, with_elsewhere: bool = False
) -> Mapping[Predicate, list[z3.BoolRef]]:
    """For the predicate of each loop head the candidates, over its formals. with_elsewhere: the further ones, too."""
    state = formal_state(encoded.globals, encoded.semantics)
    heads = [name for name in encoded.flow.blocks if name in encoded.heads]
    found: dict[Predicate, list[z3.BoolRef]] = {}
    for predicate, head in zip(encoded.system.predicates, heads, strict=True):
        values = [term for _, term in (*encoded.symbols, *state_values(state))]
        pairs = list(zip(values, predicate.formals, strict=True))
        conditions = [*_at_head(encoded, head, state), *_anywhere(encoded, state)]
        if with_elsewhere:
            conditions += list(stated_elsewhere(encoded, state))[:MOST_ELSEWHERE]
        known = {str(term) for term in values}
        found[predicate] = [substitute(condition, pairs) for condition in conditions if _is_over(condition, known)]
    return found


def _is_over(condition: z3.BoolRef, names: set[str]) -> bool:
    """True if the condition has no free constants but these: others are of functions that no clause uses."""
    return all(str(variable) in names for variable in free_variables(condition))


def _at_head(encoded: EncodedImplementation, head: str, state: VariableState) -> Iterator[z3.BoolRef]:
    """The conditions with which the block begins."""
    for command in encoded.flow.blocks[head].commands:
        if not isinstance(command, s.AssertStatement | s.AssumeStatement):
            return
        yield from _condition(encoded, command.condition, state)


def _anywhere(encoded: EncodedImplementation, state: VariableState) -> Iterator[z3.BoolRef]:
    """Conditions that may hold at any loop head."""
    yield from unchanged_globals(state)
    begin = encoded.semantics.declared(VariableState(state.old, state.old, state.locals))
    for required in encoded.implementation.procedure.contract.requires:
        yield from _condition(encoded, required.condition, begin)
    for variable in (*encoded.globals, *encoded.semantics.locals.values()):
        if variable.where is not None:
            yield from _condition(encoded, variable.where, state)


def unchanged_globals(state: VariableState) -> Iterator[z3.BoolRef]:
    """For each global that it has the value that it had when the procedure began."""
    for name, now in state.globals.items():
        yield equality(now, state.old[name])


def stated_elsewhere(encoded: EncodedImplementation, state: VariableState) -> Iterator[z3.BoolRef]:
    """What commands of the body state, each once."""
    stated: dict[s.Expression, None] = {}
    for block in encoded.flow.blocks.values():
        for command in block.commands:
            if isinstance(command, s.AssertStatement | s.AssumeStatement):
                stated[command.condition] = None
            elif isinstance(command, s.AssignmentStatement):
                stated.update(dict.fromkeys(assigned_values(command)))
    found: dict[int, z3.BoolRef] = {}
    for condition in stated:
        found.update((formula.get_id(), formula) for formula in _condition(encoded, condition, state))
    yield from found.values()


def assigned_values(command: s.AssignmentStatement) -> Iterator[s.Expression]:
    """`x == e` for assignments `x := e`, with the present values of globals in e, and with those at the beginning."""
    for target, value in zip(command.targets, command.values, strict=True):
        if not target.selections:
            for term in (value, s.Old(value.origin, value)):
                yield s.Operation(command.origin, s.Operator.EQUAL, (s.Name(target.origin, target.name), term))


def _condition(encoded: EncodedImplementation, condition: s.Expression, state: VariableState) -> Iterator[z3.BoolRef]:
    try:
        yield encoded.semantics.translator(state).condition(condition)
    except (NotModelled, UniverseChanged):
        return
