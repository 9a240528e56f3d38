"""Proofs of termination: lexicographic linear ranks, found from counterexamples, with phases where there is none.

Gonnord, Monniaux, Radanne: Synthesis of ranking functions using extremal counterexamples (PLDI 2015), except that a
counterexample, a step on which the candidate does not decrease, is generalised to the polyhedron of all steps along
its path with the same choices. So each component takes finitely many of them, extremal or not.
"""

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

import z3

from chcverify.certificate.kernel.runs import CutPointPaths, clause_components, ends, is_step
from chcverify.certificate.kernel.termination_obligations import decreases, ranks_of
from chcverify.certificate.model import Model
from chcverify.certificate.termination import RankingNode, RankingProof
from chcverify.effort import LONG_QUESTION_MS, MAX_ALTERNATIVES, MAX_COMBINED, MAX_COMPARED, MAX_TRIED
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, conjuncts, is_value, substitute
from solvers.termination.linear_cubes import cube_of
from solvers.termination.ranked_cells import CellsOf, cell_values, cells_of, with_cells, without_arrays, without_cells
from solvers.termination.relevant_arguments import relevant_arguments
from solvers.termination.remaining_steps import MOST_PATHS, StepFormula, ranks_by_remaining_steps
from solvers.termination.searched_paths import PathParts, SearchedPaths, cut_points_of
from solvers.termination.templates import NO_CONSTANTS, CubeStep, KnownDemands, LinearRanks, conditions_at

Ranks = Mapping[Predicate, z3.ArithRef]
Region = Mapping[Predicate, z3.BoolRef]
"""For each cut point of a component the facts that are in it, as a formula over its formals."""


# Chosen by hand on termination tasks of SV-COMP; none is measured by itself.
SMALL_COEFFICIENT = 2
"""Absolute value of coefficients that are tried first: such ranks say more to people, and are checked faster. Chosen by
hand."""
MOST_WHOLE_CLAUSES = 100
"""Clauses of a component, above which ranks speak only of arguments that its steps move, and of those that these are
compared with, and as many clauses as possible become strict at once. Chosen by hand."""


class NotFound(Exception):
    """There is no proof of the kinds that are tried; the message says so, and of which component."""


class RanksOutOfTime(NotFound):
    """The time for the search is over."""

    def __init__(self) -> None:
        super().__init__("the search for ranking functions ran out of time")


def prove(
    system: HornSystem, model: Model, deadline: float, *, is_thorough: bool, is_relaxed: bool = False
) -> RankingProof:
    """A proof relative to a model of the system. NotFound where there is none of its kind, or at the deadline.

    is_thorough: ranks with cases are tried where no linear one is found.
    is_relaxed: steps may have any values where these are not linear, so that questions are easy, and fewer ranks do.
    """
    return _RankingSearch(system, model, cut_points_of(system), deadline, is_thorough, is_relaxed).proof()


def component_node(
    system: HornSystem,
    model: Model,
    cut_points: frozenset[Predicate],
    component: frozenset[int],
    deadline: float,
    *,
    is_quick: bool,
    is_relaxed: bool = True,
    is_thorough: bool = False,
) -> RankingNode:
    """The node of one component, relative to a model.

    component: its clauses. is_quick: most sets of clauses by which a rank may decrease are left out. is_relaxed: steps
    may have any values where these are not linear; else ranks may speak of cells of arrays. is_thorough: as of `prove`.
    NotFound where there is no node of the kinds that are tried, or at the deadline.
    """
    search = _RankingSearch(system, model, cut_points, deadline, is_thorough, is_relaxed, is_quick)
    return search.node(_Component(search, component, ()))


