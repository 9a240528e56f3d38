"""Engine `conjuncts`: the inductive conjuncts of the clauses themselves, and the queries' negations relative to them.

Translations of transition systems state ranges, relations of parameters and what each step establishes as conjuncts of
the facts' and steps' constraints. Those over the head's arguments are candidates for Houdini, Flanagan, Leino: Houdini
(FME 2001) [FlanaganLeino2001]. Most of them need no solver: a clause contains them as they are, or hands on all of
their arguments. 1-induction of the queries' negations relative to them is one question for each clause.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.model import Model
from chcverify.certificate.search.splitting import goals as split_goals
from chcverify.effort import BRIEF_SHARE, MAX_BUILT, MAX_FORMULAS, REPETITIONS
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.results.result import Result, Safe, Unknown
from chcverify.terms.core.traversal import conjunction, disjunction, free_variables, is_quantifier_free, substitute
from solvers.engine import Context, Lemma, Requirements
from solvers.invariants.renamed_proofs import RenamedProofs

HARD_QUESTION_S = 0.05
"""Seconds of the processor from which a proof is kept for similar candidates: with its core it takes three times as
long. Of 155 proofs in each of four agreement protocols 20 to 65 took longer, 0.2 to 0.6 s each, nearly all others a
hundredth."""

Candidate = tuple[Predicate, int]  # by the term's number in z3; over the predicate's formals


class ClauseConjuncts:
    """Safe when the queries' negations are inductive together with conjuncts; what is inductive goes to the bus."""

    name = "conjuncts"
    description = "the inductive conjuncts of the clauses, and 1-induction relative to them"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        goals = _goals(system)
        if goals is None:
            return Unknown(f"{self.name}: a query is not about the arguments of one atom")
        search = _ConjunctSearch(system, goals, context)
        if not search.run():
            return Unknown(f"{self.name}: time limit")
        kept = {predicate: list(parts.values()) for predicate, parts in search.alive.items()}
        context.statistics["conjuncts"] = sum(map(len, kept.values()))
        context.bus.publish([Lemma(p, conjunction(parts), self.name) for p, parts in kept.items() if parts])
        if any(goal.get_id() not in search.alive[p] for p, parts in goals.items() for goal in parts):
            return Unknown(f"{self.name}: a query's negation is not inductive together with the conjuncts")
        return Safe(search.model())


def _goals(system: HornSystem) -> dict[Predicate, list[z3.BoolRef]] | None:
    """The conjuncts of the negated queries, over the formals; None if a query has several atoms or own variables."""
    found: dict[Predicate, list[z3.BoolRef]] = {predicate: [] for predicate in system.predicates}
    for index in system.queries:
        clause = system.clauses[index]
        if len(clause.body) != 1:
            return None
        for part in _clauses(z3.Not(clause.constraint)):
            goal = _over_formals(part, clause.body[0])
            if goal is None:
                return None
            found[clause.body[0].predicate].append(goal)
    return found


def _over_formals(part: z3.BoolRef, atom: Application) -> z3.BoolRef | None:
    """The formula with the predicate's formals for the atom's arguments; None if it has other variables.

    Disjunctions of the same formulas become one term.
    """
    own = {argument.get_id() for argument in atom.arguments}
    if any(variable.get_id() not in own for variable in free_variables(part)):
        return None
    instance = substitute(part, zip(atom.arguments, atom.predicate.formals, strict=True))
    if not z3.is_or(instance):
        return instance
    return disjunction(sorted({each.get_id(): each for each in instance.children()}.values(), key=z3.AstRef.get_id))


def _parts(constraint: z3.BoolRef) -> list[z3.BoolRef]:
    """The conjuncts, also those of negated disjunctions."""
    found, queue = [], [constraint]
    while queue:
        part = queue.pop()
        kind, below = _junction(part)
        if kind == z3.Z3_OP_AND:
            queue.extend(reversed(below))
        else:
            found.append(part)
    return found


def _junction(term: z3.BoolRef) -> tuple[int | None, list[z3.BoolRef]]:
    """Z3_OP_AND or Z3_OP_OR with the parts of the conjunction or disjunction that the term is; None for others."""
    negated = z3.is_not(term)
    inner = term.arg(0) if negated else term
    if negated and z3.is_not(inner):
        return z3.Z3_OP_AND, [inner.arg(0)]
    if not (z3.is_and(inner) or z3.is_or(inner)):
        return None, []
    below = [z3.Not(each) for each in inner.children()] if negated else list(inner.children())
    return (z3.Z3_OP_AND if z3.is_and(inner) != negated else z3.Z3_OP_OR), below


