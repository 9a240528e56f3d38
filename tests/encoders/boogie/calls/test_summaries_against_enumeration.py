"""Calls as summaries: random programs with procedures that call each other, against an enumeration of all states, which
shares only the parser; and against the same programs with inlined bodies."""

import random
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.origin import Origin
from chcverify.horn.system import Application, Clause, HornSystem
from encoders.boogie import syntax as s
from encoders.boogie.boogie_parser import parse
from encoders.boogie.encoded_bodies import EncodedImplementation
from encoders.boogie.execution import executed
from encoders.boogie.implementation_encoder import encode
from encoders.boogie.resolved_declarations import Declarations, Implementation, declarations_of

NAMES = ("a", "b", "c", "old c", "d")
State = tuple[bool, ...]
Begin = tuple[str, bool, bool]
"""A procedure, the global and the argument with which a call begins."""


def expression(choice: random.Random, names: tuple[str, ...], depth: int = 2) -> str:
    if not depth or choice.random() < 0.3:
        return choice.choice([*names, "true", "false"])
    operator = choice.choice(["&&", "||", "==>", "<==>", "!=", "!"])
    first = expression(choice, names, depth - 1)
    return f"!({first})" if operator == "!" else f"(({first}) {operator} ({expression(choice, names, depth - 1)}))"


BODY = ("a", "b", "c", "d", "old(c)")


def statements(choice: random.Random, depth: int, callees: tuple[str, ...]) -> Iterator[str]:
    for _ in range(choice.randint(1, 3)):
        kind = choice.choice(["assign", "havoc", "assume", "assert", "if", "while", "call", "call", "call"])
        if kind in ("if", "while") and not depth:
            kind = "call"
        condition = choice.choice(["*", expression(choice, BODY)])
        inner = " ".join(statements(choice, depth - 1, callees)) if depth else ""
        if kind == "if":
            yield f"if ({condition}) {{ {inner} }}"
        elif kind == "while":
            yield f"while ({condition}) {{ {inner} }}"
        elif kind == "assign":
            yield f"{choice.choice('abc')} := {expression(choice, BODY)};"
        elif kind == "havoc":
            yield f"havoc {choice.choice('abc')};"
        elif kind == "call" and callees:
            yield f"call {choice.choice('abc')} := {choice.choice(callees)}({expression(choice, BODY)});"
        else:
            yield f"{'assume' if kind == 'assume' else 'assert'} {expression(choice, BODY)};"


def program(seed: int, is_recursive: bool) -> str:
    choice = random.Random(seed)
    found = ["var c: bool;"]
    names = ("P", "Q", "R")
    for number, name in enumerate(names):
        callees = names[1:] if is_recursive else names[number + 1 :]
        where = f" where {expression(choice, ('b', 'c', 'd'))}" if choice.random() < 0.3 else ""
        contract = ""
        if choice.random() < 0.5:
            contract += f"{choice.choice(['', 'free '])}requires {expression(choice, ('c', 'd'))};\n"
        if choice.random() < 0.5:
            contract += f"{choice.choice(['', 'free '])}ensures {expression(choice, ('a', 'c', 'd', 'old(c)'))};\n"
        lines = "\n".join(statements(choice, 1, callees))
        found.append(f"procedure {name}(d: bool) returns (a: bool)\nmodifies c;\n{contract}{{\nvar b: bool{where};")
        found.append(f"{lines}\nassert {expression(choice, BODY)};\n}}")
    return "\n".join(found)