@dataclass(eq=False)
class _RankingSearch:
    system: HornSystem
    model: Model
    cut_points: frozenset[Predicate]
    deadline: float
    is_thorough: bool
    """Are ranks with cases tried?"""
    is_relaxed: bool
    """May what is not linear have any value?"""
    is_quick: bool = False
    """Are single clauses that may become strict, and phases, left out?"""
    instances: dict[int, z3.BoolRef] = field(default_factory=dict)
    """What the clauses say on paths, as far as it was needed."""

    def proof(self) -> RankingProof:
        steps = [index for index, clause in enumerate(self.system.clauses) if is_step(clause)]
        return RankingProof(self.model, self.cut_points, self.nodes(steps, ()))

    def nodes(self, clauses: Sequence[int], above: tuple[RankingNode, ...]) -> tuple[RankingNode, ...]:
        """One for each component of the clauses. above: the nodes around them."""
        return tuple(
            self.node(_Component(self, component, above)) for component in clause_components(self.system, clauses)
        )

    def node(self, component: "_Component") -> RankingNode:
        """By the first rank by which some clauses are strict; else by one that divides the runs into phases."""
        for ranks, strict in self._ranks(component):
            node = RankingNode(component.clauses, ranks, strict)
            children = self.nodes(sorted(component.clauses - strict), (*component.above, node))
            return RankingNode(component.clauses, ranks, strict, children)
        raise NotFound(f"no ranking function was found for {component.description}")

    def _ranks(self, component: "_Component") -> Iterator[tuple[Ranks, frozenset[int]]]:
        """Ranks and the clauses that are strict by them, the simplest kinds first."""
        is_large = len(component.clauses) > MOST_WHOLE_CLAUSES
        if is_large:
            left_out = component.counters if self.is_quick else [*component.counters, {}]
            yield from filter(None, map(component.strictest_ranks, left_out))
        if is_large and self.is_quick:
            return
        whole, single = component.candidates()
        candidates = whole if self.is_quick else [*whole, *single]
        for largest, wanted in itertools.product((SMALL_COEFFICIENT, None), candidates):
            ranks = component.ranks(wanted, largest, bounded=True)
            if ranks is not None:
                yield ranks, component.strict(ranks, wanted)
        if self.is_quick:
            return
        for wanted in candidates if component.may_divide else ():
            found = component.ranks(wanted, SMALL_COEFFICIENT, bounded=False)
            if found is None:
                continue
            ranks = {predicate: z3.If(rank >= 0, rank + 1, z3.IntVal(0)) for predicate, rank in found.items()}
            if component.says_something(ranks):
                yield ranks, frozenset()
        counted = None if self.is_relaxed else component.ranks_by_remaining_steps()
        if counted is not None:
            yield counted, component.strict(counted, frozenset())
        for ranks in component.conditional_ranks() if self.is_thorough else ():
            if component.never_grow(ranks) and component.says_something(ranks):
                yield ranks, component.strict(ranks, frozenset())

    def constants(self, predicate: Predicate) -> frozenset[int]:
        """The positions of arguments that the model says to have one value: a rank with the value says more."""
        positions = {formal.get_id(): position for position, formal in enumerate(predicate.formals)}
        equations = [part.children() for part in conjuncts(self.model[predicate]) if z3.is_eq(part)]
        pairs = [pair for sides in equations for pair in (sides, sides[::-1]) if is_value(pair[1])]
        return frozenset(positions[one.get_id()] for one, _ in pairs if one.get_id() in positions)

    def remaining_ms(self) -> int:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise RanksOutOfTime
        return max(1, min(LONG_QUESTION_MS, int(1000 * left)))


def _others(predicate: Predicate, positions: frozenset[int]) -> frozenset[int]:
    """The other positions of the predicate."""
    return frozenset(range(predicate.arity)) - positions


