"""Static functions under the names that CBMC's compiler exports, and bodies that do not count."""

import pytest
from pycparser import c_ast
from pycparser.c_generator import CGenerator

from encoders.c.source.file_local_names import export_file_locals
from encoders.c.source.parser import parse
from encoders.c.source.source_errors import Unsupported

A = """static int f(int x);
struct s { int f; };
static int f(int x) { struct s a = {.f = x}; return a.f; }
static int g(void) { return 1; }
int h(void) { return f(1) + g(); }
"""
B = "int __CPROVER_file_local_a_c_f(int);\nint k(void) { return __CPROVER_file_local_a_c_f(2); }\n"


def exported(a: str, *removed: str) -> str:
    trees = [parse(a, "src/a.c")[0], parse(B, "b.c")[0]]
    export_file_locals(trees, [removed, ()])
    return CGenerator().visit(c_ast.FileAST([node for node in trees[0].ext if node.coord.file == "src/a.c"]))


def test_functions_that_others_name_are_exported() -> None:
    text = " ".join(exported(A).split())
    assert "int __CPROVER_file_local_a_c_f(int x); struct s { int f; };" in text
    assert "return __CPROVER_file_local_a_c_f(1) + g();" in text
    assert "static int g(void)" in text and "a.f" in text and ".f = x" in text


def test_bodies_are_removed() -> None:
    text = " ".join(exported(A, "__CPROVER_file_local_a_c_f", "h", "no_such_function").split())
    assert text.count("int __CPROVER_file_local_a_c_f(int x);") == 2 and "a.f" not in text
    assert "int h(void);" in text and "static int g(void) { return 1; }" in text


def test_definitions_of_a_proof_count_instead_of_those_of_the_project() -> None:
    own = "int __CPROVER_file_local_a_c_g(void) { return 8; }\nstatic int f(void) { return 9; }"
    replaced = f"int h(void) {{ return 7; }}\n{own}"
    trees = [parse(replaced, "stub.c")[0], parse(A, "src/a.c")[0]]
    export_file_locals(trees, [(), ()], [False, True])
    text = " ".join(CGenerator().visit(trees[1]).split())
    assert "int h(void);" in text and "int __CPROVER_file_local_a_c_g(void);" in text and "return a.f;" in text
    assert "return 7" in CGenerator().visit(trees[0])


def test_a_name_with_another_meaning_is_refused() -> None:
    with pytest.raises(Unsupported, match="also a static function"):
        exported(A.replace("return 1;", "int f = 1; return f;"))
