"""Clauses in which definitions of functions are unfolded: they derive violations, and no such axiom is left."""

import pytest

from chcverify.results.result import Safe, Unsafe
from encoders.boogie.boogie_parser import parse
from encoders.boogie.definitions.unfolded_definitions import with_unfolded_definitions
from encoders.boogie.encoded_bodies import EncodedImplementation
from encoders.boogie.implementation_encoder import encode
from encoders.boogie.resolved_declarations import declarations_of
from solvers.engine import Context
from solvers.spacer import Spacer

FACTORIAL = "function fact(n: int): int { if n <= 0 then 1 else n * fact(n - 1) } "


def encoded(text: str) -> EncodedImplementation:
    declarations = declarations_of(parse(text, "p.bpl"))
    return encode(declarations, declarations.implementations[0])


@pytest.mark.parametrize(("number", "is_violated"), [(24, True), (25, False)])
def test_values_within_the_calls_are_those_of_the_definition(number: int, is_violated: bool) -> None:
    text = f"procedure p(n: int) requires 0 <= n && n <= 5; {{ assert fact(n) != {number}; }}"
    unfolded = with_unfolded_definitions(encoded(FACTORIAL + text))
    assert unfolded is not None and len(unfolded.definitions) == 1
    assert not unfolded.axiom_list
    result = Spacer().solve(unfolded.system, Context.within(60))
    assert isinstance(result, Unsafe if is_violated else Safe)


def test_without_such_a_definition_there_is_nothing_to_unfold() -> None:
    assert with_unfolded_definitions(encoded("procedure p(n: int) { assert n > 0; }")) is None
    endless = "function f(n: int): int { f(n) + 1 } procedure p(n: int) { assert f(n) > 0; }"
    assert with_unfolded_definitions(encoded(endless)) is None
