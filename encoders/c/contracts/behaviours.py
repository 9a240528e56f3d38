"""Clauses of contracts; those of a behaviour become clauses that hold if its assumption held before the call."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from encoders.c.source.source_errors import Unsupported

COMPLETE, DISJOINT = "complete behaviors", "disjoint behaviors"
BEHAVIOURS = (COMPLETE, DISJOINT)
ASSUMES = "assumes"


@dataclass(frozen=True)
class ContractClause:
    """One clause of a contract or a loop."""

    kind: str
    """`requires`, `ensures`, `assigns`, `loop invariant`, ..."""
    text: str
    """Its predicate, macros expanded."""
    functions: frozenset[str]
    """The names in the declaration that follows it; the name of the function is one of them."""
    origin: Origin
    label: str = ""
    """The label of the loop that follows it, if the clause is about a loop."""
    behaviour: str = ""
    """The name of the behaviour that the clause belongs to; empty if it belongs to none."""
    assumes: str = ""
    """The assumption of that behaviour, which is evaluated before the call."""


def with_behaviours(clauses: Sequence[ContractClause]) -> list[ContractClause]:
    """The clauses of a file without the clauses `assumes`: they become the assumption of the others in their behaviour.

    `complete` and `disjoint` get the predicates that they stand for, over the assumptions of the behaviours that they
    name, or of all. Raises Unsupported for behaviours that nothing describes.
    """
    assumed: dict[frozenset[str], dict[str, str]] = {}
    for clause in clauses:
        if clause.behaviour:
            found = assumed.setdefault(clause.functions, {})
            found.setdefault(clause.behaviour, "")
            if clause.kind == ASSUMES:
                known = found[clause.behaviour]
                found[clause.behaviour] = f"{known} && ({clause.text})" if known else f"({clause.text})"
    result = []
    for clause in clauses:
        of_function = assumed.get(clause.functions, {})
        if clause.kind in BEHAVIOURS:
            result.append(replace(clause, text=_predicate(clause, of_function)))
        elif clause.kind != ASSUMES:
            result.append(replace(clause, assumes=of_function.get(clause.behaviour, "")))
    return result


def _predicate(clause: ContractClause, assumed: dict[str, str]) -> str:
    """What `complete` or `disjoint` says."""
    names = [name.strip() for name in clause.text.split(",") if name.strip()] or list(assumed)
    if not names or any(name not in assumed for name in names):
        raise Unsupported(clause.origin, f"'{clause.kind} {clause.text}': no such behavior")
    conditions = [f"({assumed[name] or '1 == 1'})" for name in names]
    if clause.kind == COMPLETE:
        return " || ".join(conditions)
    return " && ".join(f"!({one} && {two})" for one, two in combinations(conditions, 2)) or "1 == 1"
