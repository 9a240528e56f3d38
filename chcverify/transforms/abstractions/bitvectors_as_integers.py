"""Bit-vectors become integers within the range of their width, read as signed or unsigned by how they are used.

Arithmetic that may wrap around says so (`terms/bitvectors/bits_to_integers.py`); what has no cheap counterpart over
integers is approximated from above. A model comes back exactly: its terms become bit-vectors wide enough for all their
values. A derivation comes back where its steps are instances of the clauses before.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.ground_instance import ground_instance
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.bitvectors.bits_to_integers import IntegerConversion, NoCounterpart
from chcverify.terms.bitvectors.integers_to_bits import NoBits, over_bits
from chcverify.terms.bitvectors.modular_integers import in_range
from chcverify.terms.core.traversal import conjunction, conjuncts, free_variables, is_variable
from chcverify.terms.native import handles
from chcverify.transforms.abstractions.signedness import SignednessClasses, infer_signedness
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError, steps_of


class BitVectorsAsIntegers:
    """Leaves systems with quantifiers as they are."""

    name = "integers"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        if not any(_is_bits(v) for clause in system.clauses for v in clause.variables):
            return system, Identity()
        read = infer_signedness(system)
        after = {predicate: _over_integers(predicate) for predicate in system.predicates}
        found = []
        for index, clause in enumerate(system.clauses):
            try:
                found.append(_Translation(index, clause, read, after).clause())
            except NoCounterpart:
                return system, Identity()
        inexact = frozenset(index for index, (_, exact) in enumerate(found) if not exact)
        changed = HornSystem(tuple(after.values()), tuple(clause for clause, _ in found))
        return changed, _IntegerBackTranslator(system, after, read, inexact)


def _is_bits(term: z3.ExprRef) -> bool:
    return isinstance(term, z3.BitVecRef)


def _over_integers(predicate: Predicate) -> Predicate:
    sorts = tuple(z3.IntSort() if isinstance(s, z3.BitVecSortRef) else s for s in predicate.sorts)
    return replace(predicate, sorts=sorts)


class _Translation:
    """One clause."""

    def __init__(
        self,
        index: int,
        clause: Clause,
        read: SignednessClasses,
        after: Mapping[Predicate, Predicate],
    ) -> None:
        self.before, self.read, self.after = clause, read, after
        self.conversion = IntegerConversion(lambda term: read.of_term(index, term))

    def clause(self) -> tuple[Clause, bool]:
        """The clause over integers, and whether it is equivalent."""
        before, conversion = self.before, self.conversion
        parts = conjuncts(before.constraint)
        constraint = [conversion.formula(part) for part in parts]
        body = tuple(map(self._application, before.body))
        head = None if before.head is None else self._application(before.head)
        defined = _defined(parts, before.body)
        ranges = [
            bound
            for variable, number in conversion.variables.items()
            if variable not in defined
            for bound in in_range(number)
        ]
        whole = conjunction([*ranges, *conversion.facts, *constraint])
        return Clause(head, body, whole, before.origin, before.name), conversion.exact

    def _application(self, atom: Application) -> Application:
        pairs = enumerate(atom.arguments)
        arguments = (self.conversion.argument(a, self.read.of_argument(atom.predicate, i)) for i, a in pairs)
        return Application(self.after[atom.predicate], tuple(arguments))


def _defined(parts: Iterable[z3.BoolRef], body: Sequence[Application]) -> set[int]:
    """Variables that an equation defines by others, by handle: their values are within their range anyway.

    No variable is defined by itself, however indirectly.
    """
    found: dict[int, set[int]] = {}
    given = set(_handles(argument for atom in body for argument in atom.arguments))
    for part in parts:
        if not z3.is_eq(part) or not _is_bits(part.arg(0)):
            continue
        for variable, term in (part.children(), reversed(part.children())):
            key = handles.handle(variable)
            if not is_variable(variable) or key in given or key in found:
                continue
            needs = set(_handles([term]))
            if key not in _closure(needs, found):
                found[key] = needs
                break
    return set(found)


def _handles(terms: Iterable[z3.ExprRef]) -> list[int]:
    return [handles.handle(variable) for variable in free_variables(*terms)]


def _closure(keys: set[int], needs: Mapping[int, set[int]]) -> set[int]:
    """With all that these are defined by."""
    seen, stack = set(keys), list(keys)
    while stack:
        more = needs.get(stack.pop(), set()) - seen
        seen |= more
        stack.extend(more)
    return seen


@dataclass(frozen=True, eq=False)
class _IntegerBackTranslator:
    """inexact: the clauses that are only approximated."""

    before: HornSystem
    after: Mapping[Predicate, Predicate]
    read: SignednessClasses
    inexact: frozenset[int]

    def model(self, model: Model) -> Model:
        return Model({predicate: self._formula(predicate, model) for predicate in self.before.predicates})

    def _formula(self, predicate: Predicate, model: Model) -> z3.BoolRef:
        after = self.after[predicate]
        variables = {
            integer.get_id(): (bits, self.read.of_argument(predicate, i))
            for i, (integer, bits) in enumerate(zip(after.formals, predicate.formals, strict=True))
            if isinstance(bits, z3.BitVecRef)
        }
        try:
            return over_bits(model[after], variables)
        except NoBits as reason:
            raise TranslationError(f"the model cannot be expressed by bit-vectors: {reason}") from None

    def derivation(self, derivation: Derivation) -> Derivation:
        """Numbers become bit-vectors; steps by approximated clauses must be instances."""
        steps: list[Step] = []
        for step in steps_of(derivation):
            clause = self.before.clauses[step.clause]
            sorts = () if clause.head is None else clause.head.predicate.sorts
            arguments = tuple(_value(value, sort) for value, sort in zip(step.arguments, sorts, strict=True))
            if step.clause in self.inexact:
                premises = [steps[premise].arguments for premise in step.premises]
                if ground_instance(clause, arguments, premises) is None:
                    raise TranslationError("a step over integers is none over bit-vectors")
            steps.append(Step(step.clause, arguments, step.premises))
        return Derivation(tuple(steps))


def _value(value: z3.ExprRef, sort: z3.SortRef) -> z3.ExprRef:
    return z3.BitVecVal(value.as_long(), sort.size()) if isinstance(sort, z3.BitVecSortRef) else value
