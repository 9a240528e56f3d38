"""Which candidate invariants of a clause's head follow from those of its body, and from which of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.numbered_variables import with_numbered_variables
from chcverify.terms.core.traversal import conjunction, free_variable_handles, free_variables, is_variable, substitute
from chcverify.terms.native import capi, handles
from chcverify.terms.native.capi import Handle, array

Candidate = tuple[Predicate | None, int]
"""A predicate and the position of the formula among its candidates."""
FALSE_GOAL: Candidate = (None, 0)
"""The head of a query."""

CHECK_UNITS = 1_500_000
"""Of z3's resources for one question, about half a second of the processor where bit-vectors are multiplied: most of
those about functions of public projects take a hundredth."""


@dataclass(frozen=True)
class FollowingGoals:
    """Goals that follow from the support: candidates of the body."""

    goals: frozenset[Candidate]
    support: frozenset[Candidate]


@dataclass(frozen=True, eq=False)
class _BodyCandidate:
    """A candidate of the body."""

    candidate: Candidate
    body: z3.BoolRef
    """The instances of all candidates of its atom."""
    position: int
    """Of its instance among these."""
    is_near: bool
    """It may matter at once."""

    @property
    def formula(self) -> z3.BoolRef:
        """Its instance."""
        found: z3.BoolRef = self.body.arg(self.position)
        return found


class Candidates:
    """Candidates of predicates, over their formals."""

    def __init__(self, formulas: Mapping[Predicate, Sequence[z3.BoolRef]]) -> None:
        self._formulas = formulas
        self._together: dict[Predicate, z3.BoolRef] = {}
        self._numbers: dict[Predicate, dict[Handle, int]] = {}
        self._formals: dict[Predicate, list[Handle]] = {}
        self._variables: dict[Handle, tuple[frozenset[Handle], bool]] = {}  # the formals; are there no arrays?

    def formula(self, predicate: Predicate, number: int) -> z3.BoolRef:
        """A candidate."""
        return self._formulas[predicate][number]

    def numbers(self, predicate: Predicate) -> Mapping[Handle, int]:
        """The positions of a predicate's candidates, by their handles."""
        found = self._numbers.get(predicate)
        if found is None:
            formulas = self._formulas.get(predicate, ())
            found = self._numbers[predicate] = {handles.handle(f): number for number, f in enumerate(formulas)}
        return found

    def arguments(self, atom: Application) -> dict[Handle, Handle]:
        """The arguments of an atom by the formals of its predicate, as handles."""
        formals = self._formals.get(atom.predicate)
        if formals is None:
            formals = self._formals[atom.predicate] = [handles.handle(formal) for formal in atom.predicate.formals]
        return dict(zip(formals, map(handles.handle, atom.arguments), strict=True))

    def of_body(self, atom: Application) -> z3.BoolRef:
        """The conjunction of all candidates of an atom's predicate for its arguments."""
        together = self._together.get(atom.predicate)
        if together is None:
            together = self._together[atom.predicate] = _conjunction(self._formulas.get(atom.predicate, ()))
        return _instance(together, atom)

    def of_head(self, atom: Application, numbers: Sequence[int]) -> z3.BoolRef:
        """The conjunction of some candidates of an atom's predicate for its arguments."""
        formulas = self._formulas[atom.predicate]
        return _instance(_conjunction([formulas[number] for number in numbers]), atom)

    def below(self, argument: z3.ExprRef) -> Collection[Handle]:
        """The variables of a clause's argument that is none itself."""
        return () if is_variable(argument) else free_variable_handles(argument)

    def is_near(self, predicate: Predicate, number: int, wanted: Collection[Handle]) -> bool:
        """False if a candidate is about arrays, or about formals none of which is wanted."""
        variables, is_plain = self._known_variables(self._formulas[predicate][number])
        return is_plain and (not variables or not variables.isdisjoint(wanted))

    def same(self, predicate: Predicate, number: int, other: Predicate, kept: Collection[Handle]) -> int | None:
        """The position among the candidates of another predicate of the same formula, if the formals in it are all
        kept: they stand for the same arguments in both; else None."""
        formula = self._formulas[predicate][number]
        found = self.numbers(other).get(handles.handle(formula))
        return found if found is not None and self._known_variables(formula)[0].issubset(kept) else None

    def _known_variables(self, formula: z3.BoolRef) -> tuple[frozenset[Handle], bool]:
        key = handles.handle(formula)  # of several predicates they are often the same formula
        known = self._variables.get(key)
        if known is None:
            found = free_variables(formula)
            known = frozenset(map(handles.handle, found)), not any(map(z3.is_array, found))
            self._variables[key] = known
        return known


