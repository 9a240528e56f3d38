"""Named parts of a model, so that its text is as short as what it describes: auxiliary predicates with definitions.

What they are. Definition number i says h_i(x) <=> B_i(x). B_i uses only earlier h, and only positively: below
conjunctions, disjunctions, the branches of choices and the right-hand sides of implications; all universal quantifiers
stand in front. Since no definition uses itself, even indirectly, h_1, h_2, ... exist, and every formula over them could
be written without them. Written out it may be exponentially longer: with h_i(x) <=> h_(i-1)(x) and h_(i-1)(x + 1), the
formula h_20(0) stands for a conjunction of a million atoms.

What is proved. A clause `constraint and body => head`, where the model's formulas contain such h, must hold for the h
that the definitions describe. There are two ways to show that (`claim`):

- Some h occur in the body. Each of them is replaced once by its right-hand side, and whatever h occurs then is left
  uninterpreted. If the implication is valid for every meaning of these h, then it is valid for the meaning that their
  definitions give them. Where a right-hand side begins with universal quantifiers, only instances of it are assumed,
  found by the names of the variables; to assume less is never wrong, since it makes the implication harder to prove.
- No h occurs in the body. Then the negation of the head is refuted by one walk through the definitions, from the last
  to the first (`_Refutation`): h_i(t) is false only if one of the atoms of B_i(t) is. The walk keeps one copy of each
  definition; where several atoms lead to h_i, its arguments are a choice among theirs, so there are as many copies as
  definitions and not as many as atoms (Flanagan, Saxe: Avoiding exponential explosion, POPL 2001).

Example. h_1(x) <=> x >= 0; h_2(x) <=> h_1(x) and h_1(x + 1). The fact `x = 0 => h_2(x)`: no h in the body. h_2(0) would
be false only if h_1(y) is false for y = 0 or y = 1; y is one variable with this choice, and y >= 0 is valid. The step
`h_2(x) => h_1(x + 1)`: h_2(x) is replaced by h_1(x) and h_1(x + 1), which implies the head for every meaning of h_1.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import z3

from chcverify.certificate.kernel.definition_uses import DefinitionUses
from chcverify.certificate.kernel.obligation import MalformedCertificate
from chcverify.certificate.kernel.path_conditions import Call, PathFormula, merged
from chcverify.certificate.model import Definition
from chcverify.effort import MAX_CASES, QUESTION_RESOURCES
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    disjunction,
    disjuncts,
    equation,
    substitute,
    subterms,
)
from chcverify.terms.native import handles

MARK = "~~"
"""Quantified variables of one name and several sorts get it with a number behind their name."""


class Definitions:
    """The definitions of one model. Raises Refused where they are not as the module's docstring demands."""

    def __init__(self, items: Sequence[Definition]) -> None:
        self.items = items
        self._place = {handles.handle(item.predicate.function): i for i, item in enumerate(items)}
        if len({item.predicate.name for item in items}) < len(items):
            raise MalformedCertificate("two definitions have the same name")
        self.uses = DefinitionUses(self._place)
        self._parts = [_matrix(item.body) for item in items]
        for i, (_, matrix) in enumerate(self._parts):
            if any(place >= i for place in self.uses.of(matrix)):
                raise MalformedCertificate(
                    f"the definition of {items[i].predicate.name} uses one that does not come before it"
                )

    def right_hand_side(self, place: int) -> tuple[tuple[z3.ExprRef, ...], z3.BoolRef]:
        """The quantified variables as constants, by their names with a mark, and the right-hand side over them."""
        return self._parts[place]

    def without_atoms(self, formula: z3.BoolRef) -> z3.BoolRef:
        """The formula with its definitions' atoms replaced by something about their arguments: has the same symbols."""
        atoms = self.uses.atoms(formula)
        reflexive = [conjunction(equation(a, a) for a in _arguments(atom)) for atom in atoms]
        return substitute(formula, zip(atoms, reflexive, strict=True))

    def closed(self) -> Iterator[z3.BoolRef]:
        """Formulas without free constants, if the definitions speak of nothing but their arguments."""
        for item, (bound, matrix) in zip(self.items, self._parts, strict=True):
            variables = [*item.predicate.formals, *bound]
            formula = self.without_atoms(matrix)
            yield z3.ForAll(variables, formula) if variables else formula

    def claim(
        self, constraint: z3.BoolRef, body: Sequence[z3.BoolRef], head: z3.BoolRef, variables: Sequence[z3.ExprRef]
    ) -> "Claim":
        """constraint & body => head, as the module's docstring says. variables: the clause's, but for the body's."""
        uses = DefinitionUses(self._place, self.uses)
        if not any(map(uses.of, body)):
            assumption = conjunction([constraint, *body])
            return _Refutation(self).claim(assumption, self._case(assumption, head))
        instances = _Instances(self, uses, variables)
        if len(body) > 1:
            unfolded = [instances.unfolded(atom) for atom in body]
            return Claim(conjunction([constraint, *unfolded]), head, tuple(instances.others))
        common, cases = _cases(body[0], uses)
        wanted, goals = _cases(head, uses)
        plain = conjunction(wanted)
        used = [(goal, uses.of(goal)) for goal in goals]
        denied = []
        for case in cases:
            unfolded_case = instances.unfolded(case)
            # Of the head only what this case leads to: a stronger goal.
            reached = uses.of(unfolded_case)
            goal = conjunction([plain, disjunction(goal for goal, there in used if there <= reached)])
            denied.append(conjunction([unfolded_case, z3.Not(goal)]))
        assumption = conjunction([constraint, *common, disjunction(denied)])
        return Claim(assumption, z3.BoolVal(False), tuple(instances.others))

    def _case(self, assumption: z3.BoolRef, head: z3.BoolRef) -> z3.BoolRef:
        """Of several cases with atoms the one whose other parts follow from the assumption: a stronger goal.

        Where no single one follows: in each, the atoms must hold where its other parts do, and those of no case before
        it; and the other parts of some case must hold.
        """
        common, goals = _cases(head, self.uses)
        cases = [case for case in goals if self.uses.of(case)]
        if len(cases) < 2:
            return head
        for case in cases:
            solver = z3.SimpleSolver()
            solver.set("rlimit", QUESTION_RESOURCES)
            solver.add(assumption, z3.Not(self._plain(case)))
            # assumption & ~(the case without its atoms)
            if solver.check() == z3.unsat:
                return conjunction([*common, case])
        parts, before = [], z3.BoolVal(True)
        for case in goals:
            plain = self._plain(case)
            atoms = conjunction([part for part in conjuncts(case) if self.uses.of(part)])
            parts.append(z3.Implies(conjunction([before, plain]), atoms))
            before = conjunction([before, z3.Not(plain)])
        return conjunction([*common, disjunction(map(self._plain, goals)), *parts])

    def _plain(self, case: z3.BoolRef) -> z3.BoolRef:
        """The conjuncts of a case that use no definitions."""
        return conjunction([part for part in conjuncts(case) if not self.uses.of(part)])


