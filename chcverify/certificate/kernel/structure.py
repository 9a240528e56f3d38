"""The structure of derivations, checked without a solver: indices, sorts, and arguments that are values."""

from collections.abc import Sequence

import z3

from chcverify.certificate.derivation import Cycle, Derivation, Link
from chcverify.certificate.kernel.obligation import MalformedCertificate, describe
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import is_variable
from chcverify.terms.native.value_kinds import CONSTRUCTORS, NUMERALS

_VALUE_KINDS = NUMERALS | CONSTRUCTORS | {z3.Z3_OP_UMINUS, z3.Z3_OP_DIV}
_LEAVES = NUMERALS - {z3.Z3_OP_AGNUM}
_QUOTIENTS = {z3.Z3_OP_DIV, z3.Z3_OP_IDIV, z3.Z3_OP_MOD}
_PARAMETRIC_KINDS = (
    NUMERALS
    | CONSTRUCTORS
    | _QUOTIENTS
    | {z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_MUL, z3.Z3_OP_TO_REAL}
    | {z3.Z3_OP_ITE, z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT}
    | {z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_NOT, z3.Z3_OP_IMPLIES, z3.Z3_OP_SELECT}
)


def check_structure(system: HornSystem, derivation: Derivation, ends_in_query: bool = True) -> frozenset[int]:
    """Returns the numbers of the steps whose facts are no plain values: cycles, and steps with lambdas.

    MalformedCertificate unless clauses, premises and arguments fit, premises come first, and the last step and no other
    is a query's. ends_in_query: False where no step may be a query's.
    """
    if not derivation.steps:
        raise MalformedCertificate("the derivation has no steps")
    derived: list[Predicate | None] = []
    known: dict[int, z3.ExprRef] = {}
    unusual = set()
    last = len(derivation.steps) - 1
    for number, step in enumerate(derivation.steps):
        if isinstance(step, Cycle):
            if number == last:
                raise MalformedCertificate(f"step {number}: the last step must use a query, and is a cycle")
            unusual.add(number)
            derived.append(_check_cycle(system, step, number, derived))
            continue
        clause = _clause(system, step.clause, f"step {number}")
        where = f"step {number} by {describe(step.clause, clause)}"
        if clause.is_query != (ends_in_query and number == last):
            raise MalformedCertificate(
                f"{where}: " + ("only the last step may use a query" if clause.is_query else "no query")
            )
        _check_premises(clause, step.premises, derived, where)
        for argument in _sorted_arguments(clause, step.arguments, where):
            if _is_value(argument, known):
                continue
            if argument.sort().kind() != z3.Z3_ARRAY_SORT or not is_parametric_value(argument):
                raise MalformedCertificate(f"{where}: argument {argument} is no value")
            unusual.add(number)
        derived.append(_head(clause))
    return frozenset(unusual)


def _check_cycle(system: HornSystem, cycle: Cycle, number: int, derived: Sequence[Predicate | None]) -> Predicate:
    """The predicate of the cycle's facts; its premises at each point are what comes before in the cycle."""
    where = f"cycle {number}"
    _check_cycle_fields(cycle, where)
    clauses = [_clause(system, link.clause, where) for link in cycle.links]
    before = _head(clauses[-1])
    if not 0 <= cycle.start < number or before is None or derived[cycle.start] != before:
        raise MalformedCertificate(f"{where}: step {cycle.start} before it does not derive what it begins with")
    for position, (link, clause) in enumerate(zip(cycle.links, clauses, strict=True)):
        here = f"{where}, link {position} by {describe(link.clause, clause)}"
        if clause.is_query:
            raise MalformedCertificate(f"{here}: no link may use a query")
        if any(cycle.variable.eq(variable) for variable in clause.variables):
            raise MalformedCertificate(f"{here}: {cycle.variable} is a variable of the clause, too")
        if sum(premise is None for premise in link.premises) != 1:
            raise MalformedCertificate(f"{here}: exactly one premise must be the fact before it in the cycle")
        _check_premises(clause, link.premises, derived, here, before)
        _check_link_values(clause, link, cycle.variable, here)
        before = _head(clause)
    assert before is not None
    return before


def _check_cycle_fields(cycle: Cycle, where: str) -> None:
    """Links, count and variable are what every cycle must have."""
    if not cycle.links:
        raise MalformedCertificate(f"{where} has no links")
    if not isinstance(cycle.count, int) or cycle.count < 1:
        raise MalformedCertificate(f"{where} is taken {cycle.count} times")
    if not is_variable(cycle.variable) or cycle.variable.sort() != z3.IntSort():
        raise MalformedCertificate(f"{where}: {cycle.variable} is no integer variable")