class KnownSupports:
    """Of questions whose goals all followed: the assumptions that this needed. Those about other clauses often differ
    in the names of the variables only: of blowfish_key_setup, 519 of 582."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[z3.BoolRef, frozenset[int]]] = {}  # with the formula, which keeps its id

    def find(self, question: z3.BoolRef) -> frozenset[int] | None:
        """The positions of these assumptions; None if the question is new."""
        found = self._found.get(question.get_id())
        return None if found is None else found[1]

    def add(self, question: z3.BoolRef, support: frozenset[int]) -> None:
        """The goals of this question follow from the assumptions at these positions."""
        self._found[question.get_id()] = question, support


class CandidateConsecution:
    """The candidates of one clause. refused: candidates that may not be assumed. known: of earlier clauses."""

    def __init__(
        self, clause: Clause, candidates: Candidates, refused: Collection[Candidate], known: KnownSupports
    ) -> None:
        self._clause, self._candidates, self._refused, self._known = clause, candidates, refused, known

    def shown(self, goals: AbstractSet[Candidate]) -> FollowingGoals:
        """Those of the goals that follow. A goal is a candidate of the clause's head, or FALSE_GOAL of a query."""
        follow: set[Candidate] = set()
        support: set[Candidate] = set()
        open_: dict[Candidate, z3.BoolRef] = {}
        head = self._clause.head
        if head is None:
            open_[FALSE_GOAL] = z3.BoolVal(False)
        else:
            kept = self._kept(head, goals)
            follow.update(kept)
            support.update(kept.values())
            ordered = sorted(goals - kept.keys(), key=lambda goal: goal[1])
            together = self._candidates.of_head(head, [number for _, number in ordered])
            same = self._same(head, together) if ordered else {}
            for position, goal in enumerate(ordered):
                if position in same:
                    follow.add(goal)
                    support.add(same[position])
                else:
                    open_[goal] = together.arg(position)
        if open_:
            found = self._asked(open_)
            follow.update(found.goals)
            support.update(found.support)
        return FollowingGoals(frozenset(follow), frozenset(support))

    def _asked(self, goals: Mapping[Candidate, z3.BoolRef]) -> FollowingGoals:
        """Those of the goals that a solver shows, now or for an equal question before."""
        given = self._assumptions(goals.values())
        near = [item for item in given if item.is_near]
        parts = (
            self._clause.constraint, _conjunction([item.formula for item in near]), _conjunction(list(goals.values())),
        )  # fmt: skip
        question = with_numbered_variables(_conjunction(parts), self._clause.variables)
        known = self._known.find(question)
        if known is not None:
            return FollowingGoals(frozenset(goals), frozenset(near[position].candidate for position in known))
        asked = _Question(self._clause, given, goals)
        asked.decide()
        found = FollowingGoals(frozenset(asked.follow), frozenset(asked.support))
        if found.goals == goals.keys() and found.support <= {item.candidate for item in near}:
            used = (position for position, item in enumerate(near) if item.candidate in found.support)
            self._known.add(question, frozenset(used))
        return found

    def _kept(self, head: Application, goals: Collection[Candidate]) -> dict[Candidate, Candidate]:
        """The goals about formals that a predicate of the body has for the same arguments, with its candidate that is
        the same formula: most clauses change few arguments, and this takes no substitution."""
        found: dict[Candidate, Candidate] = {}
        at_head = self._candidates.arguments(head)
        for atom in self._clause.body:
            kept = {formal for formal, _ in self._candidates.arguments(atom).items() & at_head.items()}
            for goal in goals:
                number = self._candidates.same(head.predicate, goal[1], atom.predicate, kept)
                if number is not None and (atom.predicate, number) not in self._refused:
                    found.setdefault(goal, (atom.predicate, number))
        return found

    def _same(self, head: Application, goals: z3.BoolRef) -> dict[int, Candidate]:
        """By the positions of some goals, the candidates of the body that say the same there: they are found with the
        formals in the place of the arguments, so that nothing but the goals is substituted. goals: for the head."""
        found: dict[int, Candidate] = {}
        own = free_variable_handles(*head.arguments)
        for atom in self._clause.body:
            if not own.isdisjoint(map(handles.handle, atom.predicate.formals)):
                continue
            numbers = self._candidates.numbers(atom.predicate)
            pairs = zip(atom.arguments, atom.predicate.formals, strict=True)
            back = substitute(goals, [(argument, formal) for argument, formal in pairs if is_variable(argument)])
            for position, node in enumerate(_parts(back)):
                number = numbers.get(node)
                if number is not None and (atom.predicate, number) not in self._refused:
                    found.setdefault(position, (atom.predicate, number))
        return found

    def _assumptions(self, goals: Iterable[z3.BoolRef]) -> list[_BodyCandidate]:
        """The candidates of the body that may be assumed; `is_near` as `_Question` says."""
        near = free_variable_handles(self._clause.constraint, *goals)
        found = []
        for atom in self._clause.body:
            body = self._candidates.of_body(atom)
            wanted = {
                handles.handle(formal)
                for formal, argument in zip(atom.predicate.formals, atom.arguments, strict=True)
                if handles.handle(argument) in near or not near.isdisjoint(self._candidates.below(argument))
            }
            for number in range(body.num_args()):
                if (atom.predicate, number) not in self._refused:
                    is_near = self._candidates.is_near(atom.predicate, number, wanted)
                    found.append(_BodyCandidate((atom.predicate, number), body, number, is_near))
        return found