def _cases(formula: z3.BoolRef, uses: DefinitionUses) -> tuple[list[z3.BoolRef], list[z3.BoolRef]]:
    """Conjuncts without definitions, and disjuncts of the only other one: the formula says that all of the former hold
    and one of the latter. No conjuncts, and the formula's own disjuncts, if others than one use definitions."""
    parts = conjuncts(formula)
    leading = [part for part in parts if uses.of(part)]
    if len(leading) != 1:
        return [], disjuncts(formula)
    return [part for part in parts if not uses.of(part)], disjuncts(leading[0])


@dataclass(frozen=True, eq=False)
class Claim:
    """assumption => goal. variables: those that are not the clause's."""

    assumption: z3.BoolRef
    goal: z3.BoolRef
    variables: tuple[z3.ExprRef, ...]


class _Instances:
    """Right-hand sides for a clause: what is quantified gets the clause's variable of the same name and sort.

    If there is none, for a clause that was written and read may have other names, all of that sort are tried, in some
    of the ways to combine them.
    """

    def __init__(self, definitions: Definitions, uses: DefinitionUses, variables: Sequence[z3.ExprRef]) -> None:
        self.others: list[z3.ExprRef] = []
        self._definitions = definitions
        self._uses = uses
        self._variables = variables

    def unfolded(self, formula: z3.BoolRef) -> z3.BoolRef:
        """The formula, and the right-hand sides of those of its conjuncts that are atoms of definitions."""
        atoms = self._uses.conjoined_atoms(formula)
        return conjunction([formula, *(instance for atom in atoms for instance in self._instances(atom))])

    def _instances(self, atom: z3.BoolRef) -> Iterator[z3.BoolRef]:
        place = self._uses.number(atom)
        assert place is not None
        bound, matrix = self._definitions.right_hand_side(place)
        formals = self._definitions.items[place].predicate.formals
        for chosen in self._choices(bound):
            yield substitute(matrix, zip([*bound, *formals], [*chosen, *_arguments(atom)], strict=True))

    def _choices(self, bound: Sequence[z3.ExprRef]) -> list[tuple[z3.ExprRef, ...]]:
        options = list(map(self._options, bound))
        if math.prod(map(len, options)) <= MAX_CASES:
            return list(itertools.product(*options))
        # In order, each sort on its own.
        seen: dict[int, int] = {}
        chosen = []
        for variable, option in zip(bound, options, strict=True):
            at = seen.get(variable.sort().get_id(), 0)
            chosen.append(option[min(at, len(option) - 1)])
            seen[variable.sort().get_id()] = at + 1
        return [tuple(chosen)]

    def _options(self, bound: z3.ExprRef) -> list[z3.ExprRef]:
        name = str(bound.decl().name()).partition(MARK)[0]
        fitting = [variable for variable in self._variables if variable.sort() == bound.sort()]
        named = [variable for variable in fitting if str(variable.decl().name()) == name]
        if named or fitting:
            return named or fitting
        self.others.append(z3.FreshConst(bound.sort(), "any"))
        return self.others[-1:]


