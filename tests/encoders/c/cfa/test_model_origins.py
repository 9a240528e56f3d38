"""Models of library functions in programs that are too large for all calls to be inlined."""

import pytest

from encoders.c.cfa.model_origins import is_model
from encoders.c.cfa.program_checks import checks_of, selectable
from encoders.c.encoding.encoder import EncodeOptions, encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

TEXT = """#include <string.h>
static char table[3][8];
static int is_equal(const char *a, const char *b, unsigned n) { return !memcmp(a, b, n) && strlen(a) == n; }
static int find(const char *name, unsigned n) {
  for (int i = 0; i < 3; i++) if (is_equal(table[i], name, n)) return i;
  return -1;
}
int main(int c, char **v) {
  char word[8] = "seven";
  memcpy(table[1], word, 8);
  return find(word, c) + find("one", 3) + is_equal(table[0], word, 2) + (int)strlen(word);
}
"""


@pytest.mark.parametrize("limit", [10, 5_000])
def test_what_models_do_is_a_check_of_their_calls(limit: int) -> None:
    program = selectable(load_source(TEXT, "a.c", LP64, "undefined-behaviour"))
    encoding = encode(program, "undefined-behaviour", EncodeOptions(inline_limit=limit))
    assert (len(encoding.flat.functions) > 1) == (limit == 10)
    assert not any(is_model(function.root.function) for function in encoding.flat.functions.values())
    checks = {info.check for info in encoding.infos} - {None}
    assert checks and checks <= set(checks_of(program))
