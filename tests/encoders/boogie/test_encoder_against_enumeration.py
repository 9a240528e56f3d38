"""The clauses of random programs over Booleans against an enumeration of all states, which shares only the parser."""

import random
from collections.abc import Iterator

import pytest
import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.system import HornSystem
from encoders.boogie import syntax as s
from encoders.boogie.boogie_parser import parse
from encoders.boogie.encoded_bodies import EncodedImplementation
from encoders.boogie.execution import executed
from encoders.boogie.implementation_encoder import encode
from encoders.boogie.resolved_declarations import declarations_of

NAMES = ("a", "b", "c")
State = tuple[bool, ...]


def random_expression(choice: random.Random, depth: int = 2) -> str:
    if not depth or choice.random() < 0.3:
        return choice.choice([*NAMES, "true", "false", "old(c)"])
    operator = choice.choice(["&&", "||", "==>", "<==>", "==", "!=", "!"])
    if operator == "!":
        return f"!({random_expression(choice, depth - 1)})"
    return f"(({random_expression(choice, depth - 1)}) {operator} ({random_expression(choice, depth - 1)}))"


def random_statements(choice: random.Random, depth: int, in_loop: bool = False) -> Iterator[str]:
    for _ in range(choice.randint(1, 4)):
        kind = choice.choice(["assign", "assign", "havoc", "assume", "assert", "if", "while", "break"])
        if kind in ("if", "while") and not depth:
            kind = "assign"
        condition = choice.choice(["*", random_expression(choice)])
        if kind == "assign":
            left, right = choice.sample(NAMES, 2)
            yield f"{left}, {right} := {random_expression(choice)}, {random_expression(choice)};"
        elif kind == "if":
            yield f"if ({condition}) {{ {' '.join(random_statements(choice, depth - 1, in_loop))} }}"
            if choice.random() < 0.5:
                yield f"else {{ {' '.join(random_statements(choice, depth - 1, in_loop))} }}"
        elif kind == "while":
            invariant = f"invariant {random_expression(choice)};" if choice.random() < 0.3 else ""
            yield f"while ({condition}) {invariant} {{ {' '.join(random_statements(choice, depth - 1, True))} }}"
        elif kind == "break" and in_loop:
            yield f"if ({condition}) {{ break; }}"
        elif kind == "havoc":
            yield f"havoc {choice.choice(NAMES)};"
        elif kind in ("assume", "assert"):
            yield f"{kind} {random_expression(choice)};"


def random_program(seed: int) -> str:
    choice = random.Random(seed)
    lines = "\n".join(random_statements(choice, 2))
    return f"var c: bool;\nprocedure P(d: bool)\nmodifies c;\n{{\nvar a, b: bool;\n{lines}\nassert a ==> b || !c;\n}}\n"


class Enumeration:
    """All states that runs come to; `violated`: the positions of checks that some run fails."""

    def __init__(self) -> None:
        self.violated: set[tuple[int, int]] = set()

    def value(self, expression: s.Expression, state: State) -> bool:
        if isinstance(expression, s.LiteralExpression):
            return expression.text == "true"
        if isinstance(expression, s.Name):
            return state[NAMES.index(expression.name)]
        if isinstance(expression, s.Old):
            assert isinstance(expression.body, s.Name)
            return state[3]
        assert isinstance(expression, s.Operation)
        values = [self.value(operand, state) for operand in expression.operands]
        first, last = values[0], values[-1]
        return {
            s.Operator.NOT: not first,
            s.Operator.AND: first and last,
            s.Operator.OR: first or last,
            s.Operator.IMPLIES: not first or last,
            s.Operator.EQUIVALENT: first == last,
            s.Operator.EQUAL: first == last,
            s.Operator.DIFFERENT: first != last,
        }[expression.operator]

    def check(self, origin: s.Origin, condition: s.Expression, states: set[State]) -> set[State]:
        held = {state for state in states if self.value(condition, state)}
        if held != states:
            self.violated.add((origin.line, origin.column))
        return held

    def run(self, statements: tuple[s.Statement, ...], states: set[State]) -> tuple[set[State], set[State]]:
        """The states behind the statements, and those in which a `break` leaves the loop around them."""
        broken: set[State] = set()
        for statement in statements:
            states, out = self.step(statement, states)
            broken |= out
        return states, broken

    def step(self, statement: s.Statement, states: set[State]) -> tuple[set[State], set[State]]:
        if isinstance(statement, s.AssertStatement):
            return self.check(statement.origin, statement.condition, states), set()
        if isinstance(statement, s.AssumeStatement):
            return {state for state in states if self.value(statement.condition, state)}, set()
        if isinstance(statement, s.HavocStatement):
            at = NAMES.index(statement.names[0])
            return {(*state[:at], value, *state[at + 1 :]) for state in states for value in (False, True)}, set()
        if isinstance(statement, s.BreakStatement):
            return set(), states
        if isinstance(statement, s.AssignmentStatement):
            return {self.assigned(statement, state) for state in states}, set()
        if isinstance(statement, s.IfStatement):
            first, broken = self.run(statement.first, self.guarded(statement.condition, states, True))
            second, others = self.run(statement.second, self.guarded(statement.condition, states, False))
            return first | second, broken | others
        assert isinstance(statement, s.WhileStatement)
        return self.loop(statement, states), set()

    def guarded(self, condition: s.Expression | None, states: set[State], wanted: bool) -> set[State]:
        return states if condition is None else {x for x in states if self.value(condition, x) == wanted}

    def assigned(self, statement: s.AssignmentStatement, state: State) -> State:
        values = dict(zip(NAMES, state[:3], strict=True))
        new = [self.value(value, state) for value in statement.values]
        values |= {target.name: value for target, value in zip(statement.targets, new, strict=True)}
        return (*(values[name] for name in NAMES), state[3])

    def loop(self, statement: s.WhileStatement, states: set[State]) -> set[State]:
        seen: set[State] = set()
        after: set[State] = set()
        while states - seen:
            new = states - seen
            seen |= new
            for invariant in statement.invariants:
                new = self.check(invariant.origin, invariant.condition, new)
            after |= self.guarded(statement.condition, new, False)
            states, broken = self.run(statement.body, self.guarded(statement.condition, new, True))
            after |= broken
        return after