@dataclass(frozen=True, eq=False)
class _Exit:
    """A part of a formula that must hold where all of `when` do; an atom of definition number `place`, or of none."""

    when: tuple[z3.BoolRef, ...]
    part: z3.BoolRef
    place: int | None


class _Refutation:
    """Makes a formula that is satisfiable iff a formula over definitions is not valid.

    If it is not valid, there is a path from it through definitions to a part that fails: at a conjunction one that
    fails is chosen, at a quantifier a value. The definitions' numbers fall along the path, so it passes each at most
    once, and one copy of its variables is enough. `calls` gives, for each definition, under which conditions the path
    comes to it, and with which arguments; at most one of the conditions holds, since where two parts of a conjunction
    lead on, a new Boolean variable says which of them the path takes.

    Where a right-hand side is b(v) => c for a quantified v, v may be any value of b, if there are some, where the path
    does not pass. So b is assumed in any case: solvers can then tell the range of v.
    """

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._variables: list[z3.ExprRef] = []
        self._calls: dict[int, list[Call]] = {}
        self._failures: list[z3.BoolRef] = []
        self._bounds: list[z3.BoolRef] = []

    def claim(self, assumption: z3.BoolRef, formula: z3.BoolRef) -> Claim:
        """assumption => formula, as a claim without definitions."""
        self._pass(formula, PathFormula(), (), ())
        while self._calls:
            place = max(self._calls)
            here, values = merged(self._calls.pop(place))
            bound, matrix = self._definitions.right_hand_side(place)
            self._variables += bound
            self._bounds += _bounds(bound, matrix)
            self._pass(matrix, here, self._definitions.items[place].predicate.formals, values)
        denied = disjunction(self._failures)
        return Claim(conjunction([assumption, *self._bounds, denied]), z3.BoolVal(False), tuple(self._variables))

    def _pass(
        self, formula: z3.BoolRef, here: PathFormula, formals: Sequence[z3.ExprRef], values: Sequence[z3.ExprRef]
    ) -> None:
        """The path is at the formula, with the values for the formals, if `here` holds."""
        for found in self._exits(formula):
            path = here.extended([substitute(condition, zip(formals, values, strict=True)) for condition in found.when])
            part = substitute(found.part, zip(formals, values, strict=True))
            if found.place is None:
                self._failures.append(conjunction([path.term, z3.Not(part)]))
            else:
                self._calls.setdefault(found.place, []).append((path, _arguments(part)))

    def _exits(self, formula: z3.BoolRef) -> Iterator[_Exit]:
        """The parts of the formula, at most one of which, of those that lead on, is where the path goes."""
        uses = self._definitions.uses
        used = uses.of
        stack: list[tuple[z3.BoolRef, tuple[z3.BoolRef, ...]]] = [(formula, ())]
        while stack:
            term, when = stack.pop()
            place = uses.number(term)
            if place is not None or not used(term):
                yield _Exit(when, term, place)
            elif z3.is_and(term):
                stack.extend(self._chosen(term.children(), when))
            elif z3.is_implies(term) and not used(term.arg(0)):
                stack.append((term.arg(1), (*when, term.arg(0))))
            elif z3.is_or(term) and len(leading := [part for part in term.children() if used(part)]) == 1:
                stack.append((leading[0], (*when, *(z3.Not(part) for part in term.children() if not used(part)))))
            elif z3.is_app_of(term, z3.Z3_OP_ITE) and not used(term.arg(0)):
                stack.append((term.arg(1), (*when, term.arg(0))))
                stack.append((term.arg(2), (*when, z3.Not(term.arg(0)))))
            else:
                raise MalformedCertificate("a definition is used in a place where it cannot be taken apart")

    def _chosen(
        self, parts: Sequence[z3.BoolRef], when: tuple[z3.BoolRef, ...]
    ) -> Iterator[tuple[z3.BoolRef, tuple[z3.BoolRef, ...]]]:
        """The conjuncts, each with when the path goes there."""
        leading = [part for part in parts if self._definitions.uses.of(part)]
        yield from ((part, when) for part in parts if not self._definitions.uses.of(part))
        for part in leading[:-1]:
            choice = z3.FreshConst(z3.BoolSort(), "choice")
            self._variables.append(choice)
            yield part, (*when, choice)
            when = (*when, z3.Not(choice))
        yield leading[-1], when


