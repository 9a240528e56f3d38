"""Candidates for what procedures ensure, in Boogie's syntax: nothing of it is proved yet.

They are what the body states somewhere (assertions, conditions, assigned values) and that a global is unchanged, as far
as a caller can say it; what is stated only on a branch is also tried under the branch's condition.
"""

from collections.abc import Iterator

import z3

from chcverify.effort import MAX_COMPARED
from chcverify.terms.arithmetic.balanced_comparisons import with_balanced_comparisons
from chcverify.terms.core.traversal import free_variables
from encoders.boogie import syntax as s
from encoders.boogie.encoded_bodies import EncodedBody, EncodedImplementation
from encoders.boogie.expressions.type_universe import UniverseChanged
from encoders.boogie.printing import PrintedName, printed_condition, variable_names
from encoders.boogie.resolved_declarations import NotModelled
from encoders.boogie.stated_invariants import assigned_values, stated_elsewhere, unchanged_globals


def ensured_candidates(encoded: EncodedImplementation) -> tuple[str, ...]:
    """The candidates for the procedure of a body, each once, without those that its contract has."""
    body = encoded.root
    state = body.formal_state()
    procedure = body.implementation.procedure
    names = _names_for_callers(encoded)
    changed = {
        str(term) for name in procedure.contract.modifies if name in state.globals for term in state.globals[name].terms
    }
    own = {declared: state.locals[own] for declared, own in body.implementation.renaming.items()}
    changed |= {str(term) for result in procedure.signature.results for term in own[result.name].terms}
    known = {"true"}
    translator = body.semantics.translator(body.semantics.declared(state))
    for ensured in procedure.contract.ensures:
        known.add(printed_condition(translator.condition(ensured.condition), names) or "true")
    found: dict[str, str] = {}
    for condition in (*unchanged_globals(state), *stated_elsewhere(body, state), *_on_branches(body)):
        text = printed_condition(with_balanced_comparisons(condition), names)
        if text is None or text in known or not {str(term) for term in free_variables(condition)} & changed:
            continue
        found.setdefault(str(z3.simplify(condition)), text)
    return tuple(dict.fromkeys(found.values()))[:MAX_COMPARED]


def _names_for_callers(encoded: EncodedImplementation) -> dict[str, PrintedName]:
    """What a contract can speak of: parameters and results as they are declared, globals, constants, functions."""
    declared = {own: name for name, own in encoded.root.implementation.renaming.items()}
    names = {}
    for term, name in variable_names(encoded).items():
        if name.variable is None:
            names[term] = name
        elif name.variable in declared:
            names[term] = PrintedName(declared[name.variable], name.type)
    return names


def _on_branches(body: EncodedBody) -> Iterator[z3.BoolRef]:
    """For the assignments of each block that begins with a condition: that they hold if it did at the beginning."""
    state = body.formal_state()
    translator = body.semantics.translator(state)
    for block in body.flow.blocks.values():
        if not block.commands or not isinstance(block.commands[0], s.AssumeStatement):
            continue
        try:
            begin = block.commands[0].condition
            condition = translator.condition(s.Old(begin.origin, begin))
            for command in block.commands:
                if isinstance(command, s.AssignmentStatement):
                    for value in assigned_values(command):
                        yield z3.Implies(condition, translator.condition(value))
        except (NotModelled, UniverseChanged):
            continue