def _check_link_values(clause: Clause, link: Link, n: z3.ExprRef, where: str) -> None:
    """The link's arguments and its values for distinct variables of the clause are values over n of the right sorts."""
    for argument in _sorted_arguments(clause, link.arguments, where):
        if not is_parametric_value(argument, n):
            raise MalformedCertificate(f"{where}: argument {argument} is no value over {n}")
    given = set()
    for variable, value in link.values:
        if variable.get_id() in given or not any(variable.eq(other) for other in clause.variables):
            raise MalformedCertificate(f"{where}: {variable} is no variable of the clause, or has two values")
        given.add(variable.get_id())
        if value.sort() != variable.sort() or not is_parametric_value(value, n):
            raise MalformedCertificate(f"{where}: {value} for {variable} is no value over {n} of its sort")


def _clause(system: HornSystem, index: int, where: str) -> Clause:
    if not 0 <= index < len(system.clauses):
        raise MalformedCertificate(f"{where}: there is no clause {index}")
    return system.clauses[index]


def _head(clause: Clause) -> Predicate | None:
    return None if clause.head is None else clause.head.predicate


def _check_premises(
    clause: Clause,
    premises: Sequence[int | None],
    derived: Sequence[Predicate | None],
    where: str,
    before: Predicate | None = None,
) -> None:
    """Each derives its body atom. derived: by the steps so far. before: what the premise None derives."""
    if len(premises) != len(clause.body):
        raise MalformedCertificate(f"{where}: {len(clause.body)} premises expected, not {len(premises)}")
    for premise, application in zip(premises, clause.body, strict=True):
        if premise is not None and not 0 <= premise < len(derived):
            raise MalformedCertificate(f"{where}: premise {premise} does not come before it")
        if (before if premise is None else derived[premise]) != application.predicate:
            raise MalformedCertificate(f"{where}: premise {premise} does not derive {application.predicate.name}")


def _sorted_arguments(clause: Clause, arguments: Sequence[z3.ExprRef], where: str) -> Sequence[z3.ExprRef]:
    """The arguments, if they are as many as the head's and of its sorts."""
    sorts = () if clause.head is None else clause.head.predicate.sorts
    if len(arguments) != len(sorts):
        raise MalformedCertificate(f"{where}: {len(sorts)} arguments expected, not {len(arguments)}")
    for sort, argument in zip(sorts, arguments, strict=True):
        if argument.sort() != sort:
            raise MalformedCertificate(f"{where}: argument {argument} is of sort {argument.sort()}, not {sort}")
    return arguments


def _is_value(term: z3.ExprRef, known: dict[int, z3.ExprRef]) -> bool:
    """True if the term is built from numerals, constructors and array stores alone; known: such terms, kept alive."""
    stack, own = [term], dict[int, z3.ExprRef]()
    while stack:
        part = stack.pop()
        key = part.get_id()
        if key in known or key in own:
            continue
        kind = part.decl().kind() if z3.is_app(part) else None
        if kind not in _VALUE_KINDS:
            return False
        children = part.children() if kind not in _LEAVES else []
        if kind == z3.Z3_OP_DIV and not all(map(z3.is_rational_value, children)):
            return False
        own[key] = part
        stack.extend(children)
    known.update(own)
    return True


def is_parametric_value(term: z3.ExprRef, variable: z3.ExprRef | None = None) -> bool:
    """True if the term has exactly one value for each value of the variable (one at all if None) in every structure.

    Built from numerals, constructors, linear arithmetic, comparisons, connectives and arrays, lambdas among them, with
    no free variable but this one; divisors are numerals other than zero.
    """
    stack = [(term, 0)]  # below how many variables of lambdas
    seen: set[tuple[int, int]] = set()
    while stack:
        part, depth = stack.pop()
        if (part.get_id(), depth) in seen:
            continue
        seen.add((part.get_id(), depth))
        if z3.is_var(part):
            if z3.get_var_index(part) >= depth:
                return False
        elif z3.is_quantifier(part):
            if not part.is_lambda():
                return False
            stack.append((part.body(), depth + part.num_vars()))
        elif variable is None or not part.eq(variable):
            kind = part.decl().kind()
            if kind not in _PARAMETRIC_KINDS or not _is_linear(part, kind):
                return False
            stack.extend((child, depth) for child in part.children() if kind not in _LEAVES)
    return True


def _is_linear(part: z3.ExprRef, kind: int) -> bool:
    if kind == z3.Z3_OP_MUL:
        return sum(not _is_number(child) for child in part.children()) <= 1
    if kind in _QUOTIENTS:
        return part.num_args() == 2 and _is_number(part.arg(1)) and not _is_zero(part.arg(1))
    return True


def _is_number(term: z3.ExprRef) -> bool:
    inner = term.arg(0) if z3.is_app_of(term, z3.Z3_OP_UMINUS) else term
    return bool(z3.is_int_value(inner) or z3.is_rational_value(inner))


def _is_zero(term: z3.ExprRef) -> bool:
    inner = term.arg(0) if z3.is_app_of(term, z3.Z3_OP_UMINUS) else term
    return bool(inner.as_fraction() == 0) if z3.is_rational_value(inner) else bool(inner.as_long() == 0)
