"""Property-directed reachability (IC3) over constrained Horn clauses.

Bradley: SAT-based model checking without unrolling (VMCAI 2011) [Bradley2011]; Hoder, Bjorner: Generalized property
directed reachability (SAT 2012) [HoderBjorner2012]; Komuravelli, Gurfinkel, Chaki: SMT-based model checking for
recursive programs (CAV 2014) [KomuravelliGurfinkelChaki2014]. Deviations: docs/engines/pdr.md.

What is computed. A system of clauses is unsafe if its query can be derived, and safe if there is a model: for each
predicate a set of values that contains all derivable facts, and no values from which the query follows. The engine
keeps a sequence of approximations of the derivable facts, the frames F_0, F_1, ... up to level N. The frame F_i
contains, for each predicate, all facts with derivations of depth at most i + 1. It is a conjunction of lemmas; each
lemma says that no value in some cube (a conjunction of literals) is such a fact. A lemma is stored once, at the highest
level for which it was proved, and holds at all levels below, so the frames grow with i.

One round. At first the query is a proof obligation at level N: is there a step, by one clause, from values in F_(N-1)
to the query? If z3 finds such a step, the values that it starts from are generalised to a cube (by projection of the
clause), and become an obligation one level below, which must be answered first. An obligation ends in one of two ways.
Either there is no step into its cube from the frame below: then a lemma excludes the cube, and as many literals of the
cube are left out as the proof allows, so that the lemma excludes more. Or all premises of the step are known to be
derivable: then so is a value in the cube, which is kept as a reach fact. If the query itself gets a reach fact, the
system is unsafe, and the reach facts are the derivation. Otherwise, once no step leads to the query, each lemma is
pushed: if it holds at level i + 1 as well, it is moved there. If afterwards some level i has no lemma of its own, then
F_i = F_(i+1); this frame is closed under all clauses, and is the model. Otherwise N grows by one.

Why it is right. Each lemma at level i was checked: no clause leads from values in F_(i-1) into its cube. By induction
over i, F_i contains every fact with a derivation of depth i + 1. So a frame that is equal to the next one contains all
facts, and, since the query is blocked there, is a model. A reach fact is made from a step whose premises are reach
facts, so it has a derivation. In any case the kernel checks the model or the derivation again.

Example. The clauses: P(0); P(x) and x < 5 give P(x + 2); P(7) gives the query. At level 0 the query is blocked, since
no clause derives it without premises. At level 1 it can be reached from P(7), which F_0 does not exclude yet; so x = 7
is an obligation for P at level 0. The only clause without premises gives x = 0, so the obligation is blocked. For that
the literal x >= 7 is enough, and x <= 7 is left out: the lemma is not (x >= 7). It even holds at all levels: from a
value below 7 that is below 5, no step leads to 7 or more. Now the query is blocked at level 1, F_0 and F_1 are equal,
and x < 7 is the model.
"""

import time
from collections.abc import Iterable, Mapping, Sequence

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.effort import QUESTION_S
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from chcverify.terms.core.traversal import conjunction
from chcverify.terms.native.raw import RawError, Term
from solvers.engine import Context, Lemma, Requirements
from solvers.pdr.lemmas.cube_sums import can_sum, cube_sums
from solvers.pdr.lemmas.generalisation import Blocked, Generalizer
from solvers.pdr.lemmas.global_guidance import Guidance
from solvers.pdr.lemmas.proof_support import ProofSupport
from solvers.pdr.lemmas.propagation import Propagation
from solvers.pdr.predecessors import Predecessors
from solvers.pdr.proof_obligations import ObligationBudget, ObligationQueue, ProofObligation
from solvers.pdr.reach_facts import DerivationBuilder, NotGround, ReachFact
from solvers.pdr.transition_system.frames import FrameLemma as FrameLemma
from solvers.pdr.transition_system.frames import Frames
from solvers.pdr.transition_system.pdr_options import PdrOptions
from solvers.pdr.transition_system.pdr_statistics import Statistics
from solvers.pdr.transition_system.rule_system import RuleSystem, is_quantified
from solvers.pdr.transition_system.transitions import INFINITY, SolverAnsweredUnknown, TransitionSolver


class OutOfTime(Exception):
    """Raised if the deadline has passed."""


class Pdr:
    """IC3/PDR with may and must summaries, model-based projection, interpolation and global guidance."""

    name = "pdr"
    description = "property-directed reachability (IC3) over Horn clauses"
    requires = Requirements(normal=True)

    def check_options(self, given: Mapping[str, str]) -> None:
        """Raises ValueError for anything but an option of PdrOptions."""
        PdrOptions.parse(given)

    def solve(self, system: HornSystem, context: Context) -> Result:
        try:
            options = PdrOptions.parse(context.options)
        except ValueError as error:
            return Unknown(str(error))
        if is_quantified(system):
            return Unknown("pdr does not take clauses with quantifiers")
        problem = RuleSystem(system, options)
        with problem.raw.interrupted_after(context.remaining()):
            return PdrSearch(problem, options, context).run()


