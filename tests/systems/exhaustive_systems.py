"""Random Horn systems over small sorts, and their least models and derivations by exhaustive ground evaluation.

Nothing here uses the transforms or a solver: clauses are evaluated on all values of their variables.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping

import z3
from hypothesis import assume
from hypothesis import strategies as st

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjuncts, free_variables

BOOL, BITS, INT = z3.BoolSort(), z3.BitVecSort(2), z3.IntSort()
Fact = tuple[str, tuple[int, ...]]


def variables(sort: z3.SortRef, count: int = 2) -> list[z3.ExprRef]:
    letter = {z3.Z3_BOOL_SORT: "b", z3.Z3_INT_SORT: "i"}.get(sort.kind(), "v")
    return [z3.Const(f"{letter}{i}", sort) for i in range(count)]


@st.composite
def terms(draw: st.DrawFn, sort: z3.SortRef) -> z3.ExprRef:
    """A variable, a value, or one operation on them."""
    plain = st.sampled_from(variables(sort))
    if sort == BOOL:
        return draw(st.one_of(plain, plain, plain.map(z3.Not), st.booleans().map(z3.BoolVal)))
    value = st.integers(0, 3).map(lambda n: z3.IntVal(n) if sort == INT else z3.BitVecVal(n, 2))
    atom = st.one_of(plain, plain, value)
    kind = draw(st.sampled_from(["atom", "atom", "atom", "sum", "difference", "ite"]))
    if kind == "atom":
        return draw(atom)
    left, right = draw(atom), draw(atom)
    if kind == "ite":
        return z3.If(draw(literals(sort, nested=False)), left, right)
    return left + right if kind == "sum" else left - right


@st.composite
def literals(draw: st.DrawFn, sort: z3.SortRef, nested: bool = True) -> z3.BoolRef:
    term = terms(sort) if nested else st.sampled_from(variables(sort))
    left, right = draw(term), draw(term)
    kind = draw(st.sampled_from(["=", "=", "=", "!=", "<=", "or"]))
    if kind == "or" and nested:
        return z3.Or(left == right, draw(literals(sort, nested=False)))
    if kind == "<=" and sort != BOOL:
        return left <= right if sort == INT else z3.ULE(left, right)
    return left != right if kind == "!=" else left == right


@st.composite
def systems(
    draw: st.DrawFn, sorts: tuple[z3.SortRef, ...] = (BOOL, BITS), linear: bool = False, normal: bool = False
) -> HornSystem:
    """Up to five predicates of arity up to three, a fact, a query, and up to eight more clauses."""
    signature = st.lists(st.sampled_from(sorts), max_size=3).map(tuple)
    predicates = [Predicate(f"p{i}", draw(signature)) for i in range(draw(st.integers(1, 5)))]

    def application(predicate: Predicate, prefix: str) -> Application:
        if normal:
            return predicate(*(z3.Const(f"{prefix}{sort}{i}", sort) for i, sort in enumerate(predicate.sorts)))
        return predicate(*(draw(terms(sort)) for sort in predicate.sorts))

    def clause(head: Predicate | None, body: list[Predicate]) -> Clause:
        atoms = tuple(application(predicate, f"{'yz'[i]}_") for i, predicate in enumerate(body))
        target = None if head is None else application(head, "x_")
        parts = draw(st.lists(st.sampled_from(sorts).flatmap(literals), max_size=3))
        return Clause(target, atoms, z3.And(parts) if parts else z3.BoolVal(True))

    some = st.sampled_from(predicates)
    bodies = st.lists(some, min_size=1, max_size=1 if linear else 2)
    clauses = [clause(draw(some), []), clause(None, draw(bodies))]
    for _ in range(draw(st.integers(0, 8))):
        head = draw(st.one_of(some, some, some, st.none()))
        clauses.append(clause(head, draw(st.one_of(st.just([]), bodies, bodies, bodies))))
    return HornSystem.of(draw(st.permutations(clauses)), predicates)


def values(sort: z3.SortRef) -> range:
    """All values; of the integers those that locations take."""
    return range(2) if sort == BOOL else range(7) if sort == INT else range(4)


def value(number: int, sort: z3.SortRef) -> z3.ExprRef:
    if sort == BOOL:
        return z3.BoolVal(bool(number))
    return z3.IntVal(number) if sort == INT else z3.BitVecVal(number, sort.size())


def instances(clause: Clause) -> Iterator[tuple[tuple[Fact, ...], Fact | None]]:
    """All ground instances (body, head) of the clause over the finite sorts; each variable takes all its values.

    Runs one nest of loops, each conjunct of the constraint tested as soon as its variables have values.
    """
    names = {v.get_id(): f"v{i}" for i, v in enumerate(clause.variables)}
    parts = conjuncts(clause.constraint)
    conditions = [({v.get_id() for v in free_variables(part)}, code(part, names)) for part in parts]
    lines, known, indent = ["def run():"], set(), " "
    for variable in (None, *clause.variables):
        if variable is not None:
            lines.append(f"{indent}for {names[variable.get_id()]} in {values(variable.sort())}:")
            known.add(variable.get_id())
            indent += " "
        for entry in [c for c in conditions if c[0] <= known]:
            conditions.remove(entry)
            lines += [f"{indent}if not {entry[1]}:", f"{indent} {'return' if variable is None else 'continue'}"]
    atoms = [
        f"({atom.predicate.name!r}, ({''.join(f'int({code(a, names)}), ' for a in atom.arguments)}))"
        for atom in clause.applications
    ]
    head = "None" if clause.head is None else atoms.pop()
    lines.append(f"{indent}yield ({''.join(f'{atom}, ' for atom in atoms)}), {head}")
    scope: dict[str, Callable[[], Iterator[tuple[tuple[Fact, ...], Fact | None]]]] = {}
    exec("\n".join(lines), scope)
    return scope["run"]()


def code(term: z3.ExprRef, names: Mapping[int, str]) -> str:
    """The term over Booleans, two-bit vectors and locations as a Python expression over 0/1 and 0..3."""
    if term.get_id() in names:
        return names[term.get_id()]
    if z3.is_bv_value(term) or z3.is_int_value(term):
        return str(term.as_long())
    parts = [code(child, names) for child in term.children()]
    kind = term.decl().kind()
    if kind in _INFIX:
        body = f" {_INFIX[kind]} ".join(parts)
        return f"(({body}) % {2 ** term.size()})" if z3.is_bv(term) else f"({body})"
    match kind:
        case z3.Z3_OP_TRUE | z3.Z3_OP_FALSE:
            return str(kind == z3.Z3_OP_TRUE)
        case z3.Z3_OP_NOT:
            return f"(not {parts[0]})"
        case z3.Z3_OP_BNOT:
            return f"({2 ** term.size() - 1} - {parts[0]})"
        case z3.Z3_OP_BNEG:
            return f"(-{parts[0]} % {2 ** term.size()})"
        case z3.Z3_OP_ITE:
            return f"({parts[1]} if {parts[0]} else {parts[2]})"
        case z3.Z3_OP_DISTINCT:
            return f"(len({{{', '.join(parts)}}}) == {len(parts)})"
        case z3.Z3_OP_IMPLIES:
            return f"(not {parts[0]} or {parts[1]})"
        case z3.Z3_OP_EXTRACT:
            high, low = term.params()
            return f"(({parts[0]} >> {low}) % {2 ** (high - low + 1)})"
        case z3.Z3_OP_CONCAT:
            shifted = parts[0]
            for child, part in zip(term.children()[1:], parts[1:], strict=True):
                shifted = f"({shifted} * {2 ** child.size()} + {part})"
            return shifted
    raise NotImplementedError(str(term))


_INFIX = {
    z3.Z3_OP_AND: "and",
    z3.Z3_OP_OR: "or",
    z3.Z3_OP_EQ: "==",
    z3.Z3_OP_IFF: "==",
    z3.Z3_OP_XOR: "!=",
    z3.Z3_OP_BADD: "+",
    z3.Z3_OP_BSUB: "-",
    z3.Z3_OP_BMUL: "*",
    z3.Z3_OP_BAND: "&",
    z3.Z3_OP_BOR: "|",
    z3.Z3_OP_BXOR: "^",
    z3.Z3_OP_ULEQ: "<=",
    z3.Z3_OP_UGEQ: ">=",
    z3.Z3_OP_ULT: "<",
    z3.Z3_OP_UGT: ">",
}


MOST_INSTANCES = 200_000


def solve(system: HornSystem) -> Model | Derivation:
    """The least model as a formula, or a derivation of false; over finite sorts. Too many instances are left out."""
    table = {p.name: p for p in system.predicates}
    every = ((index, body, head) for index, clause in enumerate(system.clauses) for body, head in instances(clause))
    clause_rows = list(itertools.islice(every, MOST_INSTANCES))
    assume(len(clause_rows) < MOST_INSTANCES)
    found: dict[Fact, int] = {}
    steps: list[Step] = []
    changed = True
    while changed:
        changed = False
        for index, body, head in clause_rows:
            if head in found or any(fact not in found for fact in body):
                continue
            premises = tuple(found[fact] for fact in body)
            if head is None:
                return Derivation((*steps, Step(index, (), premises)))
            found[head] = len(steps)
            sorts = table[head[0]].sorts
            steps.append(Step(index, tuple(map(value, head[1], sorts)), premises))
            changed = True
    cases: dict[str, list[z3.BoolRef]] = {p.name: [] for p in system.predicates}
    for name, numbers in found:
        predicate = table[name]
        pairs = zip(predicate.formals, numbers, predicate.sorts, strict=True)
        cases[name].append(z3.And([formal == value(number, sort) for formal, number, sort in pairs]))
    return Model({p: z3.Or(cases[p.name]) for p in system.predicates})
