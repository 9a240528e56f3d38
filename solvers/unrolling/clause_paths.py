"""The unroller of linear systems: paths over the clause graph, one solver, the location of each step explicit.

Depth d holds, for each predicate P that some path of d clauses can reach, the literal at(P, d) and one variable per
argument. at(P, d) is justified backwards: it implies one of the edges into it, an edge implies its clause's constraint
and the literal of its source. So asserting one literal asks for one path; formula size is linear in the depth.
"""

from collections.abc import Iterable

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import substitute
from solvers.unrolling.clause_instances import ClauseInstances


@dataclass(frozen=True, eq=False)
class PathStep:
    """One use of a clause at some depth; its literal implies the constraint and the source's literal."""

    clause: int
    literal: z3.BoolRef


class Paths:
    """The paths of a linear system, one depth after the other.

    start_anywhere: depth 0 is any state of any predicate; otherwise the heads of facts.
    """

    def __init__(self, system: HornSystem, *, start_anywhere: bool, name: str, seed: int = 0) -> None:
        self.system = system
        self.solver = z3.SimpleSolver()
        self.solver.set("random_seed", seed)
        self.depth = 0
        self._name = name
        self._instances = ClauseInstances(system)
        self._at: dict[tuple[Predicate, int], z3.BoolRef] = {}
        self._states: dict[tuple[Predicate, int], tuple[z3.ExprRef, ...]] = {}
        self._edges: dict[tuple[Predicate, int], list[PathStep]] = {}
        self._queries: dict[int, list[PathStep]] = {}
        self._constraints: dict[int, z3.BoolRef] = {}  # of each edge's literal, instantiated
        self._invariants: list[tuple[Predicate, z3.BoolRef]] = []
        if start_anywhere:
            for predicate in system.predicates:
                self._open(predicate, 0)
        else:
            self._connect(index for index, clause in enumerate(system.clauses) if clause.is_fact)
        self._close()

    def extend(self) -> None:
        """Adds the states that one more clause reaches."""
        self.depth += 1
        sources = self.predicates(self.depth - 1)
        self._connect(index for predicate in sources for index in self.system.using[predicate])
        self._close()

    def predicates(self, depth: int) -> list[Predicate]:
        """The predicates that some path reaches at the depth."""
        return [predicate for predicate in self.system.predicates if (predicate, depth) in self._at]

    def at(self, predicate: Predicate, depth: int) -> z3.BoolRef:
        """The literal for: the path is at `predicate` after `depth` clauses."""
        return self._at[predicate, depth]

    def state(self, predicate: Predicate, depth: int) -> tuple[z3.ExprRef, ...]:
        """The variables of the predicate's arguments at the depth."""
        return self._states[predicate, depth]

    def assert_alive(self) -> None:
        """Restricts all later queries to paths of the full depth."""
        self.solver.add(z3.Or([self.at(p, self.depth) for p in self.predicates(self.depth)]))

    def violated(self, depth: int) -> z3.BoolRef:
        """A literal that implies that some query is violated at `depth`."""
        literal = z3.Bool(f"{self._name}.violated@{depth}")
        self.solver.add(z3.Implies(literal, z3.Or([query.literal for query in self.queries(depth)])))
        return literal

    def check(self, seconds: float, *literals: z3.BoolRef) -> z3.CheckSatResult:
        """The answer to whether there is a path on which all the literals hold; unknown after so many seconds."""
        self.solver.set("timeout", max(1, int(1000 * seconds)))
        return self.solver.check(*literals)

    def queries(self, depth: int) -> list[PathStep]:
        """The queries that can be violated at `depth`."""
        return self._queries.get(depth, [])

    def assert_at(self, predicate: Predicate, depth: int, formula: z3.BoolRef) -> None:
        """Adds at(predicate, depth) -> formula, which is over the predicate's formals."""
        instance = substitute(formula, zip(predicate.formals, self.state(predicate, depth), strict=True))
        self.solver.add(z3.Implies(self.at(predicate, depth), instance))

    def add_invariant(self, predicate: Predicate, formula: z3.BoolRef) -> None:
        """Assumes the formula, over the predicate's formals, in every state at all depths."""
        self._invariants.append((predicate, formula))
        for depth in range(self.depth + 1):
            if (predicate, depth) in self._at:
                self.assert_at(predicate, depth, formula)

    def _connect(self, indices: Iterable[int]) -> None:
        for index in indices:
            clause = self.system.clauses[index]
            literal = z3.Bool(f"{self._name}.edge{index}@{self.depth}")
            edge = PathStep(index, literal)
            # A fact that is a query has no state: it belongs to depth 0. Other queries look at their own depth below.
            if clause.head is None:
                if clause.is_fact:
                    self._add_query(edge, 0)
                continue
            self._open(clause.head.predicate, self.depth)
            self._edges.setdefault((clause.head.predicate, self.depth), []).append(edge)
            self._instantiate(edge, self.depth - 1, self.depth)

    def _open(self, predicate: Predicate, depth: int) -> None:
        key = (predicate, depth)
        if key in self._at:
            return
        name = f"{self._name}.{predicate.name}@{depth}"
        self._at[key] = z3.Bool(name)
        self._states[key] = tuple(z3.Const(f"{name}.{i}", sort) for i, sort in enumerate(predicate.sorts))

    def _close(self) -> None:
        """Completes the deepest states once all edges into them exist: justifications, invariants and queries."""
        for predicate in self.predicates(self.depth):
            edges = self._edges.get((predicate, self.depth))
            if edges is not None:
                self.solver.add(z3.Implies(self.at(predicate, self.depth), z3.Or([edge.literal for edge in edges])))
            for owner, formula in self._invariants:
                if owner == predicate:
                    self.assert_at(predicate, self.depth, formula)
            for index in self.system.using[predicate]:
                if self.system.clauses[index].is_query:
                    self._add_query(PathStep(index, z3.Bool(f"{self._name}.query{index}@{self.depth}")), self.depth)

    def _add_query(self, edge: PathStep, depth: int) -> None:
        self._queries.setdefault(depth, []).append(edge)
        self._instantiate(edge, depth, depth)

    def _instantiate(self, edge: PathStep, source: int, target: int) -> None:
        """literal -> constraint & at(source predicate), the arguments replaced by the states' variables."""
        clause = self.system.clauses[edge.clause]
        depths = [source] * len(clause.body) + [target]
        states = [self.state(atom.predicate, depth) for atom, depth in zip(clause.applications, depths, strict=False)]
        suffix = f"@{self._name}.{edge.clause}.{target}{'q' if clause.is_query else ''}"
        constraint = self._instances.constraint(edge.clause, states, suffix)
        self._constraints[edge.literal.get_id()] = constraint
        at_source = [self.at(atom.predicate, source) for atom in clause.body]
        self.solver.add(z3.Implies(edge.literal, z3.And(*at_source, constraint)))

    def path(self, model: z3.ModelRef, depth: int) -> tuple[Predicate, tuple[z3.ExprRef, ...], z3.BoolRef] | None:
        """The path that the model describes up to a query violated at `depth`; None if no query is violated in it.

        Returns its first predicate and state, and the conjunction of its clauses' constraints.
        """
        query = next((q for q in self.queries(depth) if z3.is_true(model.eval(q.literal))), None)
        if query is None:
            return None
        edges = self._backwards(model, query, depth)
        predicate = self.system.clauses[edges[-1].clause].body[0].predicate
        constraint = z3.And([self._constraints[edge.literal.get_id()] for edge in edges])
        return predicate, self.state(predicate, 0), constraint

    def _backwards(self, model: z3.ModelRef, query: PathStep, depth: int) -> list[PathStep]:
        """The query and the edges before it down to depth 0."""
        edges = [query]
        for d in range(depth, 0, -1):
            key = (self.system.clauses[edges[-1].clause].body[0].predicate, d)
            edges.append(next(e for e in self._edges[key] if z3.is_true(model.eval(e.literal))))
        return edges

    def derivation(self, model: z3.ModelRef, query: PathStep, depth: int) -> Derivation:
        """The path that the model describes, from a fact to `query` at `depth`, as a derivation."""
        steps: list[Step] = []
        clause = self.system.clauses[query.clause]
        chain: list[tuple[int, tuple[z3.ExprRef, ...]]] = []
        while clause.body:
            predicate = clause.body[0].predicate
            values = tuple(model.eval(value, model_completion=True) for value in self.state(predicate, depth))
            edge = next(e for e in self._edges[predicate, depth] if z3.is_true(model.eval(e.literal)))
            chain.append((edge.clause, values))
            clause, depth = self.system.clauses[edge.clause], depth - 1
        for index, values in reversed(chain):
            steps.append(Step(index, values, (len(steps) - 1,) if steps else ()))
        steps.append(Step(query.clause, (), (len(steps) - 1,) if steps else ()))
        return Derivation(tuple(steps))
