"""Proofs that every run ends, component by component: what is cheap is tried for all of them before more is for some.

Each component of the clauses has ranks of its own, relative to facts that hold at its cut points. Of many known facts
the certificate has those alone that the ranks need, and those that these need.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property

import z3

from chcverify.certificate.kernel.runs import CutPointPaths, clause_components, is_step
from chcverify.certificate.kernel.termination_obligations import decreases, ranks_of
from chcverify.certificate.model import Model
from chcverify.certificate.search.validity_core import ValidityCore
from chcverify.certificate.termination import RankingNode, RankingProof
from chcverify.effort import EARLY_SHARE, LAST_SHARE, LONG_QUESTION_MS, MAIN_SHARE
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, substitute
from solvers.termination.ranked_cells import cells_of
from solvers.termination.ranking_search import NotFound, RanksOutOfTime, component_node
from solvers.termination.relaxation import relaxed
from solvers.termination.searched_paths import cut_points_of

Facts = Mapping[Predicate, Sequence[z3.BoolRef]]
"""Formulas of each predicate over its formals, which hold together; nothing derives predicates that are missing."""


class Kinds(Enum):
    """Which ranks are searched relative to facts."""

    LINEAR = "linear"
    ALL = "linear ones and those with cases"
    CASES = "those with cases; linear ones, by which some components may end, were searched before"


def prove_by_components(
    system: HornSystem,
    known: Model,
    facts: Callable[[], Facts | None],
    deadline: float,
    kinds: Kinds = Kinds.LINEAR,
) -> RankingProof:
    """A proof relative to a model of the system and to facts. NotFound where there is none, or at the deadline.

    facts: asked for once, where the model does not suffice; None if there are none.
    """
    return _ComponentSearch(system, known, facts, deadline, kinds).proof()


def _share(uses_facts: bool, is_last: bool) -> float:
    """Of the time left, for one component."""
    if not uses_facts:
        return EARLY_SHARE
    return LAST_SHARE if is_last else MAIN_SHARE


@dataclass(frozen=True, eq=False)
class _Found:
    """The node of a component. uses_facts: it is relative to facts, not to the model that was given alone. is_relaxed:
    whatever values steps have where these are not linear.
    """

    node: RankingNode
    uses_facts: bool
    is_relaxed: bool


@dataclass(frozen=True, eq=False)
class _Attempt:
    """What is assumed of facts, and how ranks are searched: as of `component_node`."""

    model: Model
    uses_facts: bool
    is_relaxed: bool
    is_thorough: bool


@dataclass(frozen=True, eq=False)
class _ComponentSearch:
    """known, make_facts, deadline, kinds: as of `prove_by_components`."""

    system: HornSystem
    known: Model
    make_facts: Callable[[], Facts | None]
    deadline: float
    kinds: Kinds

    @cached_property
    def facts(self) -> Facts | None:
        """The facts, made when they are first needed; that nothing is one, of predicates that nothing derives."""
        found, nothing = self.make_facts(), (z3.BoolVal(False),)
        return None if found is None else {p: found.get(p, nothing) for p in self.system.predicates}

    @cached_property
    def cut_points(self) -> frozenset[Predicate]:
        """A predicate of each cycle."""
        return cut_points_of(self.system)

    def proof(self) -> RankingProof:
        """The proof. Raises NotFound."""
        steps = [index for index, clause in enumerate(self.system.clauses) if is_step(clause)]
        components = clause_components(self.system, steps)
        found: dict[frozenset[int], _Found] = {}
        failure: NotFound = RanksOutOfTime()
        for attempt in self._attempts():
            for component in components:
                if component in found or not (attempt.is_relaxed or self._has_cells(component)):
                    continue
                now = time.monotonic()
                try:
                    share = _share(attempt.uses_facts, len(found) == len(components) - 1)
                    node = component_node(
                        self.system,
                        attempt.model,
                        self.cut_points,
                        component,
                        now + share * (self.deadline - now),
                        is_quick=not attempt.uses_facts,
                        is_relaxed=attempt.is_relaxed,
                        is_thorough=attempt.is_thorough,
                    )
                    found[component] = _Found(node, attempt.uses_facts, attempt.is_relaxed)
                except NotFound as error:
                    failure = error
            if len(found) == len(components):
                return self._certificate([found[component] for component in components])
        raise failure

    def _attempts(self) -> Iterator[_Attempt]:
        """Without facts, then with them; where cells are of interest with these, too."""
        yield _Attempt(self.known, uses_facts=False, is_relaxed=True, is_thorough=False)
        models = self._models_of_facts()
        for model in models if self.kinds is not Kinds.CASES else models[:1]:
            # With cases linear ranks come first, too, and those relative to facts everywhere are rare.
            is_thorough = self.kinds is not Kinds.LINEAR and model is models[0]
            for is_relaxed in (True, False):
                yield _Attempt(model, uses_facts=True, is_relaxed=is_relaxed, is_thorough=is_thorough)

    def _has_cells(self, component: frozenset[int]) -> bool:
        """True if there are cells that ranks of the component may speak of."""
        return bool(cells_of(self.system, component, self.cut_points))

    def _models_of_facts(self) -> list[Model]:
        """Models of the facts at the cut points alone, and everywhere; none where nothing is known."""
        facts = self.facts
        if facts is None:
            return []
        whole = {p: conjunction([self.known[p], *facts[p]]) for p in self.system.predicates}
        inside = {atom.predicate for clause in self.system.clauses for atom in clause.body[1:]} | self.cut_points
        # The questions are small where what holds on the way from one cut point to the next follows by itself.
        at_cut_points = Model({p: whole[p] if p in inside else self.known[p] for p in self.system.predicates})
        return [at_cut_points, Model(whole)]

    def _certificate(self, found: Sequence[_Found]) -> RankingProof:
        """The proof of these nodes, with a model of the facts that they need."""
        wanted: dict[Predicate, set[int]] = {}
        for item in found:
            if item.uses_facts:
                self._put_needed(item, item.node, (), wanted)
        model = self._inductive(wanted) if any(wanted.values()) else self.known
        return RankingProof(model, self.cut_points, tuple(item.node for item in found))

    def _put_needed(
        self, item: _Found, node: RankingNode, above: tuple[RankingNode, ...], wanted: dict[Predicate, set[int]]
    ) -> None:
        """Adds the positions of the facts that the ranks of a node and of those in it need. above: around it."""
        assert self.facts is not None
        starts = {self.system.clauses[index].body[0].predicate for index in node.clauses} & self.cut_points
        for start in sorted(starts, key=str):
            paths = CutPointPaths(self.system, self.known, node.clauses, self.cut_points, start)
            needed = self._needed(paths, node, above, item.is_relaxed)
            if needed is None:  # of what is left open all facts on the way are taken
                predicates = {atom.predicate for index in paths.used for atom in self.system.clauses[index].body}
                for predicate in predicates:
                    wanted.setdefault(predicate, set()).update(range(len(self.facts[predicate])))
            else:
                for predicate, position in needed:
                    wanted.setdefault(predicate, set()).add(position)
        for child in node.children:
            self._put_needed(item, child, (*above, node), wanted)

    def _needed(
        self, paths: CutPointPaths, node: RankingNode, above: tuple[RankingNode, ...], is_relaxed: bool
    ) -> list[tuple[Predicate, int]] | None:
        """The facts at the start of the paths, and of what returned to them, by which the ranks do as they must.

        None if these do not suffice, or that is open.
        """
        assert self.facts is not None
        wrong, parts = [], [paths.formula()]
        for target in paths.targets:
            before, after = ranks_of(paths, node, target)
            strict = z3.Or([used for index, used in paths.used.items() if index in node.strict])
            fails = z3.Or(before < after, z3.And(strict, z3.Not(decreases(paths, node, target))))
            stays = [z3.Not(decreases(paths, outer, target)) for outer in above]
            wrong.append(z3.And(paths.reaches(target), *stays, fails))
        names: list[z3.BoolRef] = []
        keys: list[tuple[Predicate, int]] = []
        atoms = [(paths.start, paths.first)]
        for index in paths.used:
            rename = paths.renamed(index)
            atoms += [
                (atom.predicate, tuple(map(rename, atom.arguments))) for atom in self.system.clauses[index].body[1:]
            ]
        for predicate, arguments in atoms:
            pairs = list(zip(predicate.formals, arguments, strict=True))
            for position, fact in enumerate(self.facts[predicate]):
                names.append(z3.Bool(f"fact!{len(names)}"))
                keys.append((predicate, position))
                parts.append(z3.Implies(names[-1], substitute(fact, pairs)))
        solver = z3.SimpleSolver()
        solver.set("core.minimize", True)
        solver.set("timeout", max(1, min(LONG_QUESTION_MS, int(1000 * (self.deadline - time.monotonic())))))
        whole = conjunction([*parts, z3.Or(wrong)])
        solver.add(relaxed(whole) if is_relaxed else whole)
        # path & some rank grows, or does not decrease by a strict clause & facts
        if solver.check(*names) != z3.unsat:
            return None
        core = {name.get_id() for name in solver.unsat_core()}
        return [key for name, key in zip(names, keys, strict=True) if name.get_id() in core]

    def _inductive(self, wanted: Mapping[Predicate, set[int]]) -> Model:
        """A model of the wanted facts and those that these need. NotFound if it is not known to be one."""
        assert self.facts is not None
        derived = [clause for clause in self.system.clauses if not clause.is_query]
        asked = [
            Clause(None, (predicate(*predicate.formals),), z3.Not(self.facts[predicate][position]))
            for predicate, positions in wanted.items()
            for position in sorted(positions)
        ]
        system = HornSystem(self.system.predicates, (*derived, *asked))
        core = ValidityCore(system, self.facts)
        now = time.monotonic()
        refuted = core.refuted(system.queries, now + MAIN_SHARE * (self.deadline - now))
        if len(refuted) < len(asked):
            raise NotFound("the facts that the ranks need are not known to be inductive")
        found = core.model(system.queries)
        return Model({p: conjunction([self.known[p], found[p]]) for p in self.system.predicates})
