"""The text that is parsed: macros are expanded, and comments are gone."""

import subprocess

from pycparser import c_ast

from encoders.c.source.comments import strip_comments
from encoders.c.source.parser import parse
from encoders.c.source.preprocessor import preprocess
from encoders.c.types.c_types import LP64


def test_macros_are_expanded_and_comments_are_gone() -> None:
    text = preprocess("#define ONE 1\nint x = ONE; /* a remark */\n", "test.c", LP64)
    assert "int x = 1;" in text and "remark" not in text


HEADER = """\
# 1 "used.c"
# 1 "/usr/include/text.h" 1 3 4
extern int used (int); extern int unused (const char *format,
   ...) __attribute__ ((nothrow)); extern int (*handler (int)) (void);
extern int redirected (int) __asm__ ("" "used");
typedef int number; static int inlined (int x) { return x; }
# 2 "used.c" 2
extern int mine (number);
int main (void) { return used (1); }
"""


def test_system_functions_that_nothing_mentions_are_blank() -> None:
    text = preprocess(HEADER, "used.c", LP64)
    assert "unused" not in text and "redirected" not in text
    assert all(kept in text for kept in ("extern int used (int);", "handler", "inlined", "extern int mine (number);"))
    places = [(node.coord.line, node.coord.column) for node in parse(text, "used.c", LP64)[0].ext]
    assert set(places) < {(node.coord.line, node.coord.column) for node in parse(HEADER, "used.c", LP64)[0].ext}


def test_all_else_of_real_headers_is_kept() -> None:
    names = ("stdio", "stdlib", "string", "math", "time", "signal", "unistd", "pthread", "wchar")
    source = "".join(f"#include <{name}.h>\n" for name in names) + 'int main(void) { return puts("x") + abs(-1); }\n'
    whole = subprocess.run(["gcc", "-E", "-std=gnu11", "-"], input=source, capture_output=True, text=True, check=True)
    before = parse(strip_comments(whole.stdout), "p.c", LP64)[0].ext
    after = parse(preprocess(source, "p.c", LP64), "p.c", LP64)[0].ext
    kept = {(type(node), getattr(node, "name", None)) for node in after}
    gone = [node for node in before if (type(node), getattr(node, "name", None)) not in kept]
    assert {"puts", "abs"} <= {name for _, name in kept} and len(gone) > 500
    assert all(isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl) for node in gone)


def test_a_declaration_that_may_introduce_a_tag_is_kept() -> None:
    header = '# 1 "/usr/include/q.h" 1 3 4\nextern struct node *first (void);\n# 2 "p.c" 2\nint f(struct node *);\n'
    assert preprocess(header, "p.c", LP64) == header
