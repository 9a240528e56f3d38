"""What atexit is given runs when main returns or exit is called, the last one first."""

import pytest

from chcverify.results.checks import CheckKind
from encoders.c.encoding.encoder import encode
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import Execution, run
from encoders.c.frontend import load_source
from encoders.c.library.model_files import RUN_EXIT_HANDLERS
from encoders.c.types.c_types import LP64

BEFORE = """\
void *malloc(unsigned long); void free(void *);
int atexit(void (*)(void)); void exit(int), _Exit(int), abort(void), reach_error(void);
int n = 1, *block;
void twice(void) { n = 2 * n; }
void more(void) { n = n + 1; }
void four(void) { if (n == 4) reach_error(); }
void three(void) { if (n == 3) reach_error(); }
void release(void) { free(block); }
"""


def executed(body: str, property: str = "unreach-call", before: str = "") -> Execution:
    text = f"{BEFORE}{before}int main(void) {{ {body} }}\n"
    return run(load_source(text, "test.c", LP64, property), Inputs())


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("atexit(four); atexit(twice); atexit(more); return 0;", "error"),
        ("atexit(three); atexit(more); atexit(twice); exit(1);", "error"),
        ("atexit(four); atexit(more); atexit(twice); return 0;", "end"),
        ("atexit(four); n = 4; _Exit(0);", "end"),
        ("atexit(four); n = 4; abort();", "end"),
        ("void (*f)(void) = four; n = 4; for (int i = 0; i < 32; i++) atexit(f); return 0;", "error"),
        ("for (int i = 0; i < 33; i++) atexit(more); return 0;", "stuck"),
    ],
)
def test_handlers_run_at_the_end(body: str, outcome: str) -> None:
    assert executed(body).outcome == outcome


def test_handlers_release_blocks() -> None:
    assert executed("block = malloc(4); atexit(release); return 0;", "valid-memcleanup").outcome == "end"
    found = executed("block = malloc(4); return 0;", "valid-memcleanup").violation
    assert found is not None and found.check.kind is CheckKind.CLEANUP


def test_a_function_of_the_program_is_its_own() -> None:
    own = "int atexit(void (*f)(void)) { f(); return 0; }\n"
    text = BEFORE + own + "int main(void) { n = 4; atexit(more); return n == 5 ? 0 : atexit(four); }\n"
    program = load_source(text, "test.c", LP64)
    assert RUN_EXIT_HANDLERS not in program.functions
    assert run(program, Inputs()).outcome == "end"


def test_programs_without_it_have_no_handlers() -> None:
    program = load_source(BEFORE + "int main(void) { return 0; }\n", "test.c", LP64)
    assert RUN_EXIT_HANDLERS not in program.functions
    assert not any("given" in variable.name for variable in encode(program).memory.variables)
