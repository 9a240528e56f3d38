"""The domain: for each predicate of the system the formulas (over its formals) by which its states are abstracted."""

from collections.abc import Iterable, Sequence

import z3

from chcverify.terms.native.raw import RawModel, Term
from solvers.pdr.transition_system.rule_system import BodyAtom, RuleSystem

_CONNECTIVES = {z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_NOT, z3.Z3_OP_IMPLIES, z3.Z3_OP_ITE, z3.Z3_OP_XOR}


class Abstraction:
    """The predicate domains.

    Each begins with the Boolean arguments, and the atoms of the clauses over one predicate's arguments only.
    """

    def __init__(self, problem: RuleSystem) -> None:
        self.problem, self.raw = problem, problem.raw
        self.domain: list[dict[Term, None]] = [{} for _ in problem.names]
        for formals, domain in zip(problem.formals, self.domain, strict=True):
            domain.update((f, None) for f in formals if self.raw.sort_kind(f) == z3.Z3_BOOL_SORT)
        for rules in problem.rules:
            for rule in rules:
                atoms = list(self._atoms(rule.formula))
                self._add_atoms(rule.head, set(problem.formals[rule.head]), atoms)
                for block in rule.body:
                    self._add_atoms(block.predicate, set(block.constants), atoms, block)

    def of(self, predicate: int, model: RawModel, block: BodyAtom) -> list[Term]:
        """The abstract state of the block's values in the model: each formula of the domain or its negation."""
        return [p if model.holds(block.to_body(p)) else self._opposite(p) for p in self.domain[predicate]]

    def refine(self, predicate: int, literals: Sequence[Term]) -> bool:
        """Adds the literals' formulas to the domain; False if all of them are already in it."""
        before = len(self.domain[predicate])
        for literal in literals:
            if self._opposite(literal) not in self.domain[predicate]:
                self.domain[predicate][literal] = None
        return len(self.domain[predicate]) > before

    def _opposite(self, literal: Term) -> Term:
        """The negation; of an inequality, the inequality."""
        negation = self.raw.negate(literal)
        parts = self.problem.arithmetic.canonical(negation)
        return parts[0] if len(parts) == 1 else negation

    def _add_atoms(
        self, predicate: int, allowed: set[Term], atoms: Iterable[Term], block: BodyAtom | None = None
    ) -> None:
        for atom in atoms:
            variables = self.problem.projector.variables(atom)
            if variables and variables <= allowed:
                own = atom if block is None else block.lift(atom)
                self.refine(predicate, self.problem.arithmetic.canonical(own))

    def _atoms(self, formula: Term) -> Iterable[Term]:
        """The Boolean subterms that are not made of Boolean ones."""
        raw, seen, stack = self.raw, {formula}, [formula]
        while stack:
            part = stack.pop()
            children = raw.children(part)
            boolean = raw.kind(part) == z3.Z3_OP_EQ and raw.sort_kind(children[0]) == z3.Z3_BOOL_SORT
            if boolean or raw.kind(part) in _CONNECTIVES:
                new = [child for child in children if child not in seen]
                seen.update(new)
                stack.extend(new)
            elif raw.sort_kind(part) == z3.Z3_BOOL_SORT:
                yield part
