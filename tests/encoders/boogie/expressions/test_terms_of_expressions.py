"""Terms of expressions: operators, quantifiers over types, conditions without their outermost quantifiers."""

import z3

from chcverify.terms.core.traversal import free_variables, has_quantifier
from encoders.boogie import syntax as s
from encoders.boogie.boogie_parser import parse
from encoders.boogie.expressions.interpreted_symbols import InterpretedSymbols
from encoders.boogie.expressions.quantified_conditions import assumed
from encoders.boogie.expressions.type_universe import TypeUniverse, translated_with_universe
from encoders.boogie.expressions.typed_expressions import TypedExpressionTranslator
from encoders.boogie.resolved_declarations import declarations_of


def formula(text: str, declared: str = "") -> z3.BoolRef:
    """The term of a condition among these declarations."""
    parsed = parse(f"{declared} axiom {text};", "p.bpl")
    declarations = declarations_of(parsed)
    axiom = parsed[-1]
    assert isinstance(axiom, s.Axiom)
    return translated_with_universe(
        TypeUniverse(),
        lambda universe: TypedExpressionTranslator(InterpretedSymbols(declarations, universe), {}).condition(
            axiom.condition
        ),
    )


def is_valid(condition: z3.BoolRef) -> bool:
    solver = z3.Solver()
    solver.add(z3.Not(condition))
    return bool(solver.check() == z3.unsat)


def test_remainders_are_never_negative() -> None:
    assert is_valid(formula("(-7) mod 2 == 1 && (-7) div 2 == -4 && (-7) mod (-2) == 1 && (-7) div (-2) == 4"))


def test_a_condition_for_all_types_has_an_instance_for_each_that_is_used_and_one_for_the_others() -> None:
    declared = "const m: <a>[a]int;"
    everywhere = "(forall<a> x: a :: m[x] == 0)"
    assert is_valid(formula(f"{everywhere} ==> m[3] == 0 && m[true] == 0", declared))
    assert not is_valid(formula(f"m[3] == 0 && (forall x: int, y: bool :: m[x] == m[y]) ==> {everywhere}", declared))


def test_what_exists_becomes_a_constant() -> None:
    condition = assumed(formula("(exists x: int :: x > 3)"))
    assert not has_quantifier(condition)
    assert len(list(free_variables(condition))) == 1
