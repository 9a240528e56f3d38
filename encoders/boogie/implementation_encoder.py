"""Clauses of an implementation, and of the procedures that it calls as summaries.

What no command changes, the constants and functions that the bodies use, are arguments of every predicate. Axioms
constrain each clause, since what they say holds at any time.
"""

from typing import Any

import z3

from chcverify.horn.origin import Origin
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction, free_variables
from encoders.boogie.body_segments import BodySegments, LocatedAtom, SegmentClause
from encoders.boogie.calls.inlined_calls import with_inlined_calls
from encoders.boogie.calls.summarised_calls import SummarisedCalls
from encoders.boogie.control_flow import loop_heads
from encoders.boogie.encoded_bodies import ENTRY, EncodedBody, EncodedImplementation
from encoders.boogie.expressions.interpreted_symbols import InterpretedSymbols, constant_name
from encoders.boogie.expressions.quantified_conditions import assumed
from encoders.boogie.expressions.type_universe import TypeUniverse, translated_with_universe
from encoders.boogie.expressions.typed_expressions import TypedExpressionTranslator
from encoders.boogie.open_types import with_open_types
from encoders.boogie.resolved_declarations import Declarations, Implementation, NotModelled, names_in
from encoders.boogie.semantics import CommandSemantics


def encode(
    declarations: Declarations, implementation: Implementation, switched_on: frozenset[str] = frozenset()
) -> EncodedImplementation:
    """The clauses of an implementation, where these of the candidates' switches are true and the others false.

    InputError for what is not well typed, NotModelled for what has no clauses.
    """
    opened = with_open_types(implementation)
    for name in opened.types:  # bodies that stand in place of calls may mean the declared type
        if name in declarations.types:
            raise NotModelled(implementation.procedure.origin, f"the type parameter {name}, which hides a type")
    return translated_with_universe(
        TypeUniverse(parameters=tuple(opened.types.values())),
        lambda universe: _ImplementationEncoder(declarations, opened, switched_on, universe).encode(),
    )


def axioms_contradict(declarations: Declarations, limit_s: float) -> bool:
    """True if a solver shows within this time that no values satisfy all axioms, also those that no body uses."""
    return translated_with_universe(TypeUniverse(), lambda universe: _contradict(declarations, limit_s, universe))


def _contradict(declarations: Declarations, limit_s: float, universe: TypeUniverse) -> bool:
    symbols = InterpretedSymbols(declarations, universe)
    symbols.translates_axioms = True
    translator = TypedExpressionTranslator(symbols, {})
    solver = z3.Solver()
    solver.set("timeout", int(1000 * limit_s))
    for axiom in declarations.axioms:
        try:
            solver.add(assumed(translator.condition(axiom.condition)))
        except NotModelled:
            continue  # the others may contradict each other without it
    # all axioms & the constants that are declared unique differ
    solver.add(*symbols.distinct_constants())
    return bool(solver.check() == z3.unsat)


