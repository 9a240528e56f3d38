"""From a solver's values for the inputs to a derivation: the run that they determine, step by step on values."""

from collections.abc import Sequence

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.terms.native.arena import Arena, ArenaTerm
from solvers.bounded.backends import Values
from solvers.bounded.execute import UnrolledSystem
from solvers.bounded.graph import Node, UnrolledEdge


class Run:
    """The run of an unrolling with these inputs."""

    def __init__(
        self, arena: Arena, unrolling: UnrolledSystem, beginnings: Sequence[UnrolledEdge], values: Values
    ) -> None:
        self.arena = arena
        self.unrolling = unrolling
        self.beginnings = beginnings
        self.values = values
        self._inputs: dict[ArenaTerm, ArenaTerm] = {}

    def derivation(self) -> Derivation | None:
        """The derivation of false that the run is; None if it is none."""
        steps: list[Step] = []
        node: Node | None = None
        arguments: list[ArenaTerm] = []
        while True:
            edges = self.beginnings if node is None else node.leaving
            taken = self._taken(node, arguments, edges)
            if taken is None:
                return None
            edge, arguments = taken
            terms = tuple(map(self.arena.wrap, arguments))
            steps.append(Step(edge.clause, terms, (len(steps) - 1,) if edge.source is not None else ()))
            if edge.target is None:
                return Derivation(tuple(steps)) if edge in self.unrolling.violations else None
            node = edge.target

    def _taken(
        self, node: Node | None, arguments: Sequence[ArenaTerm], edges: Sequence[UnrolledEdge]
    ) -> tuple[UnrolledEdge, list[ArenaTerm]] | None:
        """The edge whose guard holds, and what it makes of the arguments; a violation rather than another one."""
        arena = self.arena
        table = {}
        if node is not None:
            table = dict(zip(map(arena.handle, node.predicate.formals), arguments, strict=True))
        found = []
        for edge in edges:
            known = {**table, **{variable: self._input(constant) for variable, constant in edge.inputs.items()}}
            known |= {choice: self._input(choice) for literal in edge.choices for choice in arena.variables(literal)}
            literals = (*edge.guard, *edge.choices)
            if all(arena.simplify(arena.substitute(literal, known)) == arena.true for literal in literals):
                found.append((edge, [arena.simplify(arena.substitute(term, known)) for term in edge.outputs]))
        found.sort(key=lambda pair: pair[0].target is not None)
        return found[0] if found else None

    def _input(self, constant: ArenaTerm) -> ArenaTerm:
        found = self._inputs.get(constant)
        if found is None:
            term = self.arena.wrap(constant)
            value = self.values.get(str(term.decl().name()))
            found = self.arena.handle(value if value is not None else _some(term.sort()))
            self._inputs[constant] = found
        return found


def _some(sort: z3.SortRef) -> z3.ExprRef:
    """A value of the sort."""
    solver = z3.SimpleSolver()
    # true
    solver.check()
    value: z3.ExprRef = solver.model().eval(z3.FreshConst(sort), model_completion=True)
    return value
