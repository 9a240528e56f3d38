"""MergeParallel: clauses with the same predicates in head and body become one."""

from collections.abc import Sequence

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError, steps_of
from chcverify.transforms.exact.decision_trees import merge_by_decision_tree
from chcverify.transforms.grounding import Grounder


class MergeParallel:
    """Joins clauses with the same head predicate and body predicates, in order, by the disjunction of their cases.

    Merged clauses have distinct variables in the body; where their heads differ, arguments are choices. `max_size`
    bounds the constraints that arise (nodes as trees).
    """

    name = "merge"

    def __init__(self, max_size: int = 2_000) -> None:
        self.max_size = max_size

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        work = work or PassContext(system)
        clause_rows = work.clause_rows(system.clauses)
        groups: dict[tuple[object, ...], list[int]] = {}
        for index, clause in enumerate(system.clauses):
            key = (clause.is_query, *(atom.predicate.name for atom in clause.applications))
            groups.setdefault(key, []).append(index)
        packs = [pack for group in groups.values() for pack in self._packs(clause_rows, group, work.arena)]
        if len(packs) == len(system.clauses):
            return system, Identity()
        clauses = tuple(
            system.clauses[pack[0]]
            if len(pack) == 1
            else work.clause(merge_by_decision_tree([clause_rows[i] for i in pack], work))
            for pack in packs
        )
        return HornSystem(system.predicates, clauses), _Choice(clause_rows, packs, work)

    def _packs(self, clause_rows: Sequence[ArenaClause], group: Sequence[int], arena: Arena) -> list[list[int]]:
        """The group in order, cut where the sum of sizes exceeds the bound."""
        packs: list[list[int]] = []
        total = 0
        for index in group:
            terms = [clause_rows[index].constraint, *(a for atom in clause_rows[index].atoms for a in atom.arguments)]
            size = sum(map(arena.size, terms))
            if packs and total + size <= self.max_size:
                packs[-1].append(index)
                total += size
            else:
                packs.append([index])
                total = size
        return packs


@dataclass(frozen=True, eq=False)
class _Choice:
    before: Sequence[ArenaClause]
    packs: Sequence[Sequence[int]]
    work: PassContext

    def model(self, model: Model) -> Model:
        return model

    def derivation(self, derivation: Derivation) -> Derivation:
        """Picks for each step the first merged clause that it is an instance of."""
        of, grounder = self.work.arena.handle, Grounder(self.work.arena)
        steps: list[Step] = []
        given = steps_of(derivation)
        for step in given:
            pack = self.packs[step.clause]
            index = pack[0]
            if len(pack) > 1:
                body = [tuple(map(of, given[p].arguments)) for p in step.premises]
                index = self._pick(pack, step, body, grounder)
            steps.append(Step(index, step.arguments, step.premises))
        return Derivation(tuple(steps))

    def _pick(self, pack: Sequence[int], step: Step, body: Sequence[Sequence[ArenaTerm]], grounder: Grounder) -> int:
        for index in pack:
            clause_row = self.before[index]
            head = None if clause_row.head is None else tuple(map(self.work.arena.handle, step.arguments))
            if grounder.instance(clause_row, head, body) is not None:
                return index
        raise TranslationError(f"no clause merged into clause {step.clause} has the values of its step")
