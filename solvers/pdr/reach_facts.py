"""Must summaries: sets of derivable facts with the rule and premises that derive them; derivations from them."""

from collections.abc import Callable

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.raw import RawModel, Renaming, Term
from solvers.pdr.transition_system.rule_system import Rule, RuleSystem

Values = tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class ReachFact:
    """Each fact in `formula` (over the formals) follows by the rule from facts in the premises. point: one or ()."""

    predicate: int
    formula: Term
    rule: Rule
    premises: tuple["ReachFact", ...]
    point: Values


class NotGround(Exception):
    """Raised if no ground instance exists or none was computed (wrong projection, no answer of z3, time over)."""


class DerivationBuilder:
    """Makes the ground steps of a query's reach fact, top down: values for a head, then for the premises' heads."""

    def __init__(self, problem: RuleSystem, timed_out: Callable[[], bool]) -> None:
        self.problem, self.raw, self.timed_out = problem, problem.raw, timed_out
        self._steps: list[Step] = []
        self._index: dict[tuple[int, Values], int] = {}

    def build(self, root: ReachFact) -> Derivation:
        """The derivation of the root's point; raises NotGround if it cannot be computed."""
        # Premises are older than what they prove, so this ends although a fact may be its own indirect premise.
        expanded: dict[tuple[ReachFact, Values], list[tuple[ReachFact, Values]]] = {}
        stack: list[tuple[ReachFact, Values]] = [(root, ())]
        while stack:
            fact, values = stack[-1]
            key = (fact.predicate, values)
            if key in self._index:
                stack.pop()
            elif (fact, values) not in expanded:
                if self.timed_out():
                    raise NotGround("no time left to build the derivation")
                premises = expanded[fact, values] = self._ground(fact, values)
                stack.extend(premises)
            else:
                stack.pop()
                self._finish(key, fact, [self._index[p.predicate, v] for p, v in expanded[fact, values]])
        return Derivation(tuple(self._steps))

    def _finish(self, key: tuple[int, Values], fact: ReachFact, premises: list[int]) -> None:
        main = z3.main_ctx()
        arguments = tuple(self.raw.wrap(value, main) for value in key[1])
        self._index[key] = len(self._steps)
        self._steps.append(Step(fact.rule.index, arguments, tuple(premises)))

    def _ground(self, fact: ReachFact, values: Values) -> list[tuple[ReachFact, Values]]:
        """Values of the premises' heads from which the rule derives the head's values; their points where possible."""
        problem, raw, rule = self.problem, self.raw, fact.rule
        solver = z3.Solver(ctx=raw.context)
        solver.set("timeout", 10_000)
        # rule & head = values & premises' formulas, preferably with the premises' points
        head = Renaming(raw, zip(problem.formals[fact.predicate], values, strict=True))
        solver.add(raw.wrap(head(rule.formula)))
        wishes = []
        for block, premise in zip(rule.body, fact.premises, strict=True):
            solver.add(raw.wrap(block.to_body(premise.formula)))
            equal = [raw.equation(c, v) for c, v in zip(block.constants, premise.point, strict=False)]
            wishes.append(raw.wrap(raw.conjunction(equal)))
        solver.push()
        solver.add(wishes)
        if solver.check() != z3.sat:
            solver.pop()
            if solver.check() != z3.sat:
                raise NotGround("a must summary has no ground instance")
        model = RawModel(raw, solver.model().model.value)
        return [
            (premise, tuple(model.eval(c) for c in block.constants))
            for block, premise in zip(rule.body, fact.premises, strict=True)
        ]
