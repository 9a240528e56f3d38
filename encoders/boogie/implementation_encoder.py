"""Clauses of an implementation: one predicate for each loop head, one clause for each way between two of them.

Between loop heads the blocks have no cycle. All paths from one head are one formula: where paths meet, a variable's
value is a choice between those of the paths, by the condition under which each is taken (Barnett and Leino,
"Weakest-precondition of unstructured programs", 2005, for the same idea with assumptions). So a body without loops has
queries alone, which are its verification conditions.

What no command changes, the constants and functions that the body uses, are arguments of every predicate. Axioms
constrain each clause, since what they say holds at any time.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.lazy_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.terms.core.traversal import conjunction, disjunction, free_variables
from encoders.boogie import syntax as s
from encoders.boogie.control_flow import EXIT, Block, BlockGraph, control_flow_of, loop_heads
from encoders.boogie.expressions.interpreted_symbols import InterpretedSymbols, constant_name
from encoders.boogie.expressions.quantified_conditions import assumed, negated
from encoders.boogie.expressions.type_universe import TypeUniverse, translated_with_universe
from encoders.boogie.expressions.typed_expressions import TypedExpressionTranslator
from encoders.boogie.expressions.typed_terms import Typed, merged_by
from encoders.boogie.inlined_calls import with_inlined_calls
from encoders.boogie.open_types import with_open_types
from encoders.boogie.recursive_definitions import RecursiveDefinition
from encoders.boogie.resolved_declarations import Declarations, Implementation, NotModelled, names_in
from encoders.boogie.semantics import CommandSemantics, VariableState, any_value


@dataclass(frozen=True)
class Segment:
    """The part of a body that a clause is about: from its beginning (None) or a loop head, to a loop head or a check.

    check: what a query says is violated; None for other clauses.
    """

    start: str | None
    end: str | None
    check: Check | None
    switches: frozenset[str] = frozenset()
    """Of a query: the constants without which its check claims nothing, `b` of `b ==> c`."""


@dataclass(frozen=True, eq=False)
class EncodedImplementation:
    """The clauses of an implementation, and what they stand for."""

    implementation: Implementation
    flow: BlockGraph
    heads: frozenset[str]
    semantics: CommandSemantics
    system: HornSystem
    segments: Sequence[Segment]
    """One for each clause of the system."""
    symbols: Sequence[tuple[str, z3.ExprRef]]
    """Constants and functions: the first arguments of each predicate."""
    globals: Sequence[s.DeclaredVariable]
    left_out: str
    """An axiom that has no formula, with its position; "" where all have one. Violations may depend on it."""
    axiom_list: Sequence[z3.BoolRef]
    """What constrains each clause, besides what the body does: parts of its constraint."""
    declared_switches: frozenset[str]
    definitions: Sequence[RecursiveDefinition] = ()
    """The functions whose definitions are unfolded in the clauses."""

    @property
    def axioms(self) -> z3.BoolRef:
        """All that constrains each clause."""
        return conjunction(self.axiom_list)

    @property
    def used_switches(self) -> frozenset[str]:
        """The switches of the candidates that the clauses speak of."""
        return self.declared_switches & {name for name, _ in self.symbols}

    @property
    def called(self) -> frozenset[str]:
        """The procedures that are called by their contracts."""
        commands = [command for block in self.flow.blocks.values() for command in block.commands]
        return frozenset(command.procedure for command in commands if isinstance(command, s.CallStatement))

    @property
    def checks(self) -> tuple[Check, ...]:
        """What is checked, in the order of the clauses, each once."""
        return tuple(dict.fromkeys(part.check for part in self.segments if part.check is not None))


@dataclass
class _Path:
    """Effects of commands on symbols, along all paths of a segment to a block."""

    block: str
    """Where the commands stand."""
    condition: z3.BoolRef
    """Under which runs come here."""
    queries: list[tuple[Check, z3.BoolRef, z3.BoolRef]]
    """Conditions of violations."""
    fresh_values: int = 0

    def fresh(self, name: str, sort: z3.SortRef) -> z3.ExprRef:
        self.fresh_values += 1
        return fresh_value(name, self.block, self.fresh_values, sort)

    def assume(self, condition: z3.BoolRef) -> None:
        self.condition = conjunction([self.condition, assumed(condition)])

    def check(self, check: Check, condition: z3.BoolRef, stays: bool = True) -> None:
        self.queries.append((check, conjunction([self.condition, negated(condition)]), condition))
        if stays:
            self.assume(condition)


def fresh_value(name: str, block: str, number: int, sort: z3.SortRef) -> z3.ExprRef:
    """The constant for the value that a variable gets as the number-th choice of a block."""
    value: z3.ExprRef = z3.Const(f"{name}@{block}#{number}", sort)
    return value


def chosen_successor(block: str, number: int) -> z3.BoolRef:
    """The constant that is true where a run goes on to a block's successor with this number."""
    return z3.Bool(f"@{block}->{number}")


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
        implementation = with_inlined_calls(declarations, implementation)
        self._declarations = declarations
        self._switched_on = switched_on
        self._implementation = implementation
        self._flow = control_flow_of(implementation.body)
        self._heads = loop_heads(self._flow)
        self._symbols = InterpretedSymbols(declarations, universe)
        self._semantics = CommandSemantics(declarations, implementation, self._symbols)
        names = _names_of_implementation(declarations, implementation)
        self._globals = [variable for name, variable in declarations.globals.items() if name in names]
        self._left_out = ""
        self._axioms = self._relevant_axioms(names)
        self._found: list[tuple[Segment, VariableState | None, z3.BoolRef, VariableState | None]] = []

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
        self._segment(None)
        for loop in [name for name in self._flow.blocks if name in self._heads]:
            self._segment(loop)
        symbols = tuple((name.partition(" ")[2], term) for name, term in self._symbols.used.items())
        axiom_list = [*self._axioms, *self._symbols.distinct_constants(), *self._switches()]
        axioms = conjunction(axiom_list)
        predicates = {name: self._predicate(name, symbols) for name in self._flow.blocks if name in self._heads}
        if self._symbols.weakened is not None:
            self._left_out = self._left_out or f"the quantifier over types at {self._symbols.weakened}"
        clauses: list[Clause] = []
        segments: list[Segment] = []
        for segment, before, condition, after in self._found:
            body = None if segment.start is None else _application(predicates[segment.start], symbols, before)
            head = None if segment.end is None else _application(predicates[segment.end], symbols, after)
            origin = segment.check.origin if segment.check else self._flow.blocks[segment.end or EXIT].origin
            clauses.append(Clause(head, () if body is None else (body,), conjunction([axioms, condition]), origin))
            segments.append(segment)
        return EncodedImplementation(
            self._implementation,
            self._flow,
            self._heads,
            self._semantics,
            HornSystem.of(clauses, tuple(predicates.values())),
            segments,
            symbols,
            self._globals,
            self._left_out,
            axiom_list,
            frozenset(self._declarations.candidate_switches),
        )

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

    def _predicate(self, head: str, symbols: Sequence[tuple[str, z3.ExprRef]]) -> Predicate:
        named = [*symbols, *state_values(formal_state(self._globals, self._semantics))]
        name = f"{self._implementation.name}:{head}"
        sorts = tuple(term.sort() for _, term in named)
        return Predicate(name, sorts, self._flow.blocks[head].origin, tuple(text for text, _ in named))

    def _segment(self, start: str | None) -> None:
        """Finds the clauses of the segments that begin at the beginning, or at a loop head."""
        first = self._flow.entry if start is None else start
        path = _Path("", z3.BoolVal(True), [])
        formal = formal_state(self._globals, self._semantics)
        begin = formal if start is not None else self._semantics.begin(self._globals, path)
        arriving: dict[str, list[tuple[z3.BoolRef, VariableState]]] = {first: [(path.condition, begin)]}
        before = None if start is None else formal
        for name in _in_order(self._flow, first, self._heads):
            condition, state = merged(arriving.pop(name))
            if name in self._heads and name != start:
                self._found.append((Segment(start, name, None), before, condition, state))
                continue
            self._block(self._flow.blocks[name], condition, state, start, before, arriving)

    def _block(
        self,
        block: Block,
        condition: z3.BoolRef,
        state: VariableState,
        start: str | None,
        before: VariableState | None,
        arriving: dict[str, list[tuple[z3.BoolRef, VariableState]]],
    ) -> None:
        """Runs a block on symbols: queries for its checks, and what arrives at its successors."""
        path = _Path(block.name, condition, [])
        for command in block.commands:
            state = self._semantics.run(command, state, path)
        if block.name == EXIT:
            self._semantics.end(state, path)
        for check, violation, check_condition in path.queries:
            self._found.append(
                (Segment(start, None, check, self._switches_in(check_condition)), before, violation, None)
            )
        is_choice = not block.is_branch and len(block.successors) > 1
        others: list[z3.BoolRef] = []
        for number, name in enumerate(block.successors):
            taken = [path.condition]
            if is_choice:  # the first whose constant is true
                own = chosen_successor(block.name, number)
                last = number == len(block.successors) - 1
                taken += [*others, *([] if last else [own])]
                others.append(z3.Not(own))
            if name == start:  # the segment ends where it began
                self._found.append((Segment(start, name, None), before, conjunction(taken), state))
            else:
                arriving.setdefault(name, []).append((conjunction(taken), state))