class Enumeration:
    """All states that runs of P come to, calls and all; `violated`: the positions of checks that some run fails."""

    def __init__(self, declarations: Declarations) -> None:
        self.bodies = {item.name: item for item in declarations.implementations}
        self.violated: set[tuple[int, int]] = set()
        self.ends: dict[Begin, set[tuple[bool, bool]]] = {}

    def of_root(self) -> None:
        """Finds all violations of runs of P, whose contract is assumed at first."""
        before = -1
        while before != (size := sum(map(len, self.ends.values())) + len(self.ends)):
            before = size
            for c in (False, True):
                for d in (False, True):
                    self.body(self.bodies["P"], c, d, True)
            for name, c, d in list(self.ends):
                self.ends[name, c, d] |= self.body(self.bodies[name], c, d, False)

    def body(self, body: Implementation, c: bool, d: bool, is_root: bool) -> set[tuple[bool, bool]]:
        """The values of the result and the global with which the body ends."""
        (local,) = body.body.variables
        states: set[State] = {(a, b, c, c, d) for a in (False, True) for b in (False, True)}
        if local.where is not None:
            states = {state for state in states if self.value(local.where, state)}
        contract = body.procedure.contract
        if is_root:
            for required in contract.requires:
                states = {state for state in states if self.value(required.condition, state)}
        states = self.run(body.body.statements, states, local)
        for ensured in contract.ensures:
            if not ensured.is_free:
                states = self.check(ensured.origin, ensured.condition, states)
        return {(state[0], state[2]) for state in states}

    def value(self, part: s.Expression, state: State) -> bool:
        if isinstance(part, s.LiteralExpression):
            return part.text == "true"
        if isinstance(part, s.Name):
            return state[NAMES.index(part.name)]
        if isinstance(part, s.Old):
            return state[3]
        assert isinstance(part, s.Operation)
        first, last = self.value(part.operands[0], state), self.value(part.operands[-1], state)
        return {
            s.Operator.NOT: not first,
            s.Operator.AND: first and last,
            s.Operator.OR: first or last,
            s.Operator.IMPLIES: not first or last,
            s.Operator.EQUIVALENT: first == last,
            s.Operator.DIFFERENT: first != last,
        }[part.operator]

    def check(self, origin: Origin, condition: s.Expression, states: set[State]) -> set[State]:
        held = {state for state in states if self.value(condition, state)}
        if held != states:
            self.violated.add((origin.line, origin.column))
        return held

    def run(self, parts: tuple[s.Statement, ...], states: set[State], local: s.DeclaredVariable) -> set[State]:
        for part in parts:
            states = self.step(part, states, local)
        return states

    def step(self, part: s.Statement, states: set[State], local: s.DeclaredVariable) -> set[State]:
        if isinstance(part, s.AssertStatement):
            return self.check(part.origin, part.condition, states)
        if isinstance(part, s.AssumeStatement):
            return {state for state in states if self.value(part.condition, state)}
        if isinstance(part, s.AssignmentStatement):
            target = part.targets[0].name
            return {with_value(state, target, self.value(part.values[0], state)) for state in states}
        if isinstance(part, s.HavocStatement):
            found = {with_value(state, part.names[0], value) for state in states for value in (False, True)}
            where = local.where if part.names[0] == "b" else None
            return found if where is None else {state for state in found if self.value(where, state)}
        if isinstance(part, s.IfStatement):
            return self.run(part.first, self.guarded(part.condition, states, True), local) | self.guarded(
                part.condition, states, False
            )
        if isinstance(part, s.WhileStatement):
            return self.loop(part, states, local)
        assert isinstance(part, s.CallStatement)
        return self.call(part, states)

    def guarded(self, condition: s.Expression | None, states: set[State], wanted: bool) -> set[State]:
        return states if condition is None else {x for x in states if self.value(condition, x) == wanted}

    def loop(self, part: s.WhileStatement, states: set[State], local: s.DeclaredVariable) -> set[State]:
        seen: set[State] = set()
        while new := states - seen:
            seen |= new
            states = self.run(part.body, self.guarded(part.condition, new, True), local)
        return self.guarded(part.condition, seen, False)

    def call(self, part: s.CallStatement, states: set[State]) -> set[State]:
        found: set[State] = set()
        callee = self.bodies[part.procedure]
        for state in states:
            argument = self.value(part.arguments[0], state)
            begun: set[State] = {(False, False, state[2], state[2], argument)}
            for required in callee.procedure.contract.requires:
                if not required.is_free:
                    begun = self.check(part.origin, required.condition, begun)
            if begun:
                ends = self.ends.setdefault((part.procedure, state[2], argument), set())
                found |= {with_value(with_value(state, "c", c), part.results[0], a) for a, c in ends}
        return found


def with_value(state: State, name: str, value: bool) -> State:
    at = NAMES.index(name)
    return (*state[:at], value, *state[at + 1 :])


