"""Programs as compilers preprocess them with the system's headers; what happens where there are none is ours."""

import shutil
import subprocess

import pytest

from encoders.c.encoding.encoder import encode
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import load_source
from encoders.c.source.preprocessor import preprocess
from encoders.c.types.c_types import ILP32, LP64, DataModel

LIBRARY = ("stdio", "stdlib", "string", "strings", "assert", "stdint", "inttypes", "limits", "math", "ctype", "stdbool")
SYSTEM = ("stddef", "float", "errno", "time", "signal", "setjmp", "stdarg", "locale", "wchar", "unistd", "pthread")
USES = """
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct work { pthread_t thread; FILE *log; time_t start; uint8_t bytes[4]; };
int main(void) {
  int x = __VERIFIER_nondet_int(); struct work w; int64_t wide = INT64_MAX; size_t n = strlen("ab");
  bool digit = isdigit('3') != 0; double d = fabs(-1.5) + sqrt(4.0) + floor(DBL_MAX);
  assert(toupper('a') == 'A' && tolower(x & 63) < 128 && atoi("-42") == -42 && abs(-3) == 3 && isspace(' '));
  assert(isnan(NAN) && isinf(-HUGE_VAL) && isgreater(2.0, 1.0) && !isalpha('7'));
  assert(x == x); errno = 0; w.start = time(NULL); printf("%d %" PRId64 "\\n", x, wide); fputs("x", stderr);
  char *text = malloc(CHAR_BIT); strcpy(text, "ab"); memset(text, 0, n);
  if (digit && !isnan(d) && !isinf(d) && !signbit(d) && SIZE_MAX > n && offsetof(struct work, log)) return EXIT_SUCCESS;
  reach_error();
}
"""


def includes(*names: str) -> str:
    return "".join(f"#include <{name}.h>\n" for name in names)


@pytest.mark.parametrize("options", ["", "-P -std=c99", "-O2 -std=gnu17", "-O2 -P -std=gnu89", "-std=gnu2x"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_preprocessed_by_a_compiler(compiler: str, options: str) -> None:
    """With -O2, headers define functions inline and use builtins; the program ends without an error."""
    command = shutil.which(compiler)
    if command is None:
        pytest.skip(f"{compiler} is not installed")
    text = "#define _GNU_SOURCE\n" + includes(*LIBRARY, *SYSTEM) + USES
    done = subprocess.run(
        [command, "-E", *options.split(), "-"], input=text, capture_output=True, text=True, check=True, timeout=600
    )
    program = load_source(done.stdout, "preprocessed.i", LP64)
    assert encode(program).system.clauses
    assert execute(program, Random(0, (), 9)).outcome == "end"


@pytest.mark.parametrize("model", [LP64, ILP32], ids=lambda model: model.name)
def test_limits_in_directives(model: DataModel) -> None:
    text = (
        includes("stdint", "limits")
        + """
    #if LONG_MAX >= INT_MAX && INT64_MAX > 0 && SIZE_MAX >= UINT_MAX && UINTPTR_MAX == ULONG_MAX && INTMAX_C(1) > 0
    int main(void) { return (INT64_MIN < 0) + (LONG_MIN < 0) + (PTRDIFF_MIN < 0); }
    #endif
    """
    )
    assert "main" in load_source(text, "limits.c", model).functions


@pytest.mark.parametrize("model", [LP64, ILP32], ids=lambda model: model.name)
def test_quotients_with_remainders_have_types(model: DataModel) -> None:
    """Where the system has no headers for the data model, those of the project declare them."""
    text = includes("stdlib") + (
        "int main(void) { div_t a = div(7, -2); ldiv_t b = ldiv(-7, 2); lldiv_t c = lldiv(-7, -2);"
        " return a.quot + 3 || a.rem - 1 || b.quot + 3 || b.rem + 1 || c.quot - 3 || c.rem + 1; }"
    )
    program = load_source(preprocess(text, "quotients.c", model), "quotients.c", model)
    assert execute(program, Random(0, (), 9)).outcome == "end"


def test_predefined_macros_need_no_directive() -> None:
    program = load_source("__SIZE_TYPE__ n = __INT_MAX__; int main(void) { return n == __LINE__; }", "plain.c", LP64)
    assert str(program.globals[0].type) == "unsigned long"
