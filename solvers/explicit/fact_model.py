"""A model made of finitely many facts."""

from collections.abc import Sequence

import z3

from chcverify.certificate.model import Model
from chcverify.terms.core.traversal import conjunction, disjunction
from solvers.explicit.fact_table import Table
from solvers.explicit.fact_values import AnyValue, Cells, Others, Value, is_exact, term_of


def model(table: Table) -> Model:
    """The model in which each predicate holds for its facts."""
    return Model(
        {
            predicate: _one_of(predicate.formals, [table.facts[number].values for number in numbers])
            for predicate, numbers in table.joined.items()
        }
    )


def _one_of(formals: Sequence[z3.ExprRef], points: Sequence[tuple[Value, ...]]) -> z3.BoolRef:
    """The disjunction of the points; values that all points of a group share are factored out."""
    if not points:
        return z3.BoolVal(False)
    distinct = [len({point[column] for point in points}) for column in range(len(formals))]
    common = [has_value(formal, points[0][i]) for i, formal in enumerate(formals) if distinct[i] == 1]
    left = [i for i, number in enumerate(distinct) if number > 1]
    if not left:
        return conjunction(common)
    by = min(left, key=lambda i: distinct[i])
    others = [i for i in left if i != by]
    groups: dict[Value, list[tuple[Value, ...]]] = {}
    for point in points:
        groups.setdefault(point[by], []).append(tuple(point[i] for i in others))
    rest = [formals[i] for i in others]
    cases = [conjunction([has_value(formals[by], value), _one_of(rest, group)]) for value, group in groups.items()]
    return conjunction([*common, disjunction(cases)])


def has_value(term: z3.ExprRef, value: Value) -> z3.BoolRef:
    """The equation term = value, without conjuncts for parts that are ANY; for Others, that the term is none of the
    excluded values."""
    if is_exact(value):
        return term == term_of(value, term.sort())
    if isinstance(value, Others):
        return conjunction([term != term_of(excluded, term.sort()) for excluded in sorted(value.excluded, key=repr)])
    if isinstance(value, AnyValue):
        return z3.BoolVal(True)
    assert isinstance(value, Cells) and isinstance(term, z3.ArrayRef)
    # a default that is known, with unknown cells, is not worth a quantifier
    return conjunction(
        [has_value(term[term_of(index, term.domain())], element) for index, element in value.cells.items()]
    )
