"""The folds of a model as text: `(define-fun-rec f ((p S) ... (x T)) Int (ite ((_ is C1) x) case (... case)))`.

Sums over the cells of arrays: `(define-fun-rec f ((p S) ... (a (Array Int T)) (i Int)) Int (ite (<= i 0) 0 (+ (f p ...
a (- i 1)) e)))`, where e has a[i - 1] and i - 1 but neither a nor i otherwise.
"""

from collections.abc import Container, Sequence

import z3

from chcverify.certificate.files.recursive_definitions import (
    RecursiveDefinition,
    definition_line,
    split_recursive_definitions,
)
from chcverify.certificate.files.text_parsing import error_at
from chcverify.certificate.model import CellSum, Fold
from chcverify.terms.core.traversal import substitute
from chcverify.terms.printing.smtlib import name_of


def fold_text(item: Fold | CellSum) -> str:
    """The definition of one fold."""
    names = [f"c{i}" for i in range(len(item.formals))]
    return definition_line(item.name, item.formals, names, item.function.range(), item.body)


def split_folds(text: str, reserved: Container[str]) -> tuple[tuple[RecursiveDefinition, ...], str]:
    """The definitions of functions with values other than Bool, and the text with blanks instead of them."""
    return split_recursive_definitions(text, reserved, lambda sort: sort != "Bool")


def folds(
    assertions: Sequence[z3.BoolRef], definitions: Sequence[RecursiveDefinition], file: str, text: str
) -> tuple[Fold | CellSum, ...]:
    """What z3 read of the definitions' assertions; InputError for a body that is no chain of cases and no sum."""
    read = []
    for assertion, definition in zip(assertions, definitions, strict=True):
        fold = _fold(assertion) if isinstance(assertion, z3.QuantifierRef) else None
        if fold is None:
            reason = f"{name_of(definition.name)} is not defined by a case for each constructor"
            raise error_at(file, text, definition.start, reason)
        read.append(fold)
    return tuple(read)


def _fold(assertion: z3.QuantifierRef) -> Fold | CellSum | None:
    count = assertion.num_vars()
    function = assertion.body().arg(0).decl()
    formals = [z3.Const(f"${i}", assertion.var_sort(i)) for i in range(count)]
    body = z3.substitute_vars(assertion.body().arg(1), *reversed(formals))
    folded = formals[-1]
    if folded.sort() == z3.IntSort() and count > 1 and isinstance(formals[-2].sort(), z3.ArraySortRef):
        return _cell_sum(function, formals, body)
    if not isinstance(folded.sort(), z3.DatatypeSortRef):
        return None
    cases = []
    for number in range(folded.sort().num_constructors() - 1):
        if not z3.is_app_of(body, z3.Z3_OP_ITE) or not body.arg(0).eq(folded.sort().recognizer(number)(folded)):
            return None
        cases.append(body.arg(1))
        body = body.arg(2)
    return Fold(function, tuple(formals), (*cases, body))


def _cell_sum(function: z3.FuncDeclRef, formals: Sequence[z3.ExprRef], body: z3.ExprRef) -> CellSum | None:
    """The sum whose body it is."""
    *_, array, bound = formals
    if not z3.is_app_of(body, z3.Z3_OP_ITE) or not z3.is_add(body.arg(2)) or body.arg(2).num_args() != 2:
        return None
    cell, place = z3.Const("$cell", array.sort().range()), z3.Int("$place")
    summand = substitute(body.arg(2).arg(1), [(z3.Select(array, bound - 1), cell)])
    found = CellSum(function, tuple(formals), cell, place, substitute(summand, [(bound - 1, place)]))
    return found if found.body.eq(body) else None
