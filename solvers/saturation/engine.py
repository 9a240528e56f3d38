"""Engine `saturation`: unions of constrained facts, to which a clause adds where it leads out of them."""

from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.model import Model
from chcverify.effort import MAX_COMPARED, MAX_TRIED
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from chcverify.terms.core.graphs import reaches
from chcverify.terms.core.traversal import disjunction
from solvers.engine import Context, Requirements
from solvers.saturation.clause_images import ClauseImage, ConstrainedFact, FactSolver
from solvers.saturation.derivation_formula import DerivationFormula, TooLarge


class Saturation:
    """Safe with the union as model; unsafe with a derivation along the facts that violate a query."""

    name = "saturation"
    description = "bottom-up evaluation with constrained facts, for clauses that mostly pass values on"
    requires = Requirements(normal=False)

    def solve(self, system: HornSystem, context: Context) -> Result:
        images = _images(system, context)
        following = _following(system)
        computing = next((image for image in images if image.computes and _is_recursive(image.clause, following)), None)
        if computing is not None:
            return Unknown(f"clause {computing.index} derives new values again and again")
        return _Evaluation(system, images, context, MAX_COMPARED + 2 * len(images)).run()


class Tabling:
    """The same for clauses that compute values: each result of a recursive function becomes a fact, as in tabled
    evaluation, and calls with any arguments below a bound are one fact."""

    name = "tabling"
    description = "bottom-up evaluation with constrained facts, for recursive functions with few results"
    requires = Requirements(normal=False)

    def solve(self, system: HornSystem, context: Context) -> Result:
        return _Evaluation(system, _images(system, context), context, MAX_TRIED).run()


def _images(system: HornSystem, context: Context) -> list[ClauseImage]:
    """Of all clauses; of those that there is time for, if it runs out."""
    images = []
    for index, clause in enumerate(system.clauses):
        if context.remaining() <= 0:
            break
        images.append(ClauseImage.of(index, clause))
    return images


def _following(system: HornSystem) -> Mapping[Predicate, set[Predicate]]:
    """For each predicate those of the heads of the clauses that use it."""
    return {
        predicate: {head.predicate for index in using if (head := system.clauses[index].head) is not None}
        for predicate, using in system.using.items()
    }


def _is_recursive(clause: Clause, following: Mapping[Predicate, set[Predicate]]) -> bool:
    """Can the clause's head be used to derive its body?"""
    head = clause.head
    return head is not None and any(
        reaches(head.predicate, atom.predicate, following.__getitem__) for atom in clause.body
    )


class _Evaluation:
    """The evaluation of one system.

    images: of the clauses, all of them unless time is over. most: facts. facts: of each predicate. waiting: the clauses
    under which they may not be closed, each once, in order.
    """

    def __init__(self, system: HornSystem, images: Sequence[ClauseImage], context: Context, most: int) -> None:
        self.system = system
        self.most = most
        self.context = context
        self.images = images
        self.solver = FactSolver(context.seed)
        self.facts: dict[Predicate, list[ConstrainedFact]] = {predicate: [] for predicate in system.predicates}
        self.waiting = sorted(range(len(system.clauses)), key=self._urgency)

    def run(self) -> Result:
        """Adds facts until no clause leads out of them, or a query is violated."""
        while self.waiting and self.context.remaining() > 0:
            index = self.waiting[0]
            answer, premises = self.images[index].violation(self.facts, self.solver, self._milliseconds())
            if answer == z3.unknown:
                return Unknown("no answer whether a clause adds facts")
            if answer == z3.unsat:
                self.waiting.pop(0)
                continue
            if self.system.clauses[index].head is None:
                return self._violated(index, premises)
            self._add(self.images[index].image(premises))
            size = sum(map(len, self.facts.values()))
            self.context.statistics["facts"] = size
            if size > self.most:
                return Unknown(f"{size} facts, and no end")
        if self.waiting:
            return Unknown("time limit")
        return Safe(Model({p: disjunction(fact.formula for fact in found) for p, found in self.facts.items()}))

    def _add(self, fact: ConstrainedFact) -> None:
        """Adds the fact; the clauses that use its predicate wait again."""
        self.facts[fact.predicate].append(fact)
        self.waiting += [index for index in self.system.using[fact.predicate] if index not in self.waiting]
        self.waiting.sort(key=self._urgency)

    def _urgency(self, index: int) -> tuple[bool, int]:
        """Queries come first: a violation ends the run. Then clauses with few atoms."""
        clause = self.system.clauses[index]
        return clause.head is not None, len(clause.body)

    def _violated(self, query: int, premises: tuple[ConstrainedFact, ...]) -> Result:
        """The derivation along these facts; there may be none where what could not be projected was left out."""
        try:
            tree = DerivationFormula(self.images, query, premises)
        except TooLarge:
            return Unknown("a derivation of too many steps")
        if tree.check(self._milliseconds()) == z3.sat:
            return Unsafe(tree.derivation())
        return Unknown("facts that may not be derivable violate a query")

    def _milliseconds(self) -> int:
        return max(1, int(1000 * self.context.remaining()))