class PdrSearch:
    """One run of the engine."""

    def __init__(self, problem: RuleSystem, options: PdrOptions, context: Context) -> None:
        self.problem, self.options, self.context = problem, options, context
        self.statistics = Statistics(problem.raw, options.trace)
        self.frames = Frames(problem, options, context.seed)
        self.guidance = Guidance(problem.arithmetic) if options.globalise else None
        self.chains = Guidance(problem.arithmetic) if options.chains else None
        self.predecessors = Predecessors(problem, self.frames, self.guidance)
        self.generalizer = Generalizer(problem, self.frames, options, self.statistics)
        self.propagation = Propagation(problem, self.frames, self.statistics)
        self.started = time.perf_counter()

    def run(self) -> Result:
        """The answer; Unknown with the reason if the time is over or z3 has no answer."""
        try:
            return self._search()
        except OutOfTime:
            return Unknown("out of time")
        except (SolverAnsweredUnknown, RawError, NotGround, z3.Z3Exception) as error:
            return Unknown("out of time" if self.out_of_time() else str(error))
        finally:
            self._report()
            self.statistics.close()

    def _search(self) -> Result:
        """The main loop: blocks the query at a level, propagates lemmas, goes on to the next level."""
        level = 0
        while True:
            self._poll()
            self.statistics.event("frame", level=level)
            self.context.progress("pdr", {"frame": level, "lemmas": self.frames.created})
            root = self._block_query(level)
            if root is not None:
                return Unsafe(self._derivation(root))
            closed = self.propagation.run(level)
            self._publish()
            if closed is not None:
                return Safe(self._model(closed))
            level += 1
            self.statistics.counts["frames"] = level

    # -- blocking

    def _block_query(self, top: int) -> ReachFact | None:
        """Shows that the query is unreachable within the level, or returns its reach fact."""
        queue = ObligationQueue()
        queue.obligation(self.problem.query, (), top, 0)
        while queue:
            if self.out_of_time():
                raise OutOfTime
            obligation = queue.top()
            self.statistics.count("obligations")
            fact = self._expand(obligation, queue)
            if fact is not None and fact.predicate == self.problem.query:
                return fact
        return None

    def _expand(self, obligation: ProofObligation, queue: ObligationQueue) -> ReachFact | None:
        """One step for the obligation on top of the queue: a lemma, a reach fact (returned), or a new obligation."""
        predicate, cube, level = obligation.predicate, obligation.cube, obligation.level
        transition = self.frames.transitions[predicate]
        if obligation.gas is not None:
            obligation.gas.left -= 1
            if obligation.gas.left <= 0:
                queue.pop()
                return None
        transition.solver.push()
        try:
            # F_(level-1)(bodies) & some rule & cube
            if not transition.check(level, cube):
                blocked, model = self._refutation(transition, level, cube), None
            else:
                model = transition.solver.model()
                rule = transition.rule_of(model)
                facts = self.predecessors.facts_of(model, rule)
                if len(facts) < len(rule.body):
                    model, facts = self.predecessors.prefer_facts(transition, level, cube, model, rule)
        finally:
            transition.solver.pop()
        if model is None:
            self._block(obligation, blocked, queue)
            return None
        if len(facts) == len(rule.body):
            fact = self.predecessors.reach(model, rule, facts)
            self.predecessors.add(fact)
            self.statistics.count("reach facts")
            self.statistics.event("reach", [fact.formula], predicate=self.problem.names[predicate], level=level)
            queue.pop()
            if obligation.gas is not None:
                obligation.gas.left = 0  # the conjecture is refuted
            return fact
        target, before = self.predecessors.predecessor(model, rule, facts, level, cube)
        self.statistics.event("obligation", before, predicate=self.problem.names[target.predicate], level=level - 1)
        if not self._blocked_by_cluster(target.predicate, before, level - 1):
            queue.obligation(target.predicate, before, level - 1, obligation.depth + 1, obligation.gas)
        return None

    def _blocked_by_cluster(self, predicate: int, cube: Sequence[Term], level: int) -> bool:
        """True if a new lemma for the affine hull of the obligation and earlier similar ones blocks it."""
        if self.chains is None:
            return False
        cluster = self.chains.note(predicate, cube)
        for common in self.chains.lines(cluster) if cluster is not None else ():
            self.statistics.count("chains tried")
            answer = self.frames.transitions[predicate].blocked(level, common, with_model=False)
            if answer is not None:
                self._learn(predicate, *self.generalizer.generalise(predicate, answer, level), "chain")
                self.statistics.count("chains done")
                return True
        return False

    def _refutation(self, transition: TransitionSolver, level: int, cube: Sequence[Term]) -> Blocked:
        """The blocked literals implied by the cube and their level, after an unsatisfiable query and in its scope."""
        core = transition.small_core(cube)
        arithmetic = self.problem.arithmetic
        if not self.options.interpolation or not can_sum(arithmetic, core[0]):
            return core
        self.statistics.count("interpolation tried")
        sums = cube_sums(arithmetic, core[0], transition.farkas(level, core[0]))
        if sums is None:
            return core
        # F_(level-1)(bodies) & some rule & sums of the cube's literals
        if transition.solver.check([*transition.frame(level), *sums]) is not False:
            return core
        self.statistics.count("interpolation done")
        return transition.small_core(sums)

    def _block(self, obligation: ProofObligation, blocked: Blocked, queue: ObligationQueue) -> None:
        """Learns a lemma from a blocked obligation."""
        cube, level = self.generalizer.generalise(obligation.predicate, blocked, obligation.level)
        if blocked[1] == INFINITY and level < INFINITY:
            self._learn(obligation.predicate, blocked[0], INFINITY, "block")
        lemma = self._learn(obligation.predicate, cube, level, "block" if obligation.gas is None else "conjecture")
        queue.pop()
        if self.guidance is not None and lemma is not None and lemma.level < INFINITY:
            cluster = self.guidance.note(lemma.predicate, lemma.cube)
            if cluster is not None:
                self._follow(self.guidance.proposals(cluster), obligation, queue)

    def _learn(self, predicate: int, cube: Sequence[Term], level: int, origin: str) -> FrameLemma | None:
        """Adds the lemma and returns it; None if it is not new."""
        lemma = self.frames.add(predicate, cube, level)
        self.statistics.count(f"lemmas by {origin}")
        name = self.problem.names[predicate]
        self.statistics.event("lemma", cube, predicate=name, level=level, origin=origin, new=lemma is not None)
        return lemma

    def _follow(
        self, proposals: Iterable[tuple[Term, ...]], obligation: ProofObligation, queue: ObligationQueue
    ) -> None:
        """Tries to block the cluster's proposals; one that is not blocked becomes a conjecture with limited steps."""
        predicate, level = obligation.predicate, obligation.level
        for cube in proposals:
            self.statistics.count("guidance tried")
            answer = self.frames.transitions[predicate].blocked(level, cube, with_model=False)
            if answer is not None:
                core, justified = self.generalizer.generalise(predicate, answer, level)
                self._learn(predicate, core, justified, "guidance")
                self.statistics.count("guidance done")
                return
            if obligation.gas is None:
                self.statistics.event("conjecture", cube, predicate=self.problem.names[predicate], level=level)
                queue.obligation(
                    predicate,
                    self.problem.cube(cube, predicate),
                    level,
                    obligation.depth,
                    ObligationBudget(self.options.gas),
                )

    # -- answers

    def _model(self, closed: int) -> Model:
        """The model from the frame above the closing level, reduced to the lemmas that the proof needs."""
        main, problem = z3.main_ctx(), self.problem
        lemmas = [lemma for number in range(problem.query) for lemma in self.frames.at(number, closed + 1)]
        if self.options.minimise:
            end = self.context.remaining() - min(QUESTION_S, self.context.remaining() / 10)
            needed = ProofSupport(problem, lemmas, self.options, lambda: self.context.remaining() < end).find()
            self.statistics.count("conjuncts left out", len(lemmas) - len(needed))
            lemmas = needed
        conjuncts: dict[int, list[z3.BoolRef]] = {number: [] for number in range(problem.query)}
        for lemma in lemmas:
            conjuncts[lemma.predicate].append(problem.raw.wrap(lemma.formula, main))
        return Model({predicate: conjunction(conjuncts[i]) for predicate, i in problem.number.items()})

    def _derivation(self, root: ReachFact) -> Derivation:
        return DerivationBuilder(self.problem, self.out_of_time).build(root)

    # -- surroundings

    def out_of_time(self) -> bool:
        """True if the deadline has passed."""
        return self.context.remaining() <= 0

    def _poll(self) -> None:
        """Adds the lemmas of the bus, which hold at every level."""
        for lemma in self.context.bus.poll():
            number = self.problem.number.get(lemma.predicate)
            if number is not None:
                formula = self.problem.raw.handle(lemma.formula)
                cube = self.problem.cube(self.problem.raw.conjuncts(self.problem.raw.negate(formula)), number)
                added = self.frames.add(number, cube, INFINITY)
                if added is not None:
                    added.tags.add("published")
                self.statistics.count("lemmas from the bus")

    def _publish(self) -> None:
        """Sends the invariants found since the last call to the bus."""
        new = [
            lemma
            for lemmas in self.frames.lemmas[: self.problem.query]
            for lemma in lemmas
            if lemma.level == INFINITY and "published" not in lemma.tags
        ]
        for lemma in new:
            lemma.tags.add("published")
        main, predicates = z3.main_ctx(), self.problem.system.predicates
        self.context.bus.publish(
            [Lemma(predicates[m.predicate], self.problem.raw.wrap(m.formula, main), "pdr") for m in new]
        )

    def _report(self) -> None:
        elapsed = time.perf_counter() - self.started
        checks = sum(transition.solver.checks for transition in self.frames.transitions)
        self.context.statistics.update(
            {
                **self.statistics.counts,
                "lemmas": self.frames.created,
                "checks": checks,
                "projections": dict(self.problem.projector.counts),
                "seconds in z3": round(self.problem.raw.seconds, 3),
                "share in z3": round(self.problem.raw.seconds / max(elapsed, 1e-9), 3),
            }
        )
