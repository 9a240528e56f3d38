"""What a certificate claims, as formulas that solvers must refute one by one.

Whatever needs no solver is decided here and raises Refused. The formulas are not simplified: every solver gets them as
the clauses and the certificate say them.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import z3

from chcverify.certificate.derivation import Cycle, Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.smtlib import is_closed
from chcverify.terms.values import CONSTRUCTORS, NUMERALS
from chcverify.terms.walk import conjunction, is_variable

_VALUE_KINDS = NUMERALS | CONSTRUCTORS | {z3.Z3_OP_UMINUS, z3.Z3_OP_DIV}
_LEAVES = NUMERALS - {z3.Z3_OP_AGNUM}


class Refused(Exception):
    """The certificate is rejected before any solver is asked; the message says why."""


@dataclass(frozen=True, eq=False)
class Obligation:
    """assumption => goal must be valid, i.e. assumption & ~goal unsatisfiable. `build` gives (assumption, goal).

    Built on demand: all instances of a large model at once would fill the memory. ground: no variables are left.
    variables: the free ones of both, unless ground.
    """

    name: str
    build: Callable[[], tuple[z3.BoolRef, z3.BoolRef]]
    ground: bool = False
    variables: tuple[z3.ExprRef, ...] = field(default=())

    def negated(self) -> z3.BoolRef:
        """assumption & ~goal."""
        assumption, goal = self.build()
        return z3.And(assumption, z3.Not(goal))


def describe(index: int, clause: Clause) -> str:
    """The clause as messages name it."""
    notes = [text for text in (clause.name, str(clause.origin) if clause.origin else "") if text]
    return f"clause {index}" + (f" ({', '.join(notes)})" if notes else "")


# Models ---------------------------------------------------------------------------------------------------------------


def model_obligations(system: HornSystem, model: Model) -> list[Obligation]:
    """One obligation per clause: body & constraint => head, under the model. Refused for a model that is none."""
    for predicate in system.predicates:
        formula = model.interpretations.get(predicate)
        if formula is None:
            raise Refused(f"the model does not define {predicate.name}")
        if not z3.is_bool(formula):
            raise Refused(f"the model of {predicate.name} is no formula")
        closed = z3.ForAll(list(predicate.formals), formula) if predicate.formals else formula
        if not is_closed(closed):
            raise Refused(f"the model of {predicate.name} speaks of more than the arguments of {predicate.name}")
    return [
        Obligation(describe(index, clause), _instance(model, clause), variables=clause.variables)
        for index, clause in enumerate(system.clauses)
    ]


def _instance(model: Model, clause: Clause) -> Callable[[], tuple[z3.BoolRef, z3.BoolRef]]:
    def build() -> tuple[z3.BoolRef, z3.BoolRef]:
        body = [model.instantiate(application) for application in clause.body]
        head = z3.BoolVal(False) if clause.head is None else model.instantiate(clause.head)
        return conjunction([clause.constraint, *body]), head

    return build


# Derivations ----------------------------------------------------------------------------------------------------------


def derivation_obligations(system: HornSystem, derivation: Derivation, deadline: float) -> list[Obligation]:
    """One ground obligation per step: the instance of its clause's constraint is true.

    The values of variables that the step's facts do not determine are guessed by a solver. That it is a guess does no
    harm: the obligation is about the instance with those values, and must hold however division by zero and the like
    are interpreted. Refused for a derivation that is none, or if no values are found by the deadline.
    """
    check_structure(system, derivation)
    obligations = []
    instances: dict[int, _Instances] = {}
    for number, step in enumerate(derivation.ground_steps):
        clause = system.clauses[step.clause]
        if step.clause not in instances:
            instances[step.clause] = _Instances(clause)
        values = [value for premise in step.premises for value in derivation.ground_steps[premise].arguments]
        values.extend(step.arguments)
        name = f"step {number} by {describe(step.clause, clause)}"
        if time.monotonic() > deadline:
            raise Refused(f"{name}: out of time")
        try:
            instance = instances[step.clause].at(values, deadline)
        except Refused as reason:
            raise Refused(f"{name}: {reason}") from None
        obligations.append(Obligation(name, partial(_claim, instance), ground=True))
    return obligations


def _claim(instance: z3.BoolRef) -> tuple[z3.BoolRef, z3.BoolRef]:
    return z3.BoolVal(True), instance


def check_structure(system: HornSystem, derivation: Derivation) -> None:
    """Clauses, premises and arguments fit, premises come first, and the last step and no other is a query's."""
    if any(isinstance(step, Cycle) for step in derivation.steps):
        raise Refused("cycles are not checked yet")
    if not derivation.ground_steps:
        raise Refused("the derivation has no steps")
    values: dict[int, z3.ExprRef] = {}
    last = len(derivation.ground_steps) - 1
    for number, step in enumerate(derivation.ground_steps):
        if not 0 <= step.clause < len(system.clauses):
            raise Refused(f"step {number}: there is no clause {step.clause}")
        clause = system.clauses[step.clause]
        where = f"step {number} by {describe(step.clause, clause)}"
        if clause.is_query != (number == last):
            raise Refused(f"{where}: " + ("only the last step may use a query" if clause.is_query else "no query"))
        if len(step.premises) != len(clause.body):
            raise Refused(f"{where}: {len(clause.body)} premises expected, not {len(step.premises)}")
        for premise, application in zip(step.premises, clause.body, strict=True):
            if not 0 <= premise < number:
                raise Refused(f"{where}: premise {premise} does not come before it")
            derived = system.clauses[derivation.ground_steps[premise].clause].head
            if derived is None or derived.predicate != application.predicate:
                raise Refused(f"{where}: premise {premise} does not derive {application.predicate.name}")
        sorts = () if clause.head is None else clause.head.predicate.sorts
        if len(step.arguments) != len(sorts):
            raise Refused(f"{where}: {len(sorts)} arguments expected, not {len(step.arguments)}")
        for sort, argument in zip(sorts, step.arguments, strict=True):
            if argument.sort() != sort:
                raise Refused(f"{where}: argument {argument} is of sort {argument.sort()}, not {sort}")
            if not _is_value(argument, values):
                raise Refused(f"{where}: argument {argument} is no value")