def derived(system: HornSystem) -> Derivation | None:
    """A derivation of false of a linear system over Booleans, by a search through all facts; None if there is none."""
    steps: list[Step] = []
    known: dict[tuple[str, tuple[bool, ...]], int] = {}
    changed = True
    while changed:
        changed = False
        for index, clause in enumerate(system.clauses):
            sources = list(known.items()) if clause.body else [(None, -1)]
            for fact, number in sources:
                if fact is not None and fact[0] != clause.body[0].predicate.name:
                    continue
                solver = z3.Solver()
                solver.add(clause.constraint)
                if fact is not None:
                    solver.add([t == z3.BoolVal(v) for t, v in zip(clause.body[0].arguments, fact[1], strict=True)])
                while solver.check() == z3.sat:
                    premises = () if fact is None else (number,)
                    if clause.head is None:
                        return Derivation((*steps, Step(index, (), premises)))
                    values = [solver.model().eval(t, model_completion=True) for t in clause.head.arguments]
                    solver.add(z3.Or([t != v for t, v in zip(clause.head.arguments, values, strict=True)] or [False]))
                    key = (clause.head.predicate.name, tuple(map(z3.is_true, values)))
                    if key not in known:
                        known[key] = len(steps)
                        steps.append(Step(index, tuple(values), premises))
                        changed = True
    return None


def violated(encoded: EncodedImplementation) -> set[tuple[int, int]]:
    """The positions of the checks whose violation the clauses derive, each confirmed by an execution."""
    found = set()
    for check in encoded.checks:
        kept = [i for i, part in enumerate(encoded.segments) if part.check in (None, check)]
        derivation = derived(HornSystem(encoded.system.predicates, tuple(encoded.system.clauses[i] for i in kept)))
        if derivation is None:
            continue
        steps = [Step(kept[step.clause], step.arguments, step.premises) for step in derivation.ground_steps]
        used = reachable_steps(steps)
        assert executed(encoded, Derivation(used), float("inf"))[0] == check
        found.add((check.origin.line, check.origin.column))
    return found


def reachable_steps(steps: list[Step]) -> tuple[Step, ...]:
    """The steps on the way to the last one."""
    way = [len(steps) - 1]
    while steps[way[-1]].premises:
        way.append(steps[way[-1]].premises[0])
    way.reverse()
    return tuple(
        Step(steps[index].clause, steps[index].arguments, (number - 1,) if number else ())
        for number, index in enumerate(way)
    )


@pytest.mark.parametrize("seed", range(40))
def test_the_clauses_derive_what_some_run_violates(seed: int) -> None:
    text = random_program(seed)
    declarations = declarations_of(parse(text, "p.bpl"))
    (implementation,) = declarations.implementations
    enumeration = Enumeration()
    everything = {(a, b, c, c) for a in (False, True) for b in (False, True) for c in (False, True)}
    enumeration.run(implementation.body.statements, everything)
    assert violated(encode(declarations, implementation)) == enumeration.violated, text
