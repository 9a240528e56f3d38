"""Tokens, statements and scopes of a source text, and invariants that C can evaluate."""

import itertools

from encoders.c.source_map.c_expressions import c_conjuncts
from encoders.c.source_map.source_map import source_map_of
from encoders.c.source_map.source_tokens import tokens_of

TEXT = """int limit = 9; // a comment with { in it
static int half(unsigned char n) { return n / 2; }
int fact(int n) { return n ? n * fact(n - 1) : 1; }
int main(void) {
  int i = 0;
  while (i < limit) {
    long i = half(3);
    i++;
  }
  return fact(3);
}
"""


def test_tokens_and_brackets() -> None:
    tokens = tokens_of(TEXT, "a.c")
    assert tokens is not None
    lines = TEXT.splitlines()
    for token in tokens.items:
        assert lines[token.line - 1][token.column - 1 :].startswith(token.text)
    for one, other in tokens.partner.items():
        assert {tokens.items[one].text, tokens.items[other].text} in ({"(", ")"}, {"{", "}"}, {"[", "]"})
        assert tokens.partner[other] == one
    assert tokens_of("int f( { )", "a.c") is None


def test_comments_in_macros() -> None:
    """A comment of several lines is one blank of the directive, whether its lines end in a backslash or not."""
    text = "#define LOOP \\\n do { /* one \\\n two */ \\\n } while (0)\n"
    text += "#define ONE 1 /* (\n ( */ + (\nint f(void) { return 0; }\n"
    tokens = tokens_of(text, "a.c")
    assert tokens is not None and [token.text for token in tokens.items][:3] == ["int", "f", "("]
    assert {token.line for token in tokens.items} == {7}


def test_brackets_in_branches_of_the_preprocessor() -> None:
    """Where each branch opens the same bracket, the first one counts; branches without brackets all count."""
    text = "int f(int n) {\n#if A\n  if (n) {\n#elif B\n  if (n + 1) {\n#else\n  if (!n) {\n#endif\n    n++; }\n"
    text += "#if A\n  n--;\n#else\n  --n;\n#endif\n  return n;\n}\n"
    tokens = tokens_of(text, "a.c")
    assert tokens is not None
    assert {token.line for token in tokens.items} == {1, 3, 9, 11, 13, 15, 16}
    assert tokens_of("#if A\n}\n#endif\n", "a.c") is None


def test_functions_and_variables() -> None:
    layout = source_map_of(TEXT, "a.c")
    assert layout is not None
    functions = {function.name: function for function in layout.functions}
    assert set(functions) == {"half", "fact", "main"}
    assert layout.recursive(functions["fact"]) and not layout.recursive(functions["half"])
    assert layout.instances(functions["half"]) and not layout.instances(functions["fact"])
    (step,) = (n for n, token in enumerate(layout.tokens.items) if token.text == "++")
    assert layout.visible("limit", step) is not None and layout.visible("n", step) is None
    assert layout.visible("i", step) is None  # two scopes with that name are open
    (count,) = (variable for variable in layout.variables if variable.name == "n" and variable.type != ("int",))
    assert count.range(64) == (0, 255)
    assert layout.function_at(step) is functions["main"]
    begin = layout.statement_at(step)
    assert begin is not None and layout.token(begin).line == 8
    assert layout.find("a.c", 8, 6) == step and layout.find("a.c", 8, 7) is None


def test_conjuncts_that_c_can_evaluate() -> None:
    ranges = {"x": (-(2**31), 2**31 - 1), "u": (0, 2**32 - 1), "small": (0, 9)}
    assert c_conjuncts("x <= 5 && small + 1 > x", ranges) != []
    assert c_conjuncts("unknown_name == 3", ranges) == []
    assert c_conjuncts("small >= 0", ranges) == []  # the types imply it
    assert len(c_conjuncts("x <= 5 && unknown_name == 3", ranges)) == 1


def test_evaluated_conjuncts_have_their_mathematical_meaning() -> None:
    ranges = {"a": (-4, 4), "b": (-4, 4)}
    for text in ("a + b <= 3", "2 * a == b - 1", "(a < b) || (b < 0)", "a * b != 4"):
        (found,) = c_conjuncts(text, ranges)
        python = found.replace("||", " or ").replace("&&", " and ").replace("(long long)", "")
        for a, b in itertools.product(range(-4, 5), repeat=2):
            assert bool(eval(python, {}, {"a": a, "b": b})) == bool(
                eval(text.replace("||", "or"), {}, {"a": a, "b": b})
            )