def _clauses(formula: z3.BoolRef) -> list[z3.BoolRef]:
    """A conjunctive normal form; the formula itself if that has too many clauses."""
    found: list[z3.BoolRef] = []
    queue: list[list[z3.BoolRef]] = [[formula]]
    while queue:
        if len(found) + len(queue) > MAX_FORMULAS:
            return [formula]
        literals = queue.pop()
        for position, literal in enumerate(literals):
            kind, below = _junction(literal)
            before, after = literals[:position], literals[position + 1 :]
            if kind == z3.Z3_OP_AND:
                queue.extend([*before, each, *after] for each in reversed(below))
                break
            if kind == z3.Z3_OP_OR:
                queue.append([*before, *below, *after])
                break
        else:
            found.append(disjunction(literals))
    return found


class _ConjunctSearch:
    """Houdini. Each candidate is asked for alone: proofs of all at once took ten times as long on agreement protocols.

    alive: of each predicate the candidates left, by number.
    """

    def __init__(self, system: HornSystem, goals: Mapping[Predicate, Sequence[z3.BoolRef]], context: Context) -> None:
        self.goals, self.context = goals, context
        self.alive: dict[Predicate, dict[int, z3.BoolRef]] = {predicate: {} for predicate in system.predicates}
        rules = [(clause, clause.head) for clause in system.clauses if clause.head is not None]
        for clause, head in sorted(rules, key=lambda rule: rule[0].is_fact):
            known = self.alive[head.predicate]
            parts = [p for part in _parts(clause.constraint) if (p := _over_formals(part, head)) is not None]
            if clause.is_fact:  # smaller questions, where steps do not answer them by their shape
                parts = [each for part in parts if part.get_id() not in known for each in _clauses(part)]
            known |= {part.get_id(): part for part in parts if free_variables(part)}
        for predicate, wanted in goals.items():
            # Hard questions come last: each candidate that is dropped later voids the proofs that used it.
            order = sorted(self.alive[predicate].values(), key=lambda part: len(free_variables(part)))
            last = {goal.get_id(): goal for goal in wanted}
            self.alive[predicate] = {part.get_id(): part for part in order if part.get_id() not in last} | last
        sorts = {sort.kind() for predicate in system.predicates for sort in predicate.sorts}
        arithmetic_solver = 2 if z3.Z3_REAL_SORT in sorts and z3.Z3_INT_SORT not in sorts else 6
        self.steps = [_Consecutions(clause, head, self.alive, arithmetic_solver) for clause, head in rules]

    def run(self) -> bool:
        """Drops candidates until each clause hands on the rest; False if there is no time for that."""
        pending = sorted(self.steps, key=lambda step: not step.clause.is_fact)
        while pending:
            step = pending[0]
            lost = self._lost(step)
            if self.context.remaining() <= 0:
                return False
            if lost is None:
                pending.pop(0)
                continue
            for number in lost:
                del self.alive[step.head.predicate][number]
            for other in self.steps:
                if other.forget({(step.head.predicate, number) for number in lost}) and other not in pending:
                    pending.append(other)
        return True

    def _lost(self, step: "_Consecutions") -> list[int] | None:
        """Candidates of the head that the clause may violate; None if it hands on all of them."""
        candidates = self.alive[step.head.predicate]
        goals = {goal.get_id() for goal in self.goals[step.head.predicate]}
        for number, part in candidates.items():
            if number in step.proofs:
                continue
            seconds = self.context.remaining()
            if number not in goals:
                seconds *= BRIEF_SHARE
            model = step.violation(number, part, self.alive, seconds)
            if model is not None:
                return [n for n, other in candidates.items() if step.violated(other, model)]
            if number not in step.proofs:
                return [number]
        return None

    def model(self) -> Model:
        """The goals and the candidates that their proofs use."""
        queue = [(predicate, goal.get_id()) for predicate, parts in self.goals.items() for goal in parts]
        used = set(queue)
        while queue:
            predicate, number = queue.pop()
            proofs = (step.proofs[number] for step in self.steps if step.head.predicate == predicate)
            more = {candidate for proof in proofs for candidate in proof} - used
            used |= more
            queue.extend(more)
        return Model(
            {
                predicate: conjunction([part for number, part in parts.items() if (predicate, number) in used])
                for predicate, parts in self.alive.items()
            }
        )


