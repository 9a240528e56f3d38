"""SplitByValues: data of few values becomes control, where each value has few successors.

A predicate becomes one copy for each reachable valuation of such arguments. `Specialise` evaluates arguments that are
computed from each other; here clauses may be any relations between values before and after, such as a state machine
written as one disjunction, and the solver enumerates them.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction

import z3

from chcverify.effort import LONG_QUESTION_RESOURCES, MAX_COMPARED, MAX_FORMULAS
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjuncts, free_variables, is_nonlinear, substitute, subterms
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Identity
from chcverify.transforms.exact.finite_values import Shape, value_sets
from chcverify.transforms.exact.normalisation import Normalise
from chcverify.transforms.exact.specialised_copies import (
    CopyInstance,
    SpecialisationBackTranslator,
    Values,
    copied,
    system_over,
)

MAX_DENSITY = 0.6
"""The share that a clause may allow of the pairs of a value before and a value after. Chosen by hand."""


class SplitByValues:
    """Late, or if no argument takes few values with few successors each, the system stays as it is.

    parameters: follow only the arguments that some clause multiplies with another variable, or adds to another one
    from one round of a loop to the next, and that no loop changes; those between two bounds, too. Such a factor or step
    becomes a constant in each copy.
    """

    name = "split by values"

    def __init__(self, parameters: bool = False) -> None:
        self.parameters = parameters

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        normal, _ = Normalise().apply(system)  # keeps the clauses' numbers and the derivations' arguments
        used = _factors_and_steps(normal) if self.parameters else set()
        if self.parameters and not used:
            return system, Identity()
        shapes = value_sets(normal, work, ranges=self.parameters)
        if shapes is None:
            return system, Identity()
        if self.parameters:
            shapes = {predicate: _constant(normal, predicate, shape, used) for predicate, shape in shapes.items()}
        followed = {predicate: _followed(normal, predicate, shapes, work) for predicate in normal.predicates}
        while any(followed.values()):
            copies = ReachableCopies(normal, followed, work)
            if copies.explore():
                return system_over(normal, copies), SpecialisationBackTranslator(copies)
            if work is not None and work.late:
                break
            widest = max(followed, key=lambda predicate: len(followed[predicate]))
            followed[widest] = followed[widest][:-1]
        return system, Identity()


def _followed(
    system: HornSystem, predicate: Predicate, shapes: Mapping[Predicate, Shape], work: PassContext | None
) -> list[int]:
    """The positions to follow, sparsest first."""
    found: list[tuple[float, int]] = []
    loops = [c for c in system.clauses if c.head and c.head.predicate == predicate]
    loops = [c for c in loops if any(atom.predicate == predicate for atom in c.body)]
    for i, values in enumerate(shapes.get(predicate, ())):
        if values is None or len(values) < 2 or (work is not None and work.late):
            continue
        most = int(MAX_DENSITY * len(values) ** 2)
        possible = [_count(clause, predicate, i, values, most) for clause in loops]
        if all(count <= most for count in possible):
            found.append((max(possible, default=0) / len(values) ** 2, i))
    return [i for _, i in sorted(found)]


def _constant(system: HornSystem, predicate: Predicate, shape: Shape, used: Set[tuple[Predicate, int]]) -> Shape:
    """The values of those of the used arguments that each clause from the predicate to itself hands on as they are."""
    loops = [c for c in system.clauses if c.head is not None and c.head.predicate == predicate]
    pairs = [(atom, c) for c in loops for atom in c.body if atom.predicate == predicate]
    kept = [values if (predicate, i) in used else None for i, values in enumerate(shape)]
    for i, values in enumerate(kept):
        for atom, clause in pairs if values is not None else ():
            assert clause.head is not None
            before, after = atom.arguments[i], clause.head.arguments[i]
            equal = (after == before, before == after)
            if not any(part.eq(each) for part in conjuncts(clause.constraint) for each in equal):
                kept[i] = None
    return tuple(kept)


def _factors_and_steps(system: HornSystem) -> set[tuple[Predicate, int]]:
    """The positions of body atoms whose variable is a factor of a product, or is added to another one by a loop."""
    found = set()
    for clause in system.clauses:
        used = {
            factor.get_id() for term in subterms(clause.constraint) if is_nonlinear(term) for factor in term.children()
        }
        if clause.head is not None and any(atom.predicate == clause.head.predicate for atom in clause.body):
            used |= _summands(clause)
        for atom in clause.body:
            found |= {(atom.predicate, i) for i, argument in enumerate(atom.arguments) if argument.get_id() in used}
    return found


def _summands(clause: Clause) -> set[int]:
    """The ids of the variables of the sums that the clause's head gets, where these have two variables or more."""
    assert clause.head is not None
    results = {argument.get_id() for argument in clause.head.arguments}
    found: set[int] = set()
    for part in conjuncts(clause.constraint):
        if z3.is_eq(part) and any(side.get_id() in results for side in part.children()):
            for side in part.children():
                variables = free_variables(side)
                if z3.is_add(side) and len(variables) > 1:
                    found |= {variable.get_id() for variable in variables}
    return found


def _count(clause: Clause, predicate: Predicate, position: int, values: Iterable[Fraction], most: int) -> int:
    """The number of pairs of values before and after; `most` + 1 if there are more, or the solver has no answer."""
    assert clause.head is not None
    before = next(atom for atom in clause.body if atom.predicate == predicate).arguments[position]
    known = [z3.Or([before == z3.RealVal(value) for value in values])]
    try:
        return len(_valuations(clause, (before, clause.head.arguments[position]), known, most))
    except _Open:
        return most + 1


