"""Statements on one line, as the user wrote them."""

from pycparser import c_ast
from pycparser.c_parser import CParser

from encoders.c.source.syntax_trees import source_text


def parsed(text: str) -> c_ast.Node:
    return CParser().parse(f"void f(void) {{ {text} }}").ext[0].body.block_items[0]


def test_one_line() -> None:
    assert source_text(parsed("x =\n  y  +\n 1;")) == "x = y + 1"
    assert source_text(parsed("a[i] = b ? c : d;")) == "a[i] = (b) ? (c) : (d)"
    assert source_text(parsed("p->q.r(&s, 'c');")) == "p->q.r(&s, 'c')"


def test_long_texts_are_shortened() -> None:
    long = source_text(parsed("x = " + " + ".join(["value"] * 100) + ";"))
    assert len(long) <= 200 and long.endswith(" ...")
    many = source_text(parsed("int a[] = {" + ", ".join(map(str, range(50))) + "};"))
    assert many == "int a[] = {0, 1, 2, 3, 4, 5, 6, 7, ...}"


def test_statement_expressions_and_the_two_part_conditional() -> None:
    assert source_text(c_ast.Compound([])) == "({ ... })"
    x, y = c_ast.ID("x"), c_ast.ID("y")
    assert source_text(c_ast.TernaryOp(x, None, y)) == "(x) ?: (y)"
