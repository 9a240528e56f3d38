"""Candidates x = r^k * y for some k, or two such with one k: x is multiplied or divided by r again and again, y stays
(or is 1).

They say that a divisor which was doubled can be halved without a rest until it is the divisor again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, combinations, repeat, takewhile
from operator import mul
from typing import Any

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_COMPARED, QUESTION_RESOURCES
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, substitute, subterms
from solvers.invariants.congruences.congruence_candidates import definitions


@dataclass(frozen=True)
class PowerRelation:
    """Each x is the same power times its base. scaled: pairs of x and base, over a predicate's formals."""

    scaled: tuple[tuple[z3.ArithRef, z3.ArithRef], ...]
    powers: tuple[int, ...]

    def formula(self) -> z3.BoolRef:
        """As a disjunction over the powers."""
        return z3.Or([self._with(power) for power in self.powers])

    def within(self, known: z3.BoolRef) -> "PowerRelation":
        """The relation with those powers that are possible within what is known of the predicate."""
        solver = z3.SimpleSolver()
        solver.set("rlimit", QUESTION_RESOURCES)
        solver.add(known)

        def is_possible(power: int) -> bool:
            solver.push()
            solver.add(self._with(power))
            # known & x = power * base
            answer = solver.check()
            solver.pop()
            return bool(answer != z3.unsat)

        return replace(self, powers=tuple(filter(is_possible, self.powers)))

    def _with(self, power: int) -> z3.BoolRef:
        return conjunction([x == power * base for x, base in self.scaled])

    def products(self) -> Iterator[z3.BoolRef]:
        """The equations between products that follow: x * base of y = y * base of x."""
        for (x, of_x), (y, of_y) in combinations(self.scaled, 2):
            yield x * of_y == y * of_x


def power_relations(system: HornSystem) -> Mapping[Predicate, list[PowerRelation]]:
    """Candidates of each predicate; none where no clause scales an argument by a number."""
    return {predicate: list(_of_predicate(system, predicate)) for predicate in system.predicates}


def without_implied(relations: Sequence[PowerRelation]) -> list[PowerRelation]:
    """The relations whose parts are not all parts of another one."""

    def parts(relation: PowerRelation) -> set[tuple[int, int]]:
        return {(x.get_id(), base.get_id()) for x, base in relation.scaled}

    return [one for one in relations if not any(parts(one) < parts(other) for other in relations)]


def _of_predicate(system: HornSystem, predicate: Predicate) -> Iterator[PowerRelation]:
    steps = [
        (system.clauses[index], atom)
        for index in system.defining[predicate]
        for atom in system.clauses[index].body
        if atom.predicate == predicate
    ]
    formals: Sequence[Any] = predicate.formals
    ratios = {(i, ratio): None for clause, atom in steps for i, ratio in _scaled(clause, atom)}
    kept = [i for i, formal in enumerate(formals) if z3.is_int(formal) and all(_is_kept(c, a, i) for c, a in steps)]
    for ratio in dict.fromkeys(ratio for _, ratio in ratios):
        powers = tuple(takewhile(lambda power: power < 2**64, accumulate(repeat(ratio), mul, initial=1)))
        scaled = [i for i, own in ratios if own == ratio]
        bases = [z3.IntVal(1), *(formals[j] for j in kept if j not in scaled)][:MAX_ALTERNATIVES]
        alone = [((formals[i], base),) for i in scaled for base in bases]
        pairs = [(one, other) for (one,), (other,) in combinations(alone, 2) if not one[0].eq(other[0])]
        for together in [*alone, *pairs[:MAX_COMPARED]]:
            yield PowerRelation(together, powers)


def _scaled(clause: Clause, atom: Application) -> Iterator[tuple[int, int]]:
    """The arguments that become their multiple or their quotient by a number, with that number."""
    assert clause.head is not None
    known = list(definitions(clause))
    for i, (argument, before) in enumerate(zip(clause.head.arguments, atom.arguments, strict=True)):
        if z3.is_int(argument):
            for term in subterms(substitute(substitute(argument, known), known)):
                sides = term.children() if z3.is_app(term) and term.num_args() == 2 else []
                if len(sides) == 2 and any(side.eq(before) for side in sides):
                    numeral = next((side for side in sides if z3.is_int_value(side)), None)
                    kinds = (z3.Z3_OP_MUL, z3.Z3_OP_IDIV)
                    if numeral is not None and term.decl().kind() in kinds and numeral.as_long() > 1:
                        yield i, numeral.as_long()


def _is_kept(clause: Clause, atom: Application, i: int) -> bool:
    """True if the clause hands the argument on."""
    assert clause.head is not None
    return bool(substitute(clause.head.arguments[i], list(definitions(clause))).eq(atom.arguments[i]))
