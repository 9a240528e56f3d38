"""The strongest clauses over given literals that hold of all facts seen so far, weakened fact by fact.

Clauses are sets of literals as integers, one bit for each. A clause that a fact violates is replaced by its extensions
by one of the literals that hold of the fact; what another clause implies is left out.
"""

from collections.abc import Iterable, Sequence

import z3

from chcverify.effort import MAX_VISITED
from chcverify.terms.core.traversal import conjunction, disjunction, free_variables
from solvers.invariants.links.link_literals import Literal, Values


class ClauseSet:
    """The clauses of one predicate. At first `false`: no fact is known.

    width: literals of a clause at most, without its guards, unless all of them cover the tracked block. trials:
    arbitrary facts; what one of these violates need not be asked whether it holds of everything.
    """

    def __init__(self, literals: Sequence[Literal], trials: Iterable[Values], width: int) -> None:
        self.literals, self.width = literals, width
        self._trials = [self.signature(values) for values in trials]
        self._free = sum(1 << i for i, literal in enumerate(literals) if literal.is_free or literal.is_guard)
        self._solver = z3.SimpleSolver()
        self._stronger = self._implications()
        self._covers = sum(1 << i for i, literal in enumerate(literals) if literal.covers)
        self._covers |= _united(self._stronger[i] for i in bits(self._covers))
        self.clauses: dict[int, bool] = {0: True}
        """With False for those that hold of everything: kept to recognise what they imply, but no invariants."""
        self._beginning: list[set[int]] = [set() for _ in literals]  # the clauses by their first literals

    def signature(self, values: Values) -> int:
        """The literals that hold of a fact."""
        return sum(1 << i for i, literal in enumerate(self.literals) if literal.holds(values))

    def invariants(self) -> list[int]:
        """The clauses that do not hold of everything."""
        return [clause for clause, says_something in self.clauses.items() if says_something]

    def is_too_large(self) -> bool:
        """True beyond the clauses that the search can work with."""
        return len(self.clauses) > MAX_VISITED

    def add(self, values: Values) -> bool:
        """Weakens the clauses so that they hold of a fact; False if they did."""
        fact = self.signature(values)
        violated = [clause for clause in self.clauses if not clause & fact]
        for clause in violated:
            del self.clauses[clause]
            if clause:
                self._beginning[_first(clause)].remove(clause)
        holding = bits(fact)
        extensions = {e for clause in violated for e in self._extensions(clause, holding)}
        for extension in sorted(extensions, key=int.bit_count):
            if not self._is_implied(extension):
                self.clauses[extension] = not self._is_valid(extension)
                self._beginning[_first(extension)].add(extension)
        return bool(violated)

    def formula(self, clauses: Iterable[int]) -> z3.BoolRef:
        """The conjunction of clauses, over the predicate's formals."""
        return conjunction([clause_term(clause, [x.formula for x in self.literals]) for clause in clauses])

    def _extensions(self, clause: int, holding: Iterable[int]) -> Iterable[int]:
        """The clause with one more of the literals that hold of a fact each, without those that imply it."""
        for i in holding:
            literal = self.literals[i]
            rest = clause & ~self._stronger[i]
            width = (rest & ~self._free).bit_count()
            weight = 0 if self._free >> i & 1 else self.width if literal.is_alone else 1
            extension = rest | 1 << i | literal.needs
            if width + weight <= self.width or not extension & ~self._covers:
                yield extension

    def _is_implied(self, clause: int) -> bool:
        """True if one of the clauses implies the clause, each literal another one.

        Then it has an extension that does whenever a fact violates the one, but not the other, and is no wider.
        """
        wider = [1 << i | self._stronger[i] for i in bits(clause)]
        outside = ~_united(wider)
        inside = (other for i in bits(~outside) for other in self._beginning[i] if not other & outside)
        return any(self._matches(bits(other), wider) for other in inside)

    def _matches(self, literals: list[int], wider: list[int]) -> bool:
        """True if each of the literals can have a set of its own that contains it."""
        if not literals:
            return True
        if len(literals) > len(wider):
            return False
        first, rest = literals[0], literals[1:]
        return any(
            each >> first & 1 and self._matches(rest, wider[:n] + wider[n + 1 :]) for n, each in enumerate(wider)
        )

    def _is_valid(self, clause: int) -> bool:
        """True if the clause holds of everything."""
        if not all(clause & trial for trial in self._trials):
            return False
        # ~literal & ... & ~literal
        return (
            self._solver.check(*(z3.Not(x.formula) for i, x in enumerate(self.literals) if clause >> i & 1)) == z3.unsat
        )

    def _implications(self) -> list[int]:
        """For each literal those about some of its arguments that imply it."""
        used = [{variable.get_id() for variable in free_variables(x.formula)} for x in self.literals]
        stronger = [0] * len(self.literals)
        for i, literal in enumerate(self.literals):
            for j, other in enumerate(self.literals):
                if i == j or used[i] != used[j] or not all(t >> i & 1 or not t >> j & 1 for t in self._trials):
                    continue
                # other & ~literal
                if self._solver.check(conjunction([other.formula, z3.Not(literal.formula)])) == z3.unsat:
                    stronger[i] |= 1 << j
        return stronger


def clause_term(clause: int, terms: Sequence[z3.BoolRef]) -> z3.BoolRef:
    """The clause of literals that stand for, or are, these terms."""
    return disjunction([terms[i] for i in bits(clause)])


def bits(clause: int) -> list[int]:
    """The literals of a clause."""
    out = []
    while clause:
        low = clause & -clause
        out.append(low.bit_length() - 1)
        clause ^= low
    return out


def _first(clause: int) -> int:
    """The first literal of a clause."""
    return (clause & -clause).bit_length() - 1


def _united(clauses: Iterable[int]) -> int:
    """The literals of some clauses."""
    out = 0
    for clause in clauses:
        out |= clause
    return out
