"""The greatest inductive subset of candidate invariants (Flanagan, Leino: Houdini, an annotation assistant, FME 2001).

A clause that holds is asked again only when a candidate of its last proof's unsat core was dropped.
"""

import time
from collections.abc import Iterable, Mapping, Sequence

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate

Candidate = tuple[Predicate, int]
"""A predicate and the position of the formula among its candidates."""


def inductive_subset(
    system: HornSystem,
    candidates: Mapping[Predicate, Sequence[z3.BoolRef]],
    deadline: float,
    known: Mapping[Predicate, z3.BoolRef] | None = None,
    check_s: float = 1.0,
) -> dict[Predicate, list[z3.BoolRef]]:
    """The candidates that are left when those that some clause may violate are dropped until none is.

    Formulas are over the formals; all predicates are keys of the result. Queries play no part. known: invariants of
    some predicates; the result is inductive relative to them. deadline: time.monotonic() at which to give up, keeping
    nothing. check_s: seconds for one clause; a candidate that is undecided then counts as violated.
    """
    assumed = {p: _Assumed(p, list(candidates.get(p, ()))) for p in system.predicates}
    formulas = {p: list(candidates.get(p, ())) for p in system.predicates}
    alive = {(p, i) for p, own in formulas.items() for i in range(len(own))}
    checks: dict[int, _Consecution] = {}
    clauses = [i for i, clause in enumerate(system.clauses) if clause.head and formulas[clause.head.predicate]]
    # A dict as a queue without duplicates; what the facts violate goes first.
    pending = dict.fromkeys(sorted(clauses, key=lambda i: not system.clauses[i].is_fact))
    while pending:
        left = deadline - time.monotonic()
        if left <= 0:
            return {predicate: [] for predicate in formulas}
        index = next(iter(pending))
        del pending[index]
        if index not in checks:
            checks[index] = _Consecution(system.clauses[index], assumed, known or {})
        dropped = checks[index].violated(alive, min(left, check_s))
        if dropped:
            alive -= dropped
            pending[index] = None
            pending.update((i, None) for i, check in checks.items() if check.support & dropped)
    return {p: [formula for i, formula in enumerate(own) if (p, i) in alive] for p, own in formulas.items()}


class _Assumed:
    """The candidates of a predicate, each behind a literal. All are instantiated at once, as one formula."""

    def __init__(self, predicate: Predicate, formulas: Sequence[z3.BoolRef]) -> None:
        self.formulas = formulas
        self.literals = [z3.Bool(f"candidate {i} of {predicate.name}") for i in range(len(formulas))]
        self._all = z3.And([z3.Implies(one, f) for one, f in zip(self.literals, formulas, strict=True)])

    def instance(self, atom: Application) -> z3.BoolRef:
        """What the literals mean for the atom."""
        return _instance(self._all, atom)


class _Consecution:
    """Asks an incremental solver which candidates of a clause's head follow from those of its body.

    support: the candidates that its last proof used; the answer stays true while none of them is dropped.
    """

    def __init__(
        self, clause: Clause, candidates: Mapping[Predicate, _Assumed], known: Mapping[Predicate, z3.BoolRef]
    ) -> None:
        assert clause.head is not None
        self.support: frozenset[Candidate] = frozenset()
        self._target = clause.head.predicate
        self._solver = z3.SimpleSolver()
        self._solver.add(clause.constraint, *_instances(clause.body, known))
        self._solver.add(*(candidates[atom.predicate].instance(atom) for atom in clause.body))
        self._assumptions: list[tuple[z3.BoolRef, Candidate]] = [
            (literal, (predicate, i))
            for predicate in dict.fromkeys(atom.predicate for atom in clause.body)
            for i, literal in enumerate(candidates[predicate].literals)
        ]
        self._goals = _instance(z3.And(list(candidates[self._target].formulas)), clause.head).children()
        self._violated = [z3.Bool(f"candidate {i} of the head is violated") for i in range(len(self._goals))]
        self._solver.add(*(z3.Implies(v, z3.Not(g)) for v, g in zip(self._violated, self._goals, strict=True)))

    def violated(self, alive: set[Candidate], seconds: float) -> set[Candidate]:
        """Some of the head's candidates that do not follow from the body's; none only if all follow."""
        open_ = [i for i in range(len(self._goals)) if (self._target, i) in alive]
        if not open_:
            self.support = frozenset()
            return set()
        end = time.monotonic() + seconds
        # known(body) & candidates(body) & constraint & OR ~candidate(head)
        self._solver.push()
        self._solver.add(z3.Or([self._violated[i] for i in open_]))
        answer, core = self._check(alive, seconds)
        found = self._refuted(open_) if answer == z3.sat else set()
        self._solver.pop()
        if answer == z3.unknown:
            return self._one_by_one(open_, alive, end)
        self.support = core
        return found

    def _one_by_one(self, open_: list[int], alive: set[Candidate], end: float) -> set[Candidate]:
        """As `violated`, with one question for each candidate of the head; they share the time that is left."""
        used: set[Candidate] = set()
        found: set[Candidate] = set()
        for n, i in enumerate(open_):
            share = max(0.05, (end - time.monotonic()) / (len(open_) - n))
            # known(body) & candidates(body) & constraint & ~candidate(head)
            answer, core = self._check(alive, share, self._violated[i])
            used |= core
            if answer != z3.unsat:
                found.add((self._target, i))
        self.support = frozenset(used)
        return found

    def _check(
        self, alive: set[Candidate], seconds: float, *more: z3.BoolRef
    ) -> tuple[z3.CheckSatResult, frozenset[Candidate]]:
        assumed = {literal.get_id(): (literal, c) for literal, c in self._assumptions if c in alive}
        self._solver.set("timeout", max(1, int(1000 * seconds)))
        answer = self._solver.check(*(literal for literal, _ in assumed.values()), *more)
        core: Iterable[z3.BoolRef] = self._solver.unsat_core() if answer == z3.unsat else ()
        ids = {literal.get_id() for literal in core}
        return answer, frozenset(c for key, (_, c) in assumed.items() if key in ids)

    def _refuted(self, open_: list[int]) -> set[Candidate]:
        """The candidates that the solver's model violates, at least one."""
        model = self._solver.model()
        return {
            (self._target, i)
            for i in open_
            if z3.is_true(model.eval(self._violated[i])) or z3.is_false(model.eval(self._goals[i]))
        }


def _instance(formula: z3.BoolRef, atom: Application) -> z3.BoolRef:
    return Model({atom.predicate: formula}).instantiate(atom)


def _instances(atoms: Iterable[Application], formulas: Mapping[Predicate, z3.BoolRef]) -> list[z3.BoolRef]:
    return [_instance(formulas[atom.predicate], atom) for atom in atoms if atom.predicate in formulas]