def _valuations(
    clause: Clause, variables: Sequence[z3.ExprRef], known: Sequence[z3.BoolRef] = (), most: int = 1
) -> list[tuple[z3.ExprRef, ...]]:
    """The values of these variables in the instances of the clause, at most one more than `most` of them.

    Raises _Open if the solver has no answer. The form `split` of a protocol of 170 arguments takes 0.9 s; it took 3.0 s
    with z3's default solver, which starts anew for the first check of each clause.
    """
    solver = z3.SimpleSolver()
    solver.set("rlimit", LONG_QUESTION_RESOURCES)
    solver.add(clause.constraint, *known)
    found: list[tuple[z3.ExprRef, ...]] = []
    while len(found) <= most:
        # constraint & known & the values are none of those found
        answer = solver.check()
        if answer == z3.unknown:
            raise _Open
        if answer == z3.unsat:
            break
        model = solver.model()
        values = tuple(model.eval(variable, model_completion=True) for variable in variables)
        found.append(values)
        if not variables:
            break
        solver.add(z3.Or([variable != value for variable, value in zip(variables, values, strict=True)]))
    return found


class _Open(Exception):
    """Raised if the solver has no answer."""


class ReachableCopies:
    """The copies of each predicate, by the values of its followed arguments. most: copies of all predicates."""

    def __init__(
        self,
        system: HornSystem,
        followed: Mapping[Predicate, Sequence[int]],
        work: PassContext | None,
        most: int = MAX_COMPARED,
    ):
        self.before, self.followed, self.work, self.most = system, followed, work, most
        self.of: dict[Predicate, dict[Values, Predicate]] = {predicate: {} for predicate in system.predicates}
        self.instances: list[CopyInstance] = []

    def explore(self) -> bool:
        """Enumerates what the facts lead to; False if there are too many copies, or an open question."""
        try:
            return self._explore()
        except _Open:
            return False

    def _explore(self) -> bool:
        queue: list[tuple[Predicate, Values]] = []
        for index, clause in enumerate(self.before.clauses):
            if len(clause.body) > 1:
                return False
            if clause.is_fact or not clause.body:
                queue += self._instances(index, clause, None)
        while queue:
            predicate, values = queue.pop()
            if sum(map(len, self.of.values())) > self.most or (self.work is not None and self.work.late):
                return False
            for index in self.before.using[predicate]:
                queue += self._instances(index, self.before.clauses[index], values)
        return True

    def _instances(self, index: int, clause: Clause, body: Values | None) -> list[tuple[Predicate, Values]]:
        """Adds the clause's instances on a copy of its body; the new copies."""
        pairs = []
        if body is not None:
            pairs = [(a, v) for a, v in zip(clause.body[0].arguments, body, strict=True) if v is not None]
        constraint = z3.simplify(substitute(clause.constraint, pairs))
        if z3.is_false(constraint):
            return []
        known = replace(clause, constraint=constraint)
        bodies = () if body is None else (body,)
        if clause.head is None:
            if _valuations(known, ()):
                self.instances.append(CopyInstance(index, (), bodies, constraint))
            return []
        head, new = clause.head, []
        positions = self.followed[head.predicate]
        valuations = _valuations(known, [head.arguments[i] for i in positions], (), self.most)
        if len(valuations) > self.most:
            raise _Open
        for found in valuations:
            values = dict(zip(positions, found, strict=True))
            key: Values = tuple(values.get(i) for i in range(head.predicate.arity))
            self.instances.append(CopyInstance(index, key, bodies, constraint))
            if key not in self.of[head.predicate]:
                self.of[head.predicate][key] = copied(self.before, head.predicate, key, len(self.of[head.predicate]))
                new.append((head.predicate, key))
        return new


class SplitByFlags:
    """Boolean arguments that all facts of their predicate fix become control.

    Translations of transition systems write the program counter, the phase of a protocol or the mode of an automaton as
    a few Booleans of one predicate, and all steps as one disjunction. A copy of the predicate for each reachable
    valuation of them is the control-flow graph again. With too many copies, the system stays as it is.
    """

    name = "split by flags"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        if not system.is_linear or not any(_flags(predicate) for predicate in system.predicates):
            return system, Identity()
        normal, _ = Normalise().apply(system)  # keeps the clauses' numbers and the derivations' arguments
        followed = {predicate: _fixed(normal, predicate) for predicate in normal.predicates}
        copies = ReachableCopies(normal, followed, work, MAX_FORMULAS)
        if not any(followed.values()) or not copies.explore():
            return system, Identity()
        return system_over(normal, copies), SpecialisationBackTranslator(copies)


def _flags(predicate: Predicate) -> list[int]:
    return [i for i, sort in enumerate(predicate.sorts) if sort.kind() == z3.Z3_BOOL_SORT]


def _fixed(system: HornSystem, predicate: Predicate) -> list[int]:
    """The Boolean positions that have one value in each fact of the predicate; all of them if it has no facts."""
    found = _flags(predicate)
    for clause in system.clauses:
        if clause.body or clause.head is None or clause.head.predicate != predicate or not found:
            continue
        solver = z3.Solver()
        solver.set("rlimit", LONG_QUESTION_RESOURCES)
        solver.add(clause.constraint)
        arguments = clause.head.arguments
        # constraint & argument; constraint & not argument
        found = [i for i in found if z3.unsat in (solver.check(arguments[i]), solver.check(z3.Not(arguments[i])))]
    return found
