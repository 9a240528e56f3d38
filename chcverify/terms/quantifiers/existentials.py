"""Elimination of existentially quantified variables that a formula constrains so little that they can be dropped."""

from collections import Counter
from collections.abc import Sequence, Set

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_FORMULAS
from chcverify.quick_dataclass import dataclass
from chcverify.terms.arithmetic.bounds import Intervals
from chcverify.terms.arithmetic.equations import solve_equations
from chcverify.terms.arithmetic.interval import Interval, is_empty
from chcverify.terms.native.arena import Arena, ArenaTerm


def eliminate_existentials(parts: Sequence[ArenaTerm], kept: Set[ArenaTerm], arena: Arena) -> list[ArenaTerm]:
    """Conjuncts equivalent to: exists variables other than `kept`. parts. Some such variables may remain."""
    return _CaseElimination(arena).conjuncts(parts, kept, MAX_ALTERNATIVES)


def without_bounds(parts: Sequence[ArenaTerm], kept: Set[ArenaTerm], arena: Arena) -> list[ArenaTerm]:
    """Drops integers that are only compared with numbers, and can be: they have more values than are excluded.

    [false] where bounds exclude each other.
    """
    intervals = Intervals(arena, parts)
    if any(is_empty(intervals.of(term)) for term in {*intervals.used.values()}):
        return [arena.false]
    compared: dict[ArenaTerm, ArenaTerm] = {}  # the integer of each comparison with a number
    excluded: Counter[ArenaTerm] = Counter()
    elsewhere: set[ArenaTerm] = set()
    for part in parts:
        other = _differing(part, arena)
        variable = other or intervals.used.get(part)
        if variable is None or not (arena.is_variable(variable) and arena.is_integer(variable)):
            elsewhere |= arena.variables(part)
            continue
        compared[part] = variable
        excluded[variable] += other is not None
    gone = {
        variable
        for variable in {*compared.values()} - kept - elsewhere
        if _has_more_than(intervals.of(variable), excluded[variable])
    }
    return [part for part in parts if compared.get(part) not in gone]


def _differing(part: ArenaTerm, arena: Arena) -> ArenaTerm | None:
    """The variable v of v != c for a number c."""
    if arena.kind(part) != z3.Z3_OP_NOT or arena.kind(inner := arena.children(part)[0]) != z3.Z3_OP_EQ:
        return None
    left, right = arena.children(inner)
    for variable, value in ((left, right), (right, left)):
        if arena.is_variable(variable) and arena.number(value) is not None:
            return variable
    return None


def _has_more_than(interval: Interval, count: int) -> bool:
    low, high = interval
    return low is None or high is None or high - low + 1 > count


