"""Candidates for what procedures ensure."""

from encoders.boogie.boogie_parser import parse
from encoders.boogie.contract_candidates import ensured_candidates
from encoders.boogie.implementation_encoder import encode
from encoders.boogie.resolved_declarations import declarations_of


def test_candidates_are_what_callers_can_say() -> None:
    text = """procedure p(x: int) returns (y: int); implementation p(a: int) returns (b: int)
    { var c: int; c := 3; b := a; assert c == 3; assert b < 7; }"""
    declarations = declarations_of(parse(text, "p.bpl"))
    found = ensured_candidates(encode(declarations, declarations.implementations[0]))
    assert "x == y" in found or "y == x" in found
    assert any(("y" in text and "7" in text) or "6" in text for text in found)
    assert not any("c" in text.split() for text in found)