@dataclass(eq=False)
class _Component:
    """A component in the search of one rank, with the polyhedra of steps that are known so far."""

    search: _RankingSearch
    clauses: frozenset[int]
    above: tuple[RankingNode, ...]
    steps: list[CubeStep] = field(default_factory=list)
    demands: KnownDemands = field(default_factory=KnownDemands)
    decreasing: tuple[int, frozenset[CubeStep]] | None = None
    """How many steps were known, and those on which a rank can decrease that grows on none of them."""
    cells: CellsOf = field(default_factory=dict)
    """What ranks may speak of besides arguments."""
    pieces: Region = field(default_factory=dict)
    """Of the cut points whose facts have two ranks, one inside of this region and one outside."""

    def __post_init__(self) -> None:
        system, cut_points = self.search.system, self.search.cut_points
        sources = dict.fromkeys(ends(system.clauses[index])[0] for index in sorted(self.clauses))
        self.starts = [predicate for predicate in sources if predicate in cut_points]
        self.paths = {
            start: SearchedPaths(
                system,
                self.search.model,
                self.clauses,
                cut_points,
                start,
                self.search.is_relaxed,
                self.search.instances,
            )
            for start in self.starts
        }
        self.cells = {} if self.search.is_relaxed else cells_of(system, self.clauses, cut_points)
        self.ignored = {start: self.search.constants(start) for start in self.starts}
        self.counters: list[dict[Predicate, frozenset[int]]] = []
        if len(self.clauses) > MOST_WHOLE_CLAUSES:
            relevant = relevant_arguments(system, self.clauses, cut_points)
            self.ignored = {p: found | _others(p, relevant.all[p]) for p, found in self.ignored.items()}
            self.counters = [{p: _others(p, own[p]) for p in self.starts} for own in relevant.counters]
        self.solvers = {start: self._solver(paths) for start, paths in self.paths.items()}
        self.parts = {
            start: PathParts.of(solver.assertions(), self.paths[start].used) for start, solver in self.solvers.items()
        }

    @property
    def may_divide(self) -> bool:
        """True if there may be one more rank that is not strict for any clause."""
        return sum(not node.strict for node in self.above) < MAX_COMBINED

    @property
    def description(self) -> str:
        """Where the component is, for people."""
        origins = [predicate.origin for predicate in self.starts if predicate.origin is not None]
        where = min(origins) if origins else None
        return f"the loop at {where}" if where else f"the cycle of {self.starts[0].name}"

    def _solver(self, paths: CutPointPaths) -> z3.Solver:
        parts = [paths.formula()]
        for target in paths.targets:
            for outer in self.above:
                parts.append(z3.Implies(paths.reaches(target), z3.Not(decreases(paths, outer, target))))
        for predicate, at_end in ((paths.start, False), *((target, True) for target in paths.targets)):
            formals = list(zip(predicate.formals, paths.vector(predicate, at_end=at_end), strict=True))
            for value, cell in zip(self._cell_values(predicate, at_end), self.cells.get(predicate, ()), strict=True):
                parts.append(value == substitute(cell, formals))
        solver = z3.SimpleSolver()
        solver.add(conjunction(parts))
        return solver

    def candidates(self) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
        """Sets of clauses that may become strict: all, and those into and out of each cut point; single clauses."""
        system = self.search.system
        sources = [ends(system.clauses[index])[0] for index in self.clauses]
        into = [
            frozenset(index for index in self.clauses if ends(system.clauses[index])[1] == start)
            for start in self.starts
        ]
        out = [
            frozenset(index for index in self.clauses if ends(system.clauses[index])[0] == start)
            for start in self.starts
        ]
        single = [
            frozenset([index])
            for index in sorted(self.clauses)
            if sources.count(ends(system.clauses[index])[0]) > 1 or ends(system.clauses[index])[1] in self.starts
        ]
        whole = list(dict.fromkeys([self.clauses, *into, *out]))
        return whole, [wanted for wanted in single if wanted not in whole]

    def ranks(self, wanted: frozenset[int], largest: int | None, *, bounded: bool) -> Ranks | None:
        """Ranks that never grow, and become smaller, from at least 0 if bounded, by each wanted clause.

        largest: coefficient, None for any."""
        if not self._may_decrease(wanted):
            return None
        template, count = LinearRanks(self._ranked(), largest, self.demands, self._ignored()), 0
        while True:
            for step in self.steps[count:]:
                is_wanted = not step.used.isdisjoint(wanted)
                template.require(step, decrease=int(is_wanted), bounded=bounded and is_wanted)
            count = len(self.steps)
            solution = template.solution()
            if solution is None:
                return None
            ranks = {start: self._whole(start, solution) for start in self.starts}
            node = RankingNode(self.clauses, ranks, frozenset())
            found = self._counterexample(node, wanted, bounded)
            if found is None:
                return ranks
            self.steps.append(found)
            if len(self.steps) > MAX_TRIED:
                return None

    def strictest_ranks(self, left_out: Mapping[Predicate, frozenset[int]]) -> tuple[Ranks, frozenset[int]] | None:
        """Ranks that never grow, by which as many clauses as possible are strict, and these; None if there are none.

        left_out: arguments that have no part in them. All ranks are at least 0 on the known steps. Alias, Darte,
        Feautrier, Gonnord (SAS 2010) call them greedy.
        """
        ignored = self._ignored(left_out)
        greedy, count, is_simple = LinearRanks(self._ranked(), None, self.demands, ignored), 0, False
        while len(self.steps) <= MAX_TRIED:
            self.search.remaining_ms()
            greedy.may_decrease(self.steps[count:])
            count = len(self.steps)
            decreasing = greedy.most_decreasing()
            open_ = [step for step in self.steps if step not in decreasing]
            wanted = self.clauses - {index for step in open_ for index in step.used}
            if not wanted:
                return None
            template = LinearRanks(self._ranked(), None, self.demands, ignored)
            for step in self.steps:
                is_strict = not step.used.isdisjoint(wanted) if is_simple else step in decreasing
                template.require(step, decrease=int(is_strict), bounded=is_strict)
            # simple ranks take long to find: only once others are known to exist
            solution = template.solution(is_simple=is_simple)
            if solution is None:
                return None
            ranks = {start: self._whole(start, solution) for start in self.starts}
            node = RankingNode(self.clauses, ranks, frozenset())
            steps = [self._counterexample_from(start, node, wanted, True) for start in self.starts]
            wrong = [step for step in steps if step is not None]
            if is_simple and not wrong:
                return ranks, wanted
            self.steps += wrong
            is_simple = not wrong
        return None

    def _ranked(self) -> list[Predicate]:
        """What has a linear rank."""
        return [part for start in self.starts for part in self._parts(start)]

    def _ignored(self, more: Mapping[Predicate, frozenset[int]] = NO_CONSTANTS) -> dict[Predicate, frozenset[int]]:
        """The arguments of what has a linear rank that have no part in it. more: others that shall have none."""
        found = {start: self.ignored[start] | more.get(start, frozenset()) for start in self.starts}
        return {part: positions for start, positions in found.items() for part in self._parts(start)}

    def _may_decrease(self, wanted: frozenset[int]) -> bool:
        """False if on a known step by a wanted clause no rank decreases that grows on none of the known steps."""
        if self.decreasing is None or self.decreasing[0] != len(self.steps):
            found = LinearRanks(self._ranked(), None, self.demands, self._ignored()).decreasing(self.steps)
            self.decreasing = len(self.steps), found
        return all(step in self.decreasing[1] for step in self.steps if not step.used.isdisjoint(wanted))

    def _counterexample(self, node: RankingNode, wanted: frozenset[int], bounded: bool) -> CubeStep | None:
        """A step on which the ranks do not do what they must; None if there is none. NotFound if that is open."""
        found = (self._counterexample_from(start, node, wanted, bounded) for start in self.starts)
        return next((step for step in found if step is not None), None)

    def _counterexample_from(
        self, start: Predicate, node: RankingNode, wanted: frozenset[int], bounded: bool
    ) -> CubeStep | None:
        """As `_counterexample`, of steps from one cut point."""
        paths, wrong = self.paths[start], []
        for target in paths.targets:
            before, after = ranks_of(paths, node, target)
            by = [used for index, used in paths.used.items() if index in wanted]
            must = decreases(paths, node, target) if bounded else before > after
            wrong.append(z3.And(paths.reaches(target), z3.Or(before < after, z3.And(z3.Or(by), z3.Not(must)))))
        # path to a target & (rank(first) < rank(last), or by a wanted clause and no decrease)
        model = self._model(start, z3.Or(wrong))
        return None if model is None else self._step(start, model)

    def _model(self, start: Predicate, wrong: z3.BoolRef) -> z3.ModelRef | None:
        solver = self.solvers[start]
        solver.push()
        try:
            solver.add(wrong)
            solver.set("timeout", self.search.remaining_ms())
            answer = solver.check()
            if answer == z3.unknown:
                if self.search.deadline - time.monotonic() <= 0:
                    raise RanksOutOfTime
                raise NotFound(f"a query about ranks of {self.description} stayed open: {solver.reason_unknown()}")
            return solver.model() if answer == z3.sat else None
        finally:
            solver.pop()

    def _step(self, start: Predicate, model: z3.ModelRef) -> CubeStep:
        paths = self.paths[start]
        used = paths.clauses_in(model)
        target = paths.end_of(used)
        last = paths.last(target)
        source_part, where_from = self._part(start, paths.first, model)
        target_part, where_to = self._part(target, last, model)
        formula = z3.And(self.parts[start].along(used), where_from, where_to)
        formula = without_arrays(formula, model) if self.cells else formula
        arguments = [
            (*vector, *self._cell_values(predicate, at_end))
            for predicate, vector, at_end in ((start, paths.first, False), (target, last, True))
        ]
        kept = [
            term
            for predicate, terms in zip((start, target), arguments, strict=True)
            for position, term in enumerate(terms)
            if position not in self.ignored[predicate]
        ]
        cube = cube_of(formula, model, kept)
        return CubeStep(source_part, target_part, arguments[0], arguments[1], cube, used)

    def _cell_values(self, predicate: Predicate, at_end: bool) -> tuple[z3.ExprRef, ...]:
        """The variables for the predicate's cells, at the end of a path or at its beginning."""
        return cell_values("to" if at_end else "from", predicate, self.cells.get(predicate, ()))

    def _parts(self, predicate: Predicate) -> tuple[Predicate, ...]:
        """What has a linear rank of its own: the predicate, or its facts inside and outside of the region."""
        ranked = with_cells(predicate, self.cells.get(predicate, ()))
        if predicate not in self.pieces:
            return (ranked,)
        return replace(ranked, name=f"{predicate.name}!in"), replace(ranked, name=f"{predicate.name}!out")

    def _part(
        self, predicate: Predicate, arguments: Sequence[z3.ExprRef], model: z3.ModelRef
    ) -> tuple[Predicate, z3.BoolRef]:
        """The part of the predicate that a fact is in, and the condition for it."""
        parts = self._parts(predicate)
        if len(parts) == 1:
            return parts[0], z3.BoolVal(True)
        inside = substitute(self.pieces[predicate], zip(predicate.formals, arguments, strict=True))
        if z3.is_true(model.eval(inside, model_completion=True)):
            return parts[0], inside
        return parts[1], z3.Not(inside)

    def _whole(self, predicate: Predicate, ranks: Ranks) -> z3.ArithRef:
        """The rank of the predicate from those of its parts."""
        parts, cells = self._parts(predicate), self.cells.get(predicate, ())
        found = [without_cells(ranks[part], predicate, cells) for part in parts]
        rank: z3.ArithRef = found[0] if len(found) == 1 else z3.If(self.pieces[predicate], found[0], found[1])
        return rank

    def strict(self, ranks: Ranks, wanted: frozenset[int]) -> frozenset[int]:
        """All clauses that make the rank smaller, from at least 0, whenever they are used. wanted: some that do."""
        node = RankingNode(self.clauses, ranks, frozenset())
        found = set(self.clauses)
        for start, paths in self.paths.items():
            stays = z3.Or(
                [z3.And(paths.reaches(target), z3.Not(decreases(paths, node, target))) for target in paths.targets]
            )
            while open_ := (found & paths.used.keys()) - wanted:
                # path by one of the clauses & no decrease
                model = self._model(start, z3.And(z3.Or([paths.used[index] for index in sorted(open_)]), stays))
                if model is None:
                    break
                found -= {index for index in open_ if z3.is_true(model.eval(paths.used[index], model_completion=True))}
        return frozenset(found)

    def ranks_by_remaining_steps(self) -> Ranks | None:
        """The number of steps that a run can still take; None where these may be many."""
        steps: list[StepFormula] = []
        for start in self.starts:
            paths, others = self.paths[start], list[z3.BoolRef]()
            # path & none of the paths that are known
            while (model := self._model(start, z3.And(others))) is not None:
                if len(steps) == MOST_PATHS:
                    return None
                used = paths.clauses_in(model)
                target = paths.end_of(used)
                steps.append(StepFormula(start, target, paths.first, paths.last(target), self.parts[start].along(used)))
                others.append(z3.Not(z3.And([paths.used[index] for index in sorted(used)])))
        return ranks_by_remaining_steps(steps, self.search.model, self.search.deadline)

    def conditional_ranks(self) -> Iterator[Ranks]:
        """Ranks that are linear inside and outside of a region; whether a run has left or entered one."""
        regions = self._regions()
        for region in regions:
            parts = _Component(self.search, self.clauses, self.above, pieces=region)
            found = parts.ranks(self.clauses, None, bounded=True)
            if found is not None:
                yield found
        for inside, outside in ((1, 0), (0, 1)) if self.may_divide else ():
            for region in regions:
                yield {p: z3.If(condition, z3.IntVal(inside), z3.IntVal(outside)) for p, condition in region.items()}

    def _regions(self) -> list[Region]:
        """By conditions on the facts at the beginning of the known steps, which some steps meet and others do not."""
        conditions: dict[int, z3.BoolRef] = {}
        if len(self.starts) == 1:
            for step in self.steps:
                for over_cells in conditions_at(step):
                    condition = without_cells(over_cells, self.starts[0], self.cells.get(self.starts[0], ()))
                    conditions.setdefault(condition.get_id(), condition)
        found = filter(self._divides, list(conditions.values())[:MAX_COMPARED])
        return [{self.starts[0]: condition} for condition in itertools.islice(found, MAX_ALTERNATIVES)]

    def _divides(self, condition: z3.BoolRef) -> bool:
        """True if the condition, over the formals of the only start, holds before some steps and not before others."""
        start = self.starts[0]
        before = substitute(condition, zip(start.formals, self.paths[start].first, strict=True))
        # path & the condition; path & not the condition
        return all(self._model(start, part) is not None for part in (before, z3.Not(before)))

    def never_grow(self, ranks: Ranks) -> bool:
        """True if no step makes the rank larger."""
        node = RankingNode(self.clauses, ranks, frozenset())
        for start, paths in self.paths.items():
            grown = []
            for target in paths.targets:
                before, after = ranks_of(paths, node, target)
                grown.append(z3.And(paths.reaches(target), before < after))
            # path to a target & rank(first) < rank(last)
            if self._model(start, z3.Or(grown)) is not None:
                return False
        return True

    def says_something(self, ranks: Ranks) -> bool:
        """True if some step makes the rank smaller: else the next phase would be this one again."""
        node = RankingNode(self.clauses, ranks, frozenset())
        return any(
            self._model(start, z3.Or([z3.And(paths.reaches(t), decreases(paths, node, t)) for t in paths.targets]))
            is not None
            for start, paths in self.paths.items()
        )