@dataclass(eq=False)
class _CaseElimination:
    """One elimination, with what all of its cases share."""

    arena: Arena
    cases_left: int = MAX_FORMULAS
    """That may still be looked at: n disjunctions of two about one variable have 2^n cases."""

    def conjuncts(self, parts: Sequence[ArenaTerm], kept: Set[ArenaTerm], nesting: int) -> list[ArenaTerm]:
        """As `eliminate_existentials`. nesting: of disjunctions in each other that may be taken apart."""
        left = without_bounds(without_arrays(parts, kept, self.arena), kept, self.arena)
        return self._without_choices(left, kept, nesting) if nesting else left

    def _without_choices(self, parts: Sequence[ArenaTerm], kept: Set[ArenaTerm], nesting: int) -> list[ArenaTerm]:
        """Drops variables of one disjunction that each of its disjuncts fixes, or hardly constrains.

        exists v. A(v) & (B or C)   <=>   (exists v. A(v) & B) or (exists v. A(v) & C), where A is about v alone.
        """
        arena, out = self.arena, list(parts)
        failed: set[ArenaTerm] = set()  # variables: another disjunction about them has the same cases
        related = _related_by(parts, arena)
        for choice in parts:
            disjuncts = _disjuncts(choice, arena)
            if not 1 < len(disjuncts) <= self.cases_left:
                continue
            own = arena.variables(choice)
            by_itself = 1 if len(own) > 1 else 0
            local = {v for v in own - kept if related[v] == by_itself}
            if not local or not local.isdisjoint(failed) or choice not in out:
                continue
            others = [part for part in out if part != choice]
            about = [part for part in others if arena.variables(part) and arena.variables(part) <= local]
            around = (arena.variables(choice) | kept) - local
            cases = self._cases(about, disjuncts, around, local, nesting - 1)
            if cases is None:
                failed |= local
                continue
            whole = arena.disjunction(dict.fromkeys(cases))
            out = [part for part in others if part not in about] + ([] if arena.true in cases else [whole])
            related = _related_by(out, arena)
        return out

    def _cases(
        self,
        about: Sequence[ArenaTerm],
        disjuncts: Sequence[ArenaTerm],
        kept: Set[ArenaTerm],
        local: Set[ArenaTerm],
        nesting: int,
    ) -> list[ArenaTerm] | None:
        """exists local. about & disjunct, for each of them; None as soon as a local variable remains in one."""
        arena, found = self.arena, []
        for disjunct in disjuncts:
            self.cases_left -= 1
            parts = [*about, *arena.conjuncts(disjunct)]
            rest = solve_equations(parts, lambda variable, _: int(variable not in kept), arena).rest
            case = arena.conjunction(self.conjuncts(rest, kept, nesting))
            if not local.isdisjoint(arena.variables(case)) or self.cases_left <= 0:
                return None
            found.append(case)
        return found


def _related_by(parts: Sequence[ArenaTerm], arena: Arena) -> Counter[ArenaTerm]:
    """For each variable the number of parts that are about others, too."""
    return Counter(v for part in parts if len(arena.variables(part)) > 1 for v in arena.variables(part))


def _disjuncts(part: ArenaTerm, arena: Arena) -> Sequence[ArenaTerm]:
    """Those of a disjunction, or of a negated conjunction; none for other formulas."""
    if arena.kind(part) == z3.Z3_OP_OR:
        return arena.children(part)
    if arena.kind(part) == z3.Z3_OP_NOT and arena.kind(inner := arena.children(part)[0]) == z3.Z3_OP_AND:
        return [arena.complement(each) for each in arena.children(inner)]
    return ()


def without_arrays(parts: Sequence[ArenaTerm], kept: Set[ArenaTerm], arena: Arena) -> list[ArenaTerm]:
    """Drops local arrays that occur only in the definition of another array by writes.

    A = store(... store(a, i, v) ..., j, w) becomes A[i] = v & A[j] = w for numbers i, j, ..., if a is an array variable
    that may go and occurs nowhere else: elsewhere it can be what A is.
    """
    found = [_cells(part, kept, arena) for part in parts]
    if not any(found):
        return list(parts)
    speaking = Counter(variable for part in parts for variable in arena.variables(part))  # how many parts
    out: list[ArenaTerm] = []
    for part, cells in zip(parts, found, strict=True):
        if cells is not None and speaking[cells[0]] == 1:
            base, array, writes = cells
            if not any(base in arena.variables(term) for term in (array, *writes.values())):
                out += [arena.equation(arena.select(array, place), value) for place, value in writes.items()]
                continue
        out.append(part)
    return out


def _cells(
    part: ArenaTerm, kept: Set[ArenaTerm], arena: Arena
) -> tuple[ArenaTerm, ArenaTerm, dict[ArenaTerm, ArenaTerm]] | None:
    """(a, A, {i: v, ...}) for such an equation; the last write to an index counts."""
    if arena.kind(part) != z3.Z3_OP_EQ:
        return None
    left, right = arena.children(part)
    for array, term in ((left, right), (right, left)):
        writes: dict[ArenaTerm, ArenaTerm] = {}
        while arena.kind(term) == z3.Z3_OP_STORE:
            term, place, value = arena.children(term)
            if not arena.is_value(place):
                break
            writes.setdefault(place, value)
        if writes and arena.is_variable(term) and term not in kept:
            return term, array, writes
    return None
