"""ConstantPropagation: arguments that are always one value, or always equal to another argument."""

from collections import Counter
from dataclasses import dataclass

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.terms.equations import apply_table
from chcverify.terms.occurrence import Occurrences, is_plain
from chcverify.terms.rewrite import is_value
from chcverify.terms.walk import conjunction, conjuncts
from chcverify.transforms.base import BackTranslator, Identity

Shape = tuple[z3.ExprRef | int, ...]
"""What is known of a predicate's arguments: for each its value, or the position of the first argument equal to it."""


class ConstantPropagation:
    """Takes what is known of a predicate's arguments out of its uses, so that these arguments are used no more.

    The facts are the greatest that the clauses preserve, in the domain of `Shape`; clauses whose constraint they
    refute do not count. Every derivation of the new system satisfies them, so it is one of the old system.
    """

    name = "constants"

    def apply(self, system: HornSystem) -> tuple[HornSystem, BackTranslator]:
        memo = Occurrences()
        shapes = _shapes(system, memo)
        known = {predicate: shape for predicate, shape in shapes.items() if _facts(shape)}
        if not known:
            return system, Identity()
        clauses = tuple(_without_known(clause, known, memo) for clause in system.clauses)
        if all(new is old for new, old in zip(clauses, system.clauses, strict=True)):
            return system, Identity()
        return HornSystem(system.predicates, clauses), _Back(known)


@dataclass(frozen=True, eq=False)
class _Back:
    known: dict[Predicate, Shape]

    def model(self, model: Model) -> Model:
        """Conjoins the facts: they are inductive, and the new clauses say nothing where they fail."""
        more = {}
        for predicate, shape in self.known.items():
            formals = predicate.formals
            facts = [formals[i] == (formals[k] if isinstance(k, int) else k) for i, k in _facts(shape)]
            more[predicate] = conjunction([*facts, model[predicate]])
        return model.updated(more)

    def derivation(self, derivation: Derivation) -> Derivation:
        return derivation


def _facts(shape: Shape) -> list[tuple[int, z3.ExprRef | int]]:
    return [(i, known) for i, known in enumerate(shape) if not (isinstance(known, int) and known == i)]


def _shapes(system: HornSystem, memo: Occurrences) -> dict[Predicate, Shape]:
    """Least fixpoint over the clauses; predicates that no clause derives are absent."""
    shapes: dict[Predicate, Shape] = {}
    pending = list(reversed(range(len(system.clauses))))
    waiting = set(pending)
    while pending:
        index = pending.pop()
        waiting.discard(index)
        clause = system.clauses[index]
        if clause.head is None or any(atom.predicate not in shapes for atom in clause.body):
            continue
        derived = _derived(clause, clause.head, shapes, memo)
        predicate = clause.head.predicate
        old = shapes.get(predicate)
        new = old if derived is None else derived if old is None else _join(old, derived)
        if new is None or (old is not None and _keys(old) == _keys(new)):
            continue
        shapes[predicate] = new
        fresh = [user for user in system.using[predicate] if user not in waiting]
        pending.extend(fresh)
        waiting.update(fresh)
    return shapes


def _derived(clause: Clause, head: Application, shapes: dict[Predicate, Shape], memo: Occurrences) -> Shape | None:
    """What the clause shows of its head, given the shapes of its body; None if its constraint is refuted."""
    table: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
    for atom in clause.body:
        for i, known in _facts(shapes[atom.predicate]):
            argument = atom.arguments[i]
            target = atom.arguments[known] if isinstance(known, int) else known
            target = apply_table(target, table, memo)
            if is_plain(argument) and argument.get_id() not in table and not argument.eq(target):
                table[argument.get_id()] = (argument, target)
    if table and z3.is_false(z3.simplify(apply_table(clause.constraint, table, memo))):
        return None
    first: dict[int, int] = {}
    shape: list[z3.ExprRef | int] = []
    for i, argument in enumerate(head.arguments):
        value = argument if is_plain(argument) and not table else z3.simplify(apply_table(argument, table, memo))
        shape.append(value if is_value(value) else first.setdefault(value.get_id(), i))
    return tuple(shape)


def _join(left: Shape, right: Shape) -> Shape:
    first: dict[tuple[object, object], int] = {}
    pairs = zip(left, right, _keys(left), _keys(right), strict=True)
    shape: list[z3.ExprRef | int] = []
    for i, (a, b, key_a, key_b) in enumerate(pairs):
        same_value = not isinstance(a, int) and not isinstance(b, int) and a.eq(b)
        shape.append(a if same_value else first.setdefault((key_a, key_b), i))
    return tuple(shape)


def _keys(shape: Shape) -> list[tuple[bool, int]]:
    return [(True, known) if isinstance(known, int) else (False, known.get_id()) for known in shape]


def _without_known(clause: Clause, known: dict[Predicate, Shape], memo: Occurrences) -> Clause:
    """Puts fresh variables for the known arguments of the body; equations say what they stood for."""
    counts = Counter(key for a in clause.applications for term in a.arguments for key in memo.variables(term))
    counts.update(memo.variables(clause.constraint))
    equations: list[z3.BoolRef] = []

    def free(atom: Application) -> Application:
        arguments = list(atom.arguments)
        for i, fact in _facts(known.get(atom.predicate, ())):
            old = atom.arguments[i]
            if is_plain(old) and counts[old.get_id()] == 1:
                continue
            arguments[i] = z3.FreshConst(old.sort(), "k")
            equations.append(old == (atom.arguments[fact] if isinstance(fact, int) else fact))
        return Application(atom.predicate, tuple(arguments))

    body = tuple(free(atom) for atom in clause.body)
    if not equations:
        return clause
    constraint = conjunction([*conjuncts(clause.constraint), *equations])
    return Clause(clause.head, body, constraint, clause.origin, clause.name)
