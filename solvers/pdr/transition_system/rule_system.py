"""The Horn system that the engine searches: native rules over shared constants."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import z3

from chcverify.horn.system import Clause, HornSystem
from chcverify.quick_dataclass import dataclass
from chcverify.terms.arithmetic.linear_literals import Arithmetic, Linear
from chcverify.terms.core.ite_elimination import without_ites
from chcverify.terms.core.traversal import has_quantifier
from chcverify.terms.native.raw import Raw, Renaming, Term
from chcverify.terms.quantifiers.model_based_projection import Projector
from solvers.pdr.transition_system.nominal_variables import enumerated
from solvers.pdr.transition_system.pdr_options import PdrOptions


@dataclass(frozen=True, eq=False)
class BodyAtom:
    """Constants for one body atom: the copy-th occurrence of the predicate in a body, shared by all rules."""

    predicate: int
    constants: tuple[Term, ...]
    to_body: Renaming  # formals -> constants
    lift: Renaming  # constants -> formals


@dataclass(frozen=True, eq=False)
class Rule:
    """tag => formula, over the head's formals, the body's blocks and constants of its own. index: the clause's."""

    index: int
    head: int
    tag: Term
    body: tuple[BodyAtom, ...]
    formula: Term


class RuleSystem:
    """A Horn system as native rules.

    Predicates are numbers, in the order of the system; `query` is one more, without arguments, for the head of queries.
    """

    def __init__(self, system: HornSystem, options: PdrOptions | None = None) -> None:
        self.system, self.options = system, options or PdrOptions()
        self.raw = Raw(z3.Context())
        self.arithmetic = Arithmetic(self.raw)
        self.projector = Projector(self.raw)
        self.number = {predicate: i for i, predicate in enumerate(system.predicates)}
        self.query = len(system.predicates)
        self.names = [predicate.name for predicate in system.predicates] + ["query"]
        self.formals = [tuple(map(self.raw.handle, predicate.formals)) for predicate in system.predicates] + [()]
        self.blocks: dict[tuple[int, int], BodyAtom] = {}
        self.rules: list[list[Rule]] = [[] for _ in self.names]
        for index, clause in enumerate(system.clauses):
            rule = self._rule(index, clause)
            self.rules[rule.head].append(rule)
        # readers[p]: the predicates whose solvers mention a block of p, with that block
        self.readers: list[list[tuple[int, BodyAtom]]] = [[] for _ in self.names]
        for head, rules in enumerate(self.rules):
            for block in {id(b): b for rule in rules for b in rule.body}.values():
                self.readers[block.predicate].append((head, block))

    @cached_property
    def proofs(self) -> Raw:
        """A second context, which makes proofs."""
        return Raw(z3.Context(proof=True))

    @cached_property
    def arithmetic_solver(self) -> int:
        """z3's older simplex (2) for reals without integers, its newer one (6) for all else.

        On steps of agreement protocols over reals the older one needed half of the time; proofs need it, too.
        """
        kinds = {sort.kind() for predicate in self.system.predicates for sort in predicate.sorts}
        return 2 if z3.Z3_REAL_SORT in kinds and z3.Z3_INT_SORT not in kinds else 6

    def _rule(self, index: int, clause: Clause) -> Rule:
        """The clause with the head's arguments renamed to formals and other variables to constants of the problem."""
        raw = self.raw
        constraint, extra = without_ites(clause.constraint)
        pairs: list[tuple[z3.ExprRef, Term]] = []
        head = self.query
        if clause.head is not None:
            head = self.number[clause.head.predicate]
            pairs.extend(zip(clause.head.arguments, self.formals[head], strict=True))
        body: list[BodyAtom] = []
        for atom in clause.body:
            predicate = self.number[atom.predicate]
            block = self._block(predicate, sum(b.predicate == predicate for b in body))
            body.append(block)
            pairs.extend(zip(atom.arguments, block.constants, strict=True))
        named = {old.get_id() for old, _ in pairs}
        for variable in (*clause.variables, *extra):
            if variable.get_id() not in named:
                named.add(variable.get_id())
                pairs.append((variable, raw.fresh(f"c{index}", raw.sort(raw.handle(variable)))))
        rename = Renaming(raw, [(raw.handle(old), new) for old, new in pairs])
        # Formals of the system may be clause variables, too: renaming is simultaneous, so there is no capture.
        formula = raw.simplify(rename(raw.handle(constraint)))
        return Rule(index, head, raw.literal(f"t{index}"), tuple(body), formula)

    def _block(self, predicate: int, copy: int) -> BodyAtom:
        key = (predicate, copy)
        if key not in self.blocks:
            raw, formals = self.raw, self.formals[predicate]
            constants = tuple(raw.fresh(f"b{predicate}.{copy}", raw.sort(formal)) for formal in formals)
            to_body = Renaming(raw, zip(formals, constants, strict=True))
            lift = Renaming(raw, zip(constants, formals, strict=True))
            self.blocks[key] = BodyAtom(predicate, constants, to_body, lift)
        return self.blocks[key]

    @cached_property
    def enumerations(self) -> list[frozenset[Term]]:
        """For each predicate the formals that are compared by equality only."""
        first = [self._block(predicate, 0) for predicate in range(self.query)]
        formulas = [
            first[rule.head].to_body(rule.formula) if rule.head != self.query else rule.formula
            for rules in self.rules
            for rule in rules
        ]
        same: list[tuple[Term, ...]] = []
        for predicate in range(self.query):
            blocks = [block.constants for block in self.blocks.values() if block.predicate == predicate]
            same.extend(zip(*blocks, strict=True))
        found = enumerated(self.raw, formulas, same)
        pairs = [zip(self.formals[block.predicate], block.constants, strict=True) for block in first]
        return [*(frozenset(formal for formal, own in both if own in found) for both in pairs), frozenset()]

    def cube(self, literals: Sequence[Term], predicate: int | None = None) -> tuple[Term, ...]:
        """Canonical literals of a conjunction, each once, without those that a tighter bound makes redundant.

        predicate: the owner of the cube, if its enumerations shall keep their equalities.
        """
        if self.options.values:
            literals = self._with_values(literals)
        whole = frozenset[Term]()
        if predicate is not None and self.options.enumerations:
            whole = self.enumerations[predicate]
        parts = dict.fromkeys(c for literal in literals for c in self._canonical(literal, whole))
        if whole:
            parts = self._without_order(parts, whole)
        tight: dict[object, Term] = {}
        for part in parts:
            form = self.arithmetic.read(part)
            key: object = part if form is None or form.relation == "=" else form.terms
            if key not in tight or self.arithmetic.implies(part, tight[key]):
                tight[key] = part
        return tuple(tight.values())

    def _without_order(self, parts: dict[Term, None], whole: frozenset[Term]) -> dict[Term, None]:
        """The literals without orders of terms that equalities fix, if these are enumerations.

        Projection writes x < 3 and x < y for x != 3 and x != y.
        """
        forms = {part: form for part in parts if (form := self.arithmetic.read(part)) is not None}
        fixed = {f.terms[0][0] for f in forms.values() if f.relation == "=" and len(f.terms) == 1} & whole
        implied = {part for part, f in forms.items() if f.relation != "=" and all(term in fixed for term, _ in f.terms)}
        return dict.fromkeys(part for part in parts if part not in implied)

    def _canonical(self, literal: Term, whole: frozenset[Term]) -> tuple[Term, ...]:
        form = self.arithmetic.read(literal)
        if form is not None and form.relation == "=" and all(term in whole for term, _ in form.terms):
            return (self.arithmetic.build(form),)
        return self.arithmetic.canonical(literal)

    def _with_values(self, literals: Sequence[Term]) -> list[Term]:
        """Rewrites x = 1 & x = y to x = 1 & y = 1.

        Projection writes equal values as equalities of variables; as lemmas, these constrain neither variable.
        """
        equations: dict[Term, Linear] = {}
        for literal in literals:
            linear = self.arithmetic.read(literal)
            if linear is not None and linear.relation == "=":
                equations[literal] = linear
        values = {f.terms[0][0]: f.bound / f.terms[0][1] for f in equations.values() if len(f.terms) == 1}
        pairs = {literal: form for literal, form in equations.items() if is_equality(form)}
        solved = self._propagated(pairs, values)
        if not solved:
            return list(literals)
        out: list[Term] = []
        for literal in literals:
            if literal not in solved:
                out.append(literal)
            else:
                is_int = solved[literal].is_int
                out.extend(
                    self.arithmetic.build(Linear(((term, 1),), "=", values[term], is_int))
                    for term, _ in solved[literal].terms
                )
        return out

    @staticmethod
    def _propagated(pairs: dict[Term, Linear], values: dict[Term, Fraction]) -> dict[Term, Linear]:
        """The equalities x = y where x or y has a value; removes them from `pairs`, extends `values`."""
        solved: dict[Term, Linear] = {}
        while True:
            found = next((pair for pair, f in pairs.items() if any(term in values for term, _ in f.terms)), None)
            if found is None:
                break
            form = solved[found] = pairs.pop(found)
            value = next(values[term] for term, _ in form.terms if term in values)
            values.update((term, value) for term, _ in form.terms)
        return solved


def is_equality(form: Linear) -> bool:
    """True for x = y."""
    return len(form.terms) == 2 and form.bound == 0 and form.terms[0][1] == -form.terms[1][1]


def is_quantified(system: HornSystem) -> bool:
    """True if a constraint contains a quantifier."""
    return has_quantifier(*(clause.constraint for clause in system.clauses))
