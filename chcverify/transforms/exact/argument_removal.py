"""ArgumentRemoval: drops arguments that no clause looks at, or only to compute other such arguments."""

from collections.abc import Sequence

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.roles import Role
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, Atom, PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError, steps_of
from chcverify.transforms.grounding import Grounder

Position = tuple[Predicate, int]


class ArgumentRemoval:
    """Removes arguments that are not needed.

    An argument is needed if some body use of it is no variable, or a variable that occurs at another needed position.

    Needed positions are constraints, other body arguments and needed arguments of heads (least fixpoint). Best on the
    solved form of clauses (see Simplify). After ConstantPropagation this removes determined arguments, too.

    keep: the roles of arguments that stay in any case.
    """

    name = "arguments"

    def __init__(self, keep: frozenset[Role] = frozenset()) -> None:
        self.keep = keep

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        work = work or PassContext(system)
        clause_rows = work.clause_rows(system.clauses)
        stay = [(p, i) for p in system.predicates for i in range(p.arity) if self.keep and p.role(i) in self.keep]
        needed = _needed(system, clause_rows, work.arena, stay)
        kept = {p: tuple(i for i in range(p.arity) if (p, i) in needed) for p in system.predicates}
        if all(len(kept[p]) == p.arity for p in system.predicates):
            return system, Identity()
        smaller = {p: p.restricted(kept[p]) for p in system.predicates}

        def shrink(atom: Atom) -> Atom:
            return Atom(smaller[atom.predicate], tuple(atom.arguments[i] for i in kept[atom.predicate]))

        def rewrite(clause_row: ArenaClause) -> ArenaClause:
            if all(smaller[atom.predicate] is atom.predicate for atom in clause_row.atoms):
                return clause_row
            head = None if clause_row.head is None else shrink(clause_row.head)
            return ArenaClause(
                head, tuple(map(shrink, clause_row.body)), clause_row.constraint, clause_row.origin, clause_row.name
            )

        new = list(map(rewrite, clause_rows))
        triples = zip(system.clauses, clause_rows, new, strict=True)
        clauses = tuple(clause if a is b else work.clause(b) for clause, a, b in triples)
        result = HornSystem(tuple(smaller.values()), clauses)
        return result, _ArgumentBackTranslator(system, result, kept, work)


def _needed(
    system: HornSystem, clause_rows: Sequence[ArenaClause], memo: Arena, stay: Sequence[Position]
) -> set[Position]:
    """The needed positions, by a worklist from those that stay or are constrained, against the flow of values."""
    needed: set[Position] = set()
    pending: list[Position] = []

    def need(position: Position) -> None:
        if position not in needed:
            needed.add(position)
            pending.append(position)

    for position in stay:
        need(position)
    sources = [_sources(clause_row, memo) for clause_row in clause_rows]
    for clause_row, positions in zip(clause_rows, sources, strict=True):
        constrained = memo.variables(clause_row.constraint)
        for key, places in positions.items():
            if key is None or len(places) > 1 or key in constrained:
                for place in places:
                    need(place)
    while pending:
        predicate, i = pending.pop()
        for index in system.defining[predicate]:
            head = clause_rows[index].head
            assert head is not None
            for key in memo.variables(head.arguments[i]):
                for place in sources[index].get(key, ()):
                    need(place)
    return needed


def _sources(clause_row: ArenaClause, memo: Arena) -> dict[ArenaTerm | None, list[Position]]:
    """For each variable the body positions it occurs in; those of other terms under None, too, as they constrain."""
    table: dict[ArenaTerm | None, list[Position]] = {}
    for atom in clause_row.body:
        for i, argument in enumerate(atom.arguments):
            keys = memo.variables(argument)
            for key in keys if argument in keys else (*keys, None):
                table.setdefault(key, []).append((atom.predicate, i))
    return table


@dataclass(frozen=True, eq=False)
class _ArgumentBackTranslator:
    before: HornSystem
    after: HornSystem
    kept: dict[Predicate, tuple[int, ...]]
    work: PassContext

    def model(self, model: Model) -> Model:
        """The same formulas over the arguments' old positions."""
        arena, work = self.work.arena, self.work
        interpretations = dict(model.interpretations)
        for old in self.before.predicates:
            new, places = self.after.by_name[old.name], self.kept[old]
            if new.arity < old.arity:
                formals = work.formals(old)
                table = dict(zip(work.formals(new), (formals[i] for i in places), strict=True))
                formula = arena.handle(interpretations.pop(new))
                interpretations[old] = arena.wrap(arena.substitute(formula, table))
        return Model(interpretations)

    def derivation(self, derivation: Derivation) -> Derivation:
        """Recomputes the dropped arguments forward: whatever they are in the premises, the clause still applies."""
        arena, grounder = self.work.arena, Grounder(self.work.arena)
        before, after = self.work.clause_rows(self.before.clauses), self.work.clause_rows(self.after.clauses)
        partial: dict[int, ArenaClause] = {}
        values: list[tuple[ArenaTerm, ...]] = []
        steps = []
        for step in steps_of(derivation):
            clause_row = before[step.clause]
            full = given = tuple(map(arena.handle, step.arguments))
            if (
                clause_row.head is not None
                and len(self.kept[clause_row.head.predicate]) < clause_row.head.predicate.arity
            ):
                known = partial.setdefault(
                    step.clause, ArenaClause(after[step.clause].head, clause_row.body, clause_row.constraint)
                )
                found = grounder.instance(known, given, [values[p] for p in step.premises])
                if found is None:
                    raise TranslationError(f"no instance of clause {step.clause} completes its removed arguments")
                completed = [grounder.complete(argument, found) for argument in clause_row.head.arguments]
                for i, value in zip(self.kept[clause_row.head.predicate], given, strict=True):
                    completed[i] = value
                full = tuple(completed)
            values.append(full)
            steps.append(Step(step.clause, tuple(map(arena.wrap, full)), step.premises))
        return Derivation(tuple(steps))