class DerivedFacts:
    """All facts over Booleans that the clauses of a system derive, each with the step that does."""

    def __init__(self, system: HornSystem) -> None:
        self._system = system
        self._steps: list[Step] = []
        self._known: dict[str, dict[tuple[bool, ...], int]] = {}
        size = -1
        while size != len(self._steps):
            size = len(self._steps)
            for index, clause in enumerate(system.clauses):
                if clause.head is not None:
                    self._derive(index, clause, clause.head)

    def _derive(self, index: int, clause: Clause, head: Application) -> None:
        solver = self._solver(clause)
        old = self._known.setdefault(head.predicate.name, {})
        solver.add([z3.Not(equal(head.arguments, fact)) for fact in old])
        while solver.check() == z3.sat:
            new = values(solver.model(), head.arguments)
            premises = self._premises(clause, solver.model())
            old[new] = len(self._steps)
            self._steps.append(Step(index, tuple(map(z3.BoolVal, new)), premises))
            solver.add(z3.Not(equal(head.arguments, new)))

    def _solver(self, clause: Clause) -> z3.Solver:
        solver = z3.Solver()
        solver.add(clause.constraint)
        for atom in clause.body:
            facts = self._known.get(atom.predicate.name, {})
            solver.add(z3.Or([equal(atom.arguments, fact) for fact in facts] or [False]))
        return solver

    def _premises(self, clause: Clause, model: z3.ModelRef) -> tuple[int, ...]:
        return tuple(self._known[atom.predicate.name][values(model, atom.arguments)] for atom in clause.body)

    def of_query(self, index: int) -> Derivation | None:
        """The derivation that a query ends; None if there is none."""
        clause = self._system.clauses[index]
        solver = self._solver(clause)
        if solver.check() != z3.sat:
            return None
        return needed([*self._steps, Step(index, (), self._premises(clause, solver.model()))])


def equal(terms: tuple[z3.ExprRef, ...], values: tuple[bool, ...]) -> z3.BoolRef:
    return z3.And([term == z3.BoolVal(value) for term, value in zip(terms, values, strict=True)])


def values(model: z3.ModelRef, terms: tuple[z3.ExprRef, ...]) -> tuple[bool, ...]:
    return tuple(z3.is_true(model.eval(term, model_completion=True)) for term in terms)


def needed(steps: list[Step]) -> Derivation:
    """The derivation without the steps that the last one does not need."""
    wanted, waiting = {len(steps) - 1}, [len(steps) - 1]
    while waiting:
        for premise in steps[waiting.pop()].premises:
            if premise not in wanted:
                wanted.add(premise)
                waiting.append(premise)
    order = sorted(wanted)
    place = {old: new for new, old in enumerate(order)}
    return Derivation(
        tuple(Step(steps[i].clause, steps[i].arguments, tuple(place[p] for p in steps[i].premises)) for i in order)
    )


def violated(encoded: EncodedImplementation) -> set[tuple[int, int]]:
    """The positions of the checks whose violation the clauses derive, each confirmed by an execution."""
    found = set()
    facts = DerivedFacts(encoded.system)
    for index in encoded.system.queries:
        check, derivation = encoded.segments[index].check, facts.of_query(index)
        if check is not None and derivation is not None:
            assert executed(encoded, derivation, time.monotonic() + 600)[0] == check
            found.add((check.origin.line, check.origin.column))
    return found


def root_of(text: str, **changes: object) -> tuple[Declarations, EncodedImplementation]:
    declarations = replace(declarations_of(parse(text, "p.bpl")), **changes)  # type: ignore[arg-type]
    (root,) = (item for item in declarations.implementations if item.name == "P")
    return declarations, encode(declarations, root)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("is_recursive", [False, True])
def test_the_clauses_derive_what_some_run_violates(seed: int, is_recursive: bool) -> None:
    text = program(seed, is_recursive)
    declarations, encoded = root_of(text, summaries=True)
    enumeration = Enumeration(declarations)
    enumeration.of_root()
    assert violated(encoded) == enumeration.violated, text


@pytest.mark.parametrize("seed", range(6))
def test_calls_mean_what_inlined_bodies_mean(seed: int) -> None:
    text = program(seed, is_recursive=False)
    inlined = violated(root_of(text, inline_depth=3)[1])
    assert violated(root_of(text, summaries=True)[1]) == inlined, text