def formal_state(globals: Sequence[s.DeclaredVariable], semantics: CommandSemantics) -> VariableState:
    """A state of constants: the values at the head where a segment begins."""

    def formal(prefix: str, variables: Iterable[s.DeclaredVariable]) -> dict[str, Typed]:
        return {v.name: any_value(v, semantics.universe, f"{prefix}{v.name}") for v in variables}

    locals = formal("local ", semantics.locals.values())
    return VariableState(formal("global ", globals), formal("old ", globals), locals)


def _application(
    predicate: Predicate, symbols: Sequence[tuple[str, z3.ExprRef]], state: VariableState | None
) -> Application:
    assert state is not None
    return Application(predicate, tuple(term for _, term in (*symbols, *state_values(state))))


def state_values(state: VariableState) -> Iterator[tuple[str, z3.ExprRef]]:
    """The values of a state in the order of a predicate's arguments, with names for people."""
    for name, value in state.globals.items():
        yield from ((name, term) for term in value.terms)
    for name, value in state.old.items():
        yield from ((f"old({name})", term) for term in value.terms)
    for name, value in state.locals.items():
        yield from ((name, term) for term in value.terms)


def merged(arriving: Sequence[tuple[z3.BoolRef, VariableState]]) -> tuple[z3.BoolRef, VariableState]:
    """The condition and state where paths meet."""
    condition = disjunction([path for path, _ in arriving])

    def values(tables: Sequence[Mapping[str, Typed]]) -> dict[str, Typed]:
        return {
            name: _merged_value([(path, table[name]) for (path, _), table in zip(arriving, tables, strict=True)])
            for name in tables[0]
        }

    states = [state for _, state in arriving]
    return condition, VariableState(
        values([state.globals for state in states]),
        values([state.old for state in states]),
        values([state.locals for state in states]),
    )


def _merged_value(values: Sequence[tuple[z3.BoolRef, Typed]]) -> Typed:
    """The value by the conditions of the paths, of which a run satisfies one."""
    conditions = [condition for condition, _ in values[:-1]]

    def chosen(*terms: z3.ExprRef) -> z3.ExprRef:
        *others, term = terms
        for condition, other in reversed(list(zip(conditions, others, strict=True))):
            if not other.eq(term):
                term = z3.If(condition, other, term)
        return term

    return merged_by(chosen, [value for _, value in values])


def _in_order(flow: BlockGraph, first: str, heads: frozenset[str]) -> Iterator[str]:
    """The blocks that paths from the first reach without going through a loop head, before their successors."""
    order: list[str] = []
    done: set[str] = {first}
    path = [(first, iter(flow.blocks[first].successors))]
    while path:
        name, successors = path[-1]
        following = next(successors, None)
        if following is None:
            order.append(name)
            path.pop()
        elif following not in done:
            done.add(following)
            path.append((following, iter(()) if following in heads else iter(flow.blocks[following].successors)))
    return reversed(order)


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