class _ImplementationEncoder:
    """Makes the clauses of one implementation."""

    def __init__(
        self,
        declarations: Declarations,
        implementation: Implementation,
        switched_on: frozenset[str],
        universe: TypeUniverse,
    ) -> None:
        self._declarations = declarations
        self._switched_on = switched_on
        self._symbols = InterpretedSymbols(declarations, universe)
        inlined = [with_inlined_calls(declarations, implementation)]
        calls = SummarisedCalls(declarations)
        flows = [calls.blocks_of(inlined[0])]
        for callee in calls.called(flows):
            inlined.append(with_inlined_calls(declarations, callee))
            flows.append(calls.blocks_of(inlined[-1]))
        parts = [_names_of_implementation(declarations, part) for part in inlined]
        names = frozenset().union(*parts)
        globals = [variable for name, variable in declarations.globals.items() if name in names]
        self._bodies = [
            EncodedBody(
                part,
                flow,
                loop_heads(flow),
                CommandSemantics(declarations, part, self._symbols),
                globals,
                is_called=number > 0,
            )
            for number, (part, flow) in enumerate(zip(inlined, flows, strict=True))
        ]
        self._left_out = ""
        self._axioms = self._relevant_axioms(names)

    def _relevant_axioms(self, names: frozenset[str]) -> list[z3.BoolRef]:
        """The axioms that have no constants and functions, or share some with the body, also through other axioms."""
        remaining = [(axiom, self._interpreted(names_in(axiom.condition))) for axiom in self._declarations.axioms]
        relevant = set(self._interpreted(names))
        found: list[z3.BoolRef] = []
        translator = TypedExpressionTranslator(self._symbols, {})
        self._symbols.translates_axioms = True
        while chosen := [pair for pair in remaining if pair[1] & relevant or not pair[1]]:
            remaining = [pair for pair in remaining if pair not in chosen]
            for axiom, used in chosen:
                relevant |= used
                try:
                    found.append(assumed(translator.condition(axiom.condition)))
                except NotModelled as error:
                    self._left_out = self._left_out or f"the axiom at {axiom.origin}: {error}"
        self._symbols.translates_axioms = False
        return found

    def _interpreted(self, names: frozenset[str]) -> frozenset[str]:
        """The constants and functions among the names, with those in the bodies of the functions."""
        found: set[str] = set()
        known = {**self._declarations.constants, **self._declarations.functions}
        waiting = [name for name in names if name in known]
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found.add(name)
            declared = self._declarations.functions.get(name)
            if declared is not None and declared.body is not None:
                waiting += [other for other in names_in(declared.body) if other in known]
        return frozenset(found)

    def encode(self) -> EncodedImplementation:
        called = {body.implementation.name: body for body in self._bodies if body.is_called}
        found: list[SegmentClause] = []
        for number, body in enumerate(self._bodies):
            found += BodySegments(body, number, called, self._switches_in).clauses()
        symbols = tuple((name.partition(" ")[2], term) for name, term in self._symbols.used.items())
        terms = tuple(term for _, term in symbols)
        axiom_list = [*self._axioms, *self._symbols.distinct_constants(), *self._switches()]
        axioms = conjunction(axiom_list)
        locations = [(body, location) for body in self._bodies for location in body.locations]
        names = [name for name, _ in symbols]
        predicates = {(id(body), location): _predicate(body, location, terms, names) for body, location in locations}
        if self._symbols.weakened is not None:
            self._left_out = self._left_out or f"the quantifier over types at {self._symbols.weakened}"

        def applied(atom: LocatedAtom) -> Application:
            return Application(predicates[id(atom.body), atom.location], (*terms, *atom.arguments))

        clauses: list[Clause] = []
        for part in found:
            head = None if part.head is None else applied(part.head)
            constraint = conjunction([axioms, part.condition])
            clauses.append(Clause(head, tuple(map(applied, part.atoms)), constraint, self._origin(part)))
        return EncodedImplementation(
            self._bodies,
            HornSystem.of(clauses, tuple(predicates.values())),
            locations,
            [part.segment for part in found],
            symbols,
            self._left_out,
            axiom_list,
            frozenset(self._declarations.candidate_switches),
        )

    def _origin(self, part: SegmentClause) -> Origin:
        """The position of a check, or of where a clause leads to."""
        if part.segment.check is not None:
            return part.segment.check.origin
        assert part.head is not None
        return _origin_of(part.head.body, part.head.location)

    def _switches(self) -> list[z3.BoolRef]:
        """The values of the candidates' switches."""
        used: list[tuple[str, Any]] = [
            (name, self._symbols.used[constant_name(name)])
            for name in self._declarations.candidate_switches
            if constant_name(name) in self._symbols.used
        ]
        return [term if name in self._switched_on else z3.Not(term) for name, term in used]

    def _switches_in(self, condition: z3.BoolRef) -> frozenset[str]:
        names = {str(variable) for variable in free_variables(condition)}
        return frozenset(name for name in self._declarations.candidate_switches if constant_name(name) in names)


def _origin_of(body: EncodedBody, location: str) -> Origin:
    return body.implementation.procedure.origin if location == ENTRY else body.flow.blocks[location].origin


def _predicate(body: EncodedBody, location: str, symbols: tuple[z3.ExprRef, ...], names: list[str]) -> Predicate:
    formals = body.formal_values(location)
    sorts = (*(term.sort() for term in symbols), *(term.sort() for _, term in formals))
    prefix = "called " if body.is_called else ""
    name = f"{prefix}{body.implementation.name}:{location}"
    return Predicate(name, sorts, _origin_of(body, location), (*names, *(text for text, _ in formals)))


def _names_of_implementation(declarations: Declarations, implementation: Implementation) -> frozenset[str]:
    """The names of variables, constants and functions that matter for an implementation: those in its text, in its
    contract and in those of the procedures that it calls."""
    found = set(names_in((implementation.body, implementation.procedure.contract, implementation.procedure.signature)))
    found |= set(implementation.procedure.contract.modifies)
    for name in list(found):
        callee = declarations.procedures.get(name)
        if callee is not None:
            found |= names_in((callee.contract, callee.signature)) | set(callee.contract.modifies)
    for name in list(found):
        variable = declarations.globals.get(name)
        if variable is not None and variable.where is not None:
            found |= names_in(variable.where)
    return frozenset(found)