def _is_value(term: z3.ExprRef, known: dict[int, z3.ExprRef]) -> bool:
    """Is the term built from numerals, constructors and array stores alone? known: terms that are (kept alive)."""
    stack = [term]
    while stack:
        part = stack.pop()
        key = part.get_id()
        if key in known:
            continue
        kind = part.decl().kind() if z3.is_app(part) else None
        if kind not in _VALUE_KINDS:
            return False
        children = part.children() if kind not in _LEAVES else []
        if kind == z3.Z3_OP_DIV and not all(map(z3.is_rational_value, children)):
            return False
        known[key] = part
        stack.extend(children)
    return True


class _Instances:
    """The ground instances of one clause.

    Each argument of the clause's atoms, body first, gets a value: where it is a variable not met before, the value
    replaces the variable; otherwise an equation says that they are equal. What variables are left is up to a solver.
    """

    def __init__(self, clause: Clause) -> None:
        arguments = [argument for application in clause.applications for argument in application.arguments]
        self._bound: list[tuple[int, z3.ExprRef]] = []
        self._equated: list[tuple[int, z3.ExprRef]] = []
        known: set[int] = set()
        for position, argument in enumerate(arguments):
            if is_variable(argument) and argument.get_id() not in known:
                known.add(argument.get_id())
                self._bound.append((position, argument))
            else:
                self._equated.append((position, argument))
        self._constraint = clause.constraint
        self._locals = [variable for variable in clause.variables if variable.get_id() not in known]

    def at(self, values: Sequence[z3.ExprRef], deadline: float) -> z3.BoolRef:
        """The constraint with the values for the arguments; Refused if no values for the other variables are found."""
        formula = self._constraint
        if self._equated:
            formula = conjunction([formula, *(argument == values[position] for position, argument in self._equated)])
        pairs = [(argument, values[position]) for position, argument in self._bound]
        instance = z3.substitute(formula, pairs) if pairs else formula
        if not self._locals:
            return instance
        model = _witness(instance, deadline)
        chosen = [(variable, model.eval(variable, model_completion=True)) for variable in self._locals]
        return z3.substitute(instance, chosen)


def _witness(formula: z3.BoolRef, deadline: float) -> z3.ModelRef:
    """A model of the formula. Refused if a solver finds none in time."""
    solver = z3.SimpleSolver()
    solver.set("timeout", max(1, int((deadline - time.monotonic()) * 1000)))
    solver.add(formula)
    # exists variables. formula
    answer = solver.check()
    if answer == z3.unsat:
        raise Refused("its constraint does not hold")
    if answer != z3.sat:
        raise Refused(f"undecided ({solver.reason_unknown()})")
    return solver.model()
