"""Horn systems from z3 formulas, as programs build them."""

from collections.abc import Iterable

import z3

from chcverify.horn.io.clausify import Clausifier
from chcverify.horn.io.symbol_roles import SymbolTable
from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.core.traversal import free_variables


def from_formulas(formulas: Iterable[z3.BoolRef]) -> HornSystem:
    """The system of `Implies(And(P(x), x < 9), P(x + 1))` and the like, of z3's main context.

    Functions into Bool are the predicates, Boolean constants nullary ones; other free constants are universally
    quantified in each formula. NotHorn for what are no Horn clauses, ValueError for two predicates of one name.
    """
    items = list(formulas)
    constants = free_variables(*items)
    variables = frozenset(str(c.decl().name()) for c in constants if not z3.is_bool(c))
    table = SymbolTable(z3.main_ctx(), variables, ())
    for formula in items:
        table.add(formula)
    clausifier = Clausifier(table.symbols())
    clauses: list[Clause] = []
    for formula in items:
        clauses += clausifier.clauses(formula.as_ast().value, None)
    return HornSystem.of(clauses, tuple(table.predicates.values()))
