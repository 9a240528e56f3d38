"""Path programs: the path of a failed step case becomes a small system, whose invariants are tried on the whole.

Beyer, Henzinger, Majumdar, Rybalchenko: Path invariants (PLDI 2007) [BeyerHenzingerMajumdarRybalchenko2007].
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.search.houdini import inductive_subset
from chcverify.effort import QUESTION_S
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.results.result import Safe, Unsafe
from chcverify.terms.core.traversal import conjuncts
from solvers.engine import Context, Lemma, NoBus
from solvers.registry import get

ENGINES = ("df", "spacer-global")


@dataclass(frozen=True, eq=False)
class PathProgram:
    """The clauses of a path, each once, so that repeated ones form a loop. clauses: their original indices."""

    system: HornSystem
    clauses: tuple[int, ...]

    def derivation(self, derivation: Derivation) -> Derivation:
        """The derivation in terms of the whole system's clauses."""
        steps = derivation.ground_steps
        return Derivation(tuple(Step(self.clauses[s.clause], s.arguments, s.premises) for s in steps))


def path_program(system: HornSystem, path: Sequence[int]) -> PathProgram | None:
    """The path program of consecutive clauses of a linear system; None if no fact reaches its beginning.

    A path that begins anywhere gets the shortest path there from a fact in front.
    """
    first = system.clauses[path[0]]
    prefix = _shortest_path_to(system, first.body[0].predicate) if first.body else []
    if prefix is None:
        return None
    indices = tuple(dict.fromkeys([*prefix, *path]))
    return PathProgram(HornSystem.of(system.clauses[index] for index in indices), indices)


def _shortest_path_to(system: HornSystem, goal: Predicate) -> list[int] | None:
    """The fewest clauses from a fact to the goal, in order."""
    arrived: dict[Predicate, int] = {}
    queue = deque(index for index, clause in enumerate(system.clauses) if clause.is_fact)
    while queue and goal not in arrived:
        index = queue.popleft()
        head = system.clauses[index].head
        if head is not None and head.predicate not in arrived:
            arrived[head.predicate] = index
            queue.extend(system.using[head.predicate])
    path: list[int] = []
    while goal in arrived:
        path.append(arrived[goal])
        clause = system.clauses[path[-1]]
        if clause.is_fact:
            return path[::-1]
        goal = clause.body[0].predicate
    return None


def _parts(formula: z3.BoolRef) -> list[z3.BoolRef]:
    """The conjuncts, equations of numbers as two inequalities: the whole system may preserve only one of them."""
    parts: list[z3.BoolRef] = []
    for part in conjuncts(z3.simplify(formula)):
        if z3.is_eq(part) and z3.is_arith(part.arg(0)):
            parts += [part.arg(0) <= part.arg(1), part.arg(0) >= part.arg(1)]
        else:
            parts.append(part)
    return parts


class PathPrograms:
    """Learns invariants from paths; analyses no path program twice."""

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self.context = context
        self._seen: set[frozenset[int]] = set()

    def learn(self, path: Sequence[int], known: Mapping[Predicate, z3.BoolRef]) -> list[Lemma] | Unsafe:
        """New lemmas of the whole system, which are also published; or a violation on the path program.

        known: published invariants; the new ones are inductive relative to them.
        """
        program = path_program(self.system, path)
        if program is None or frozenset(program.clauses) in self._seen:
            return []
        self._seen.add(frozenset(program.clauses))
        for engine in ENGINES:
            limit = self.context.deadline - max(0.0, self.context.remaining() - QUESTION_S)
            alone = replace(self.context, deadline=limit, bus=NoBus(), statistics={}, options={})
            result = get(engine).solve(program.system, alone)
            if isinstance(result, Unsafe):
                return Unsafe(program.derivation(result.derivation))
            if isinstance(result, Safe):
                candidates = {p: _parts(f) for p, f in result.model.interpretations.items()}
                return self._publish(inductive_subset(self.system, candidates, self.context.deadline, known))
        return []

    def _publish(self, kept: Mapping[Predicate, Sequence[z3.BoolRef]]) -> list[Lemma]:
        lemmas = [Lemma(p, formula, "path program") for p, formulas in kept.items() for formula in formulas]
        self.context.bus.publish(lemmas)
        return lemmas