class _Consecutions:
    """One clause with the candidates of its body, each behind a literal.

    proofs: for each candidate of the head that follows, the candidates of the body that are needed.
    """

    def __init__(
        self,
        clause: Clause,
        head: Application,
        candidates: Mapping[Predicate, Mapping[int, z3.BoolRef]],
        arithmetic_solver: int,
    ) -> None:
        self.clause, self.head = clause, head
        self.proofs: dict[int, frozenset[Candidate]] = {}
        self._solver = z3.SimpleSolver()
        self._solver.set("arith.solver", arithmetic_solver)
        self._solver.add(clause.constraint)
        self._literals: dict[Candidate, z3.BoolRef] = {}
        for atom in clause.body:
            for number, part in candidates[atom.predicate].items():
                literal = z3.Bool(f"candidate {number} of {atom.predicate.name}")
                self._literals[atom.predicate, number] = literal
                self._solver.add(z3.Implies(literal, atom.instance(part)))
        self._renamed = _RenamedConsecutions(clause, head, candidates)
        own = (_over_formals(part, head) for part in _parts(clause.constraint))
        known = candidates[head.predicate]  # a number is a term's only while the term is kept
        self.proofs.update((part.get_id(), frozenset()) for part in own if part is not None and part.get_id() in known)

    def forget(self, lost: set[Candidate]) -> bool:
        """Drops the proofs that use one of these candidates; True if there are any."""
        void = [number for number, proof in self.proofs.items() if proof & lost]
        for number in void:
            del self.proofs[number]
        return bool(void)

    def violation(
        self, number: int, part: z3.BoolRef, alive: Mapping[Predicate, Mapping[int, z3.BoolRef]], seconds: float
    ) -> z3.ModelRef | None:
        """A model in which the candidate does not hold in the head; None if there is a proof now, or no answer."""
        goal = self.head.instance(part)
        found = self._renamed.find(goal, alive)
        if found is not None:
            self.proofs[number] = found
            return None
        known = {literal: key for key, literal in self._literals.items() if key[1] in alive[key[0]]}
        self._solver.set("timeout", max(1, int(1000 * seconds)))
        self._solver.push()
        # candidates(body) & constraint & ~candidate(head)
        self._solver.add(z3.Not(goal))
        begin = time.process_time()
        answer = self._solver.check(*known)
        model = self._solver.model() if answer == z3.sat else None
        if answer == z3.unsat:
            self.proofs[number] = frozenset(known[literal] for literal in self._solver.unsat_core())
            if time.process_time() - begin > HARD_QUESTION_S:
                self._renamed.learn(goal, self.proofs[number], seconds)
        self._solver.pop()
        return model

    def violated(self, part: z3.BoolRef, model: z3.ModelRef) -> bool:
        """Does the formula not hold in the model's head?"""
        return not z3.is_true(model.eval(self.head.instance(part), model_completion=True))


class _RenamedConsecutions:
    """Proofs of candidates of one clause's head, for others that differ from them in their variables only."""

    def __init__(
        self, clause: Clause, head: Application, candidates: Mapping[Predicate, Mapping[int, z3.BoolRef]]
    ) -> None:
        self._clause, self._head, self._candidates = clause, head, candidates
        self._keys: dict[int, Candidate] = {}  # by the positions of the candidates among the conjuncts
        self._proofs: RenamedProofs | None = None
        self._shapes: Counter[int] = Counter()

    def find(
        self, goal: z3.BoolRef, alive: Mapping[Predicate, Mapping[int, z3.BoolRef]]
    ) -> frozenset[Candidate] | None:
        """The candidates of the body that a known proof of the goal needs; None if none is known."""
        if self._proofs is None:
            return None
        dropped = {position for position, (predicate, number) in self._keys.items() if number not in alive[predicate]}
        return self._needed(self._proofs.find(goal, dropped))

    def learn(self, goal: z3.BoolRef, needed: frozenset[Candidate], seconds: float) -> None:
        """Keeps a proof of the goal from the constraint and some candidates of the body, if several candidates of the
        head may have the same one."""
        if not is_quantifier_free(self._clause.constraint):  # then candidates have none, too
            return
        if self._proofs is None:
            self._proofs = self._made()
            known = self._candidates[self._head.predicate].values()
            self._shapes = Counter(self._proofs.shape(self._head.instance(part)) for part in known)
        if self._shapes[self._proofs.shape(goal)] >= REPETITIONS and self._proofs.lacks(goal):
            others = {position for position, key in self._keys.items() if key not in needed}
            # candidates(body) & constraint & ~candidate(head)
            core = self._proofs.core(goal, seconds, others)
            if core is not None:
                self._proofs.add(core, goal)

    def _made(self) -> RenamedProofs:
        parts = split_goals(self._clause.constraint, MAX_BUILT)
        for atom in self._clause.body:
            for number, part in self._candidates[atom.predicate].items():
                self._keys[len(parts)] = atom.predicate, number
                parts.append(atom.instance(part))
        return RenamedProofs(parts)

    def _needed(self, positions: frozenset[int] | None) -> frozenset[Candidate] | None:
        if positions is None:
            return None
        return frozenset(self._keys[position] for position in positions if position in self._keys)