def _conjunction(formulas: Sequence[z3.BoolRef]) -> z3.BoolRef:
    """A conjunction with these parts, of a single one as well; z3py would compare the sorts of all of them."""
    if not formulas:
        return z3.And()
    context = formulas[0].ctx
    parts = [handles.handle(formula) for formula in formulas]
    made: z3.BoolRef = handles.wrap(capi.mk_and(context.ref().value, len(parts), array(parts)), context)
    return made


def _instance(conjunction_: z3.BoolRef, atom: Application) -> z3.BoolRef:
    """One substitution for all parts: they share most of their terms."""
    return Model({atom.predicate: conjunction_}).instantiate(atom)


def _parts(conjunction_: z3.BoolRef) -> Sequence[Handle]:
    """The conjuncts, as handles: equal ones are the same term."""
    return handles.children(handles.context_of(conjunction_), handles.handle(conjunction_))


class _Question:
    """Goals that a solver decides. follow, support: as of FollowingGoals, after `decide`.

    First only the candidates about variables of the constraint and the goals are assumed, and of arrays none; then
    those that a counterexample violates, until there is none: so the support is small, and so are the questions.
    """

    def __init__(self, clause: Clause, given: Sequence[_BodyCandidate], goals: Mapping[Candidate, z3.BoolRef]) -> None:
        self.follow: set[Candidate] = set()
        self.support: set[Candidate] = set()
        self._open = dict(goals)
        self._solver = z3.SimpleSolver()
        self._solver.set("rlimit", CHECK_UNITS)
        self._solver.add(clause.constraint)
        self._asked = 0
        self._assumed: list[tuple[z3.BoolRef, Candidate]] = []
        self._waiting: list[_BodyCandidate] = []
        for item in given:
            if item.is_near:
                self._assume(item)
            else:
                self._waiting.append(item)

    def decide(self) -> None:
        """Decides all goals together; those that a counterexample violates are left out, then undecided ones."""
        while self._open:
            answer = self._answer(self._open)
            if answer == z3.unknown:
                self._one_by_one()
                return
            if answer == z3.unsat:
                return
            model = self._solver.model()
            violated = [goal for goal, formula in self._open.items() if not z3.is_true(model.eval(formula, True))]
            for goal in violated or list(self._open):
                del self._open[goal]

    def _one_by_one(self) -> None:
        if len(self._open) > 1:
            for goal, formula in self._open.items():
                self._answer({goal: formula})

    def _answer(self, goals: Mapping[Candidate, z3.BoolRef]) -> z3.CheckSatResult:
        """unsat: the goals follow, which is recorded; sat: no candidate excludes the solver's model."""
        self._asked += 1
        is_violated = z3.Bool(f"goals {self._asked} are violated")
        self._solver.add(z3.Implies(is_violated, z3.Not(conjunction(goals.values()))))
        answer = z3.sat
        while answer == z3.sat:
            # candidates(body) & constraint & ~(all goals)
            answer = self._solver.check(is_violated, *(literal for literal, _ in self._assumed))
            if answer == z3.sat and not self._learn():
                return answer
        if answer == z3.unsat:
            core = {literal.get_id() for literal in self._solver.unsat_core()}
            self.support.update(candidate for literal, candidate in self._assumed if literal.get_id() in core)
            self.follow.update(goals)
        return answer

    def _assume(self, item: _BodyCandidate) -> None:
        literal = z3.Bool(f"candidate {len(self._assumed)}")
        self._solver.add(z3.Implies(literal, item.formula))
        self._assumed.append((literal, item.candidate))

    def _learn(self) -> bool:
        """Assumes the candidates that the model violates; False if there are none."""
        model, left = self._solver.model(), []
        for item in self._waiting:
            if z3.is_true(model.eval(item.formula, True)):
                left.append(item)
            else:
                self._assume(item)
        is_new = len(left) < len(self._waiting)
        self._waiting = left
        return is_new