def _arguments(atom: z3.ExprRef) -> list[z3.ExprRef]:
    """As atom.children(), in fewer calls."""
    context = handles.context_of(atom)
    return [handles.wrap(node, atom.ctx) for node in handles.children(context, handles.handle(atom))]


def _bounds(variables: Sequence[z3.ExprRef], matrix: z3.BoolRef) -> list[z3.BoolRef]:
    """Of b => c: for each integer variable with lower and upper bounds in b that some value is within, these."""
    if not z3.is_implies(matrix):
        return []
    parts = [(part, compared) for part in conjuncts(matrix.arg(0)) if (compared := _compared(part)) is not None]
    found = []
    for variable in variables:
        mine = [(part, kind, value) for part, (term, kind, value) in parts if term.eq(variable)]
        lowest = max((value for _, kind, value in mine if kind == z3.Z3_OP_GE), default=None)
        highest = min((value for _, kind, value in mine if kind == z3.Z3_OP_LE), default=None)
        if lowest is not None and highest is not None and lowest <= highest:
            found += [part for part, _, _ in mine]
    return found


def _compared(part: z3.BoolRef) -> tuple[z3.ExprRef, int, int] | None:
    """(v, >= or <=, c) if the formula is v >= c or v <= c, c a number."""
    if not z3.is_app(part) or part.decl().kind() not in (z3.Z3_OP_GE, z3.Z3_OP_LE):
        return None
    value = z3.simplify(part.arg(1))
    return (part.arg(0), part.decl().kind(), value.as_long()) if z3.is_int_value(value) else None


def _matrix(body: z3.BoolRef) -> tuple[tuple[z3.ExprRef, ...], z3.BoolRef]:
    """New constants for the variables of the universal quantifier in front, and what is below it, over them."""
    constants: list[z3.ExprRef] = []
    if z3.is_quantifier(body):
        if not body.is_forall():
            raise MalformedCertificate("a definition has another quantifier than a universal one in front")
        variables = [(str(body.var_name(i)), body.var_sort(i)) for i in range(body.num_vars())]
        constants = [z3.FreshConst(sort, name + MARK) for name, sort in variables]
        body = z3.substitute_vars(body.body(), *reversed(constants))
    if any(z3.is_quantifier(term) for term in subterms(body)):
        raise MalformedCertificate("a definition has a quantifier that is not in front")
    return tuple(constants), body
