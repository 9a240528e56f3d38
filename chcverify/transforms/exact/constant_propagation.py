"""ConstantPropagation: arguments that are always one value, or always equal to another argument."""

from collections import Counter

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, Atom, PassContext
from chcverify.transforms.base import BackTranslator, Identity

Known = tuple[int, ArenaTerm | None]
"""What is known of an argument: (position, None) of the first argument equal to it, or (-1, its value)."""
Shape = tuple[Known, ...]
"""What is known of each of a predicate's arguments."""
Facts = list[tuple[int, Known]]
"""Positions of arguments, with what is known of them."""


class ConstantPropagation:
    """Replaces arguments that have a constant value or equal another one, so that these arguments are used no more.

    The facts are the greatest that the clauses preserve, in the domain of `Shape`; clauses whose constraint they
    refute do not count. Every derivation of the new system satisfies them, so it is one of the old system.
    """

    name = "constants"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        work = work or PassContext(system)
        clause_rows = work.clause_rows(system.clauses)
        shapes = _shapes(system, clause_rows, work)
        known = {predicate: facts for predicate, shape in (shapes or {}).items() if (facts := _facts(shape))}
        new = (
            [_without_constants(clause_row, known, work.arena) for clause_row in clause_rows] if known else clause_rows
        )
        if all(a is b for a, b in zip(new, clause_rows, strict=True)):
            return system, Identity()
        triples = zip(system.clauses, clause_rows, new, strict=True)
        clauses = tuple(clause if a is b else work.clause(b) for clause, a, b in triples)
        underived = [predicate for predicate in system.predicates if predicate not in (shapes or {})]
        return HornSystem(system.predicates, clauses), _ConstantBackTranslator(known, underived, work)


@dataclass(frozen=True, eq=False)
class _ConstantBackTranslator:
    known: dict[Predicate, Facts]
    underived: list[Predicate]
    """The predicates that no clause derives, given the facts."""
    work: PassContext

    def model(self, model: Model) -> Model:
        """Conjoins the facts: they are inductive where nothing is derived of the other predicates, and the new clauses
        constrain nothing where they fail."""
        arena, more = self.work.arena, dict.fromkeys(self.underived, self.work.arena.wrap(self.work.arena.false))
        for predicate, known in self.known.items():
            formals = self.work.formals(predicate)
            facts = [arena.equation(formals[i], formals[k] if value is None else value) for i, (k, value) in known]
            formula = arena.handle(model[predicate])
            if formula != arena.false:
                more[predicate] = arena.wrap(arena.conjunction([*facts, formula]))
        return model.updated(more)

    def derivation(self, derivation: Derivation) -> Derivation:
        return derivation


def _facts(shape: Shape) -> Facts:
    return [(i, known) for i, known in enumerate(shape) if known != (i, None)]


def _shapes(system: HornSystem, clause_rows: list[ArenaClause], work: PassContext) -> dict[Predicate, Shape] | None:
    """Least fixpoint over the clauses, None if time runs out; predicates that no clause derives are absent."""
    shapes: dict[Predicate, Shape] = {}
    facts: dict[Predicate, Facts] = {}
    pending = list(reversed(range(len(clause_rows))))
    waiting = set(pending)
    while pending:
        if work.late:
            return None
        index = pending.pop()
        waiting.discard(index)
        clause_row = clause_rows[index]
        if clause_row.head is None or any(atom.predicate not in shapes for atom in clause_row.body):
            continue
        derived = _derived(clause_row, clause_row.head, facts, work.arena)
        predicate = clause_row.head.predicate
        old = shapes.get(predicate)
        new = old if derived is None else derived if old is None else _join(old, derived)
        if new is None or old == new:
            continue
        shapes[predicate], facts[predicate] = new, _facts(new)
        fresh = [user for user in system.using[predicate] if user not in waiting]
        pending.extend(fresh)
        waiting.update(fresh)
    return shapes


def _derived(clause_row: ArenaClause, head: Atom, facts: dict[Predicate, Facts], arena: Arena) -> Shape | None:
    """The facts about the head of the clause, given those about its body; None if its constraint is refuted."""
    table: dict[ArenaTerm, ArenaTerm] = {}
    for atom in clause_row.body:
        for i, (position, value) in facts[atom.predicate]:
            argument = atom.arguments[i]
            target = arena.substitute(atom.arguments[position], table) if value is None else value
            if argument != target and argument not in table and arena.is_variable(argument):
                table[argument] = target
    if table and arena.simplify(arena.substitute(clause_row.constraint, table)) == arena.false:
        return None
    first: dict[ArenaTerm, int] = {}
    values = [arena.simplify(arena.substitute(argument, table)) for argument in head.arguments]
    return tuple((-1, v) if arena.is_value(v) else (first.setdefault(v, i), None) for i, v in enumerate(values))


def _join(left: Shape, right: Shape) -> Shape:
    """The facts that both have: arguments are equal if they are in both, and have a value if it is the same in both."""
    first: dict[tuple[Known, Known], int] = {}
    joined: list[Known] = []
    for i, (a, b) in enumerate(zip(left, right, strict=True)):
        joined.append(a if a == b and a[1] is not None else (first.setdefault((a, b), i), None))
    return tuple(joined)


def _without_constants(clause_row: ArenaClause, known: dict[Predicate, Facts], arena: Arena) -> ArenaClause:
    """Replaces the constant arguments of the body by fresh variables; equations have the replaced terms."""
    if not any(atom.predicate in known for atom in clause_row.body):
        return clause_row
    counts = Counter(key for atom in clause_row.atoms for term in atom.arguments for key in arena.variables(term))
    counts.update(arena.variables(clause_row.constraint))
    equations: list[ArenaTerm] = []

    def free(atom: Atom) -> Atom:
        arguments = list(atom.arguments)
        for i, (position, value) in known.get(atom.predicate, ()):
            old = atom.arguments[i]
            if counts[old] == 1:  # a variable that occurs nowhere else
                continue
            arguments[i] = arena.fresh_like(b"k", old)
            equations.append(arena.equation(old, atom.arguments[position] if value is None else value))
        return Atom(atom.predicate, tuple(arguments))

    body = tuple(map(free, clause_row.body))
    if not equations:
        return clause_row
    constraint = arena.conjunction([*arena.conjuncts(clause_row.constraint), *equations])
    return ArenaClause(clause_row.head, body, constraint, clause_row.origin, clause_row.name)
