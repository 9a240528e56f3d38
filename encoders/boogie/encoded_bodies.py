"""Bodies of procedures and their clauses: what predicates and clauses stand for.

A body has a predicate for each location where clauses meet: a loop head, and the location behind a call whose procedure
is a summary. Such a procedure has two more: `ENTRY` over what a call begins with (globals and arguments), and `EXIT`,
its summary, which relates that to what the call ends with (globals that may be modified, and results).
"""

from collections.abc import Iterable, Iterator, Sequence

import z3

from chcverify.horn.system import HornSystem
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.terms.core.traversal import conjunction
from encoders.boogie import syntax as s
from encoders.boogie.control_flow import EXIT, BlockGraph
from encoders.boogie.definitions.terminating_functions import TerminatingFunction
from encoders.boogie.expressions.typed_terms import Typed
from encoders.boogie.resolved_declarations import Implementation
from encoders.boogie.semantics import CommandSemantics, VariableState, any_value

ENTRY = "call"
"""The location where a body begins that is called. No label of a program is a keyword."""


@dataclass(frozen=True)
class Segment:
    """The part of a body that a clause is about: from where it begins to another location, or to a check."""

    start: str | None
    """A block with a predicate, `ENTRY`, or None for the beginning with any values."""
    end: str | None
    """A block with a predicate, `EXIT`, or, into a called body, `ENTRY`; None where a check is violated."""
    check: Check | None
    """What a query says is violated; None for other clauses."""
    switches: frozenset[str] = frozenset()
    """Of a query: the constants without which its check claims nothing, `b` of `b ==> c`."""
    body: int = 0
    """Its number among the bodies."""
    calling: str | None = None
    """The block with the call into which, or over which, the clause leads; None for other clauses."""


@dataclass(frozen=True, eq=False)
class EncodedBody:
    """A body of a procedure as blocks."""

    implementation: Implementation
    flow: BlockGraph
    heads: frozenset[str]
    """The loop heads."""
    semantics: CommandSemantics
    globals: Sequence[s.DeclaredVariable]
    """The global variables that the clauses speak of, of all bodies together."""
    is_called: bool = False
    """Does it begin with what a call gives it?"""

    @property
    def locations(self) -> tuple[str, ...]:
        """The locations that have a predicate, in the order of the blocks."""
        behind = {block.successors[0] for block in self.flow.blocks.values() if block.call is not None}
        blocks = tuple(name for name in self.flow.blocks if name in self.heads or name in behind)
        return (ENTRY, *blocks, EXIT) if self.is_called else blocks

    def formal_values(self, location: str) -> tuple[tuple[str, z3.ExprRef], ...]:
        """Constants, with names for people, for the arguments behind the symbols of the predicate of a location."""
        state = self.formal_state(location)
        if location == ENTRY:
            return self.entry_values(self.semantics.declared(state))
        return self.exit_values(state) if location == EXIT else tuple(state_values(state))

    def formal_state(self, location: str = "") -> VariableState:
        """A state of constants for a location; at `ENTRY` and `EXIT`, what does not change is the same in old."""
        state = formal_state(self.globals, self.semantics)
        if location == ENTRY:
            return VariableState(state.globals, state.globals, state.locals)
        if location == EXIT:
            modified = self.implementation.procedure.contract.modifies
            now = {name: state.globals[name] if name in modified else value for name, value in state.old.items()}
            return VariableState(now, state.old, state.locals)
        return state

    def entry_values(self, begun: VariableState) -> tuple[tuple[str, z3.ExprRef], ...]:
        """What a call begins with, from the state in which it does, under the names of the declaration."""
        parameters = self.implementation.procedure.signature.parameters
        values = [*begun.globals.items(), *((v.name, begun.locals[v.name]) for v in parameters)]
        return tuple((name, term) for name, value in values for term in value.terms)

    def exit_values(self, state: VariableState) -> tuple[tuple[str, z3.ExprRef], ...]:
        """What a call begins and ends with, from the state in which the body ends."""
        return self.summary_values(self.semantics.declared(state))

    def summary_values(self, declared: VariableState) -> tuple[tuple[str, z3.ExprRef], ...]:
        """As `exit_values`, from a state under the names of the declaration."""
        begun = VariableState(declared.old, declared.old, declared.locals)
        named = [(f"old({name})", term) for name, term in self.entry_values(begun)]
        signature, contract = self.implementation.procedure.signature, self.implementation.procedure.contract
        ended = [
            (name, declared.globals[name]) for name in dict.fromkeys(contract.modifies) if name in declared.globals
        ]
        ended += [(v.name, declared.locals[v.name]) for v in signature.results]
        return (*named, *((name, term) for name, value in ended for term in value.terms))


@dataclass(frozen=True, eq=False)
class EncodedImplementation:
    """The clauses of an implementation, with those of the procedures that it calls as summaries."""

    bodies: Sequence[EncodedBody]
    """The first is that of the implementation."""
    system: HornSystem
    locations: Sequence[tuple[EncodedBody, str]]
    """One for each predicate of the system."""
    segments: Sequence[Segment]
    """One for each clause of the system."""
    symbols: Sequence[tuple[str, z3.ExprRef]]
    """Constants and functions: the first arguments of each predicate."""
    left_out: str
    """An axiom that has no formula, with its position; "" where all have one. Violations may depend on it."""
    axiom_list: Sequence[z3.BoolRef]
    """What constrains each clause, besides what the body does: parts of its constraint."""
    declared_switches: frozenset[str]
    definitions: Sequence[TerminatingFunction] = ()
    """The functions whose definitions are unfolded in the clauses."""

    @property
    def root(self) -> EncodedBody:
        """The body of the implementation."""
        return self.bodies[0]

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
        commands = [
            command for body in self.bodies for block in body.flow.blocks.values() for command in block.commands
        ]
        return frozenset(command.procedure for command in commands if isinstance(command, s.CallStatement))

    @property
    def checks(self) -> tuple[Check, ...]:
        """What is checked, in the order of the clauses, each once."""
        return tuple(dict.fromkeys(part.check for part in self.segments if part.check is not None))

    def body_of(self, procedure: str) -> EncodedBody:
        """The body of a procedure that is called as a summary."""
        return next(body for body in self.bodies if body.is_called and body.implementation.name == procedure)


def fresh_value(name: str, block: str, number: int, sort: z3.SortRef) -> z3.ExprRef:
    """The constant for the value that a variable gets as the number-th choice of a block."""
    value: z3.ExprRef = z3.Const(f"{name}@{block}#{number}", sort)
    return value


def chosen_successor(block: str, number: int) -> z3.BoolRef:
    """The constant that is true where a run goes on to a block's successor with this number."""
    return z3.Bool(f"@{block}->{number}")


def formal_state(globals: Sequence[s.DeclaredVariable], semantics: CommandSemantics) -> VariableState:
    """A state of constants: the values at the head where a segment begins."""

    def formal(prefix: str, variables: Iterable[s.DeclaredVariable]) -> dict[str, Typed]:
        return {v.name: any_value(v, semantics.universe, f"{prefix}{v.name}") for v in variables}

    locals = formal("local ", semantics.locals.values())
    return VariableState(formal("global ", globals), formal("old ", globals), locals)


def state_values(state: VariableState) -> Iterator[tuple[str, z3.ExprRef]]:
    """The values of a state in the order of a predicate's arguments, with names for people."""
    for name, value in state.globals.items():
        yield from ((name, term) for term in value.terms)
    for name, value in state.old.items():
        yield from ((f"old({name})", term) for term in value.terms)
    for name, value in state.locals.items():
        yield from ((name, term) for term in value.terms)
