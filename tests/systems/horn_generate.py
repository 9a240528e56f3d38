"""Random small Horn systems over Int, Real, Bool and bit-vectors, linear or not; about half of them are satisfiable."""

import z3
from hypothesis import strategies as st

from chcverify.horn.system import Application, Clause, HornSystem, Predicate

SORTS = (z3.IntSort(), z3.RealSort(), z3.BoolSort(), z3.BitVecSort(4))
NAMES = ("p", "Q", "loop head", "main@1", "r$2", "let", "+")


@st.composite
def systems(draw: st.DrawFn, sorts: tuple[z3.SortRef, ...] = SORTS, linear: bool = False) -> HornSystem:
    """Up to four predicates of up to three arguments; one to three facts, up to five rules, up to two queries.

    Rules step like the counters of loops. A query asks for one value of an argument (often out of reach: satisfiable).
    """
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    signature = st.lists(st.sampled_from(sorts), max_size=3).map(tuple)
    predicates = [Predicate(name, draw(signature)) for name in names]
    some = st.sampled_from(predicates)
    clauses = [_fact(draw, draw(some)) for _ in range(draw(st.integers(1, 2)))]
    for _ in range(draw(st.integers(0, 5))):
        body = [draw(some) for _ in range(1 if linear else draw(st.integers(1, 2)))]
        clauses.append(_rule(draw, draw(some), body))
    for _ in range(draw(st.sampled_from((1, 1, 1, 2, 0)))):
        clauses.append(_query(draw, draw(some)))
    return HornSystem.of(draw(st.permutations(clauses)), predicates)


def _variables(predicate: Predicate, prefix: str) -> list[z3.ExprRef]:
    return [z3.Const(f"{prefix}{i}", sort) for i, sort in enumerate(predicate.sorts)]


def _value(draw: st.DrawFn, sort: z3.SortRef) -> z3.ExprRef:
    number = draw(st.integers(0, 3))
    if sort.kind() == z3.Z3_BOOL_SORT:
        return z3.BoolVal(number > 1)
    if sort.kind() == z3.Z3_BV_SORT:
        return z3.BitVecVal(number, sort)
    return z3.IntVal(number) if sort.kind() == z3.Z3_INT_SORT else z3.Q(number, 2)


def _fact(draw: st.DrawFn, head: Predicate) -> Clause:
    return Clause(head(*(_value(draw, sort) for sort in head.sorts)), (), z3.BoolVal(True))


def _rule(draw: st.DrawFn, head: Predicate, body: list[Predicate]) -> Clause:
    atoms = [predicate(*_variables(predicate, f"{'xy'[i]} ")) for i, predicate in enumerate(body)]
    known = [argument for atom in atoms for argument in atom.arguments]
    guards = [_guard(draw, argument) for argument in known if draw(st.booleans())]
    arguments = [_update(draw, sort, [v for v in known if v.sort() == sort]) for sort in head.sorts]
    return Clause(head(*arguments), tuple(atoms), z3.And(guards) if guards else z3.BoolVal(True))


def _update(draw: st.DrawFn, sort: z3.SortRef, known: list[z3.ExprRef]) -> z3.ExprRef:
    """A value, a variable, a counter's step or a fresh variable."""
    if not known:
        return _value(draw, sort)
    variable = draw(st.sampled_from(known))
    if sort.kind() == z3.Z3_BOOL_SORT:
        return draw(st.sampled_from((variable, z3.Not(variable))))
    step = z3.If(variable > 1, variable + _value(draw, sort), variable)
    return draw(st.sampled_from((variable, variable, variable + 1, variable + 2, step)))


def _guard(draw: st.DrawFn, variable: z3.ExprRef) -> z3.BoolRef:
    value = _value(draw, variable.sort())
    if z3.is_bool(variable):
        return variable == value
    at_most = z3.ULE(variable, value) if z3.is_bv(variable) else variable <= value
    return draw(st.sampled_from((variable == value, at_most, z3.Not(at_most), z3.Or(at_most, variable != value))))


def _query(draw: st.DrawFn, target: Predicate) -> Clause:
    arguments = _variables(target, "z")
    guards = [argument == _value(draw, argument.sort()) for argument in arguments]
    return Clause(None, (Application(target, tuple(arguments)),), z3.And(guards) if guards else z3.BoolVal(True))


def satisfiable(system: HornSystem, timeout_ms: int = 500) -> bool | None:
    """z3's answer on the system, None for unknown."""
    solver = z3.SolverFor("HORN")
    solver.set("timeout", timeout_ms)
    for clause in system.clauses:
        body = z3.And(*(atom.term for atom in clause.body), clause.constraint)
        head = z3.BoolVal(False) if clause.head is None else clause.head.term
        formula = z3.Implies(body, head)
        solver.add(z3.ForAll(list(clause.variables), formula) if clause.variables else formula)
    answer = solver.check()
    return None if answer == z3.unknown else bool(answer == z3.sat)
