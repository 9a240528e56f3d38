"""Linear systems without cycles as one formula: each predicate is passed at most once, so one copy of it is enough."""

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.system import Application, HornSystem, Predicate
from chcverify.terms.core.traversal import is_variable, substitute
from solvers.engine import Context


class Acyclic:
    """The formula of an acyclic system: at(P) implies a clause into P; a clause implies its constraint and its source.

    Raises TimeoutError if the context's deadline passes while it is built.
    """

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self.solver = z3.SimpleSolver()
        self.solver.set("random_seed", context.seed)
        self._clauses = [z3.Bool(f"clause {index}") for index in range(len(system.clauses))]
        for predicate in system.predicates:
            edges = [self._clauses[index] for index in system.defining[predicate]]
            self.solver.add(z3.Implies(self._at(predicate), z3.Or(edges)))
        for index in range(len(system.clauses)):
            if context.remaining() <= 0:
                raise TimeoutError
            self._instantiate(index)
        self._violated = z3.Bool("violated")
        self.solver.add(z3.Implies(self._violated, z3.Or([self._clauses[index] for index in system.queries])))

    def violation(self, seconds: float, without: list[int]) -> z3.CheckSatResult:
        """The answer to whether a path without the given clauses violates some query. seconds: time limit."""
        self.solver.set("timeout", max(1, int(1000 * seconds)))
        # at(P) -> OR clauses into P; clause -> constraint & at(source); some query's clause; none of `without`
        return self.solver.check(self._violated, *(z3.Not(self._clauses[index]) for index in without))

    def derivation(self) -> Derivation:
        """The path of the last violation as a derivation."""
        model = self.solver.model()
        index = next(i for i in self.system.queries if z3.is_true(model.eval(self._clauses[i])))
        chain: list[tuple[int, tuple[z3.ExprRef, ...]]] = [(index, ())]
        while self.system.clauses[index].body:
            predicate = self.system.clauses[index].body[0].predicate
            values = tuple(model.eval(v, model_completion=True) for v in self._state(predicate))
            index = next(i for i in self.system.defining[predicate] if z3.is_true(model.eval(self._clauses[i])))
            chain.append((index, values))
        steps = enumerate(reversed(chain))
        return Derivation(tuple(Step(i, values, (n - 1,) if n else ()) for n, (i, values) in steps))

    @staticmethod
    def _at(predicate: Predicate) -> z3.BoolRef:
        return z3.Bool(f"at {predicate.name}")

    @staticmethod
    def _state(predicate: Predicate) -> tuple[z3.ExprRef, ...]:
        return tuple(z3.Const(f"state {predicate.name}.{i}", sort) for i, sort in enumerate(predicate.sorts))

    def _instantiate(self, index: int) -> None:
        clause = self.system.clauses[index]
        states: dict[int, z3.ExprRef] = {}
        equal: list[z3.BoolRef] = [self._at(application.predicate) for application in clause.body]
        for application in clause.applications:
            equal += self._bind(application, states)
        pairs = [
            (v, states.get(v.get_id(), z3.Const(f"{v.decl().name()}@{index}", v.sort()))) for v in clause.variables
        ]
        parts = [substitute(part, pairs) for part in (clause.constraint, *equal)]
        self.solver.add(z3.Implies(self._clauses[index], z3.And(parts)))

    def _bind(self, application: Application, states: dict[int, z3.ExprRef]) -> list[z3.BoolRef]:
        """Renames the application's variables to the state's; arguments that have a name already are equated."""
        equal = []
        for argument, value in zip(application.arguments, self._state(application.predicate), strict=True):
            if is_variable(argument) and argument.get_id() not in states:
                states[argument.get_id()] = value
            else:
                equal.append(argument == value)
        return equal
