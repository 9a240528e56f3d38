"""What functions of the library read is checked, by the interpreter on small programs."""

import pytest

from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.cfa.ir import Trap
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import run
from encoders.c.frontend import load_source
from encoders.c.lowering.checks.library_accesses import READS
from encoders.c.types.c_types import LP64

DECLARED = """
typedef unsigned long size_t; typedef struct _IO_FILE FILE; extern FILE *out;
int printf(const char *, ...); int dprintf(int, const char *, ...); int puts(const char *); void perror(const char *);
long write(int, const void *, size_t); size_t fwrite(const void *, size_t, size_t, FILE *);
void errx(int, const char *, ...); void *memcpy(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t);
char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t); void exit(int);
char *strcat(char *, const char *); char *strncat(char *, const char *, size_t);
int main(void) { char text[4] = {'a', 'b', 'c', 'd'}, end[4] = "ab"; int numbers[3] = {1, 2, 3}, open; char part[3];
  char line[40] = "abcdefgh";
  part[0] = 'a'; struct pair { int one, two; } pair; pair.one = 1; struct gap { char one; int two; } gap = {1, 2};
"""


def outcome(statement: str, checks: frozenset[CheckKind]) -> str:
    program = load_source(f"{DECLARED} {statement}; return 0; }}", "program.c", LP64, property=",".join(sorted(checks)))
    return run(program, Inputs(())).outcome


@pytest.mark.parametrize(
    "call",
    [
        'printf("%.4s|%.*s|%s", text, 4, text, end)',
        'printf("%2$.*1$s", 3, text)',
        'printf("%.*s", -1, end)',
        'dprintf(1, "%d%%%s", 1, end)',
        "puts(end)",
        "perror(0)",
        "write(1, numbers, sizeof numbers)",
        "write(1, numbers, 0)",
        "fwrite(numbers, sizeof *numbers, 3, out)",
        "fwrite(numbers, 0, ~0ul, out)",
        "memcmp(text, end, 4)",
        'errx(1, "%.2s", text)',
        "exit(2)",
    ],
)
def test_what_may_be_read(call: str) -> None:
    assert outcome(call, DEREFERENCES) != "error"


@pytest.mark.parametrize(
    "call",
    [
        'printf("%.5s", text)',
        'printf("%.*s", -1, text)',
        'printf("%2$.*1$s", 5, text)',
        'dprintf(1, "%d%%%s", 1, text)',
        "puts(text)",
        "perror(text)",
        "write(1, numbers, sizeof numbers + 1)",
        "fwrite(numbers, sizeof *numbers, 4, out)",
        "fwrite(numbers, 3, ~0ul, out)",
        "memcmp(text, numbers, 5)",
        'errx(1, "%s", text)',
        'errx(1, "%2$s", 1, text)',
    ],
)
def test_what_may_not_be_read(call: str) -> None:
    assert outcome(call, DEREFERENCES) == "error"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("exit(open)", True),
        ("write(1, part, 2)", True),
        ("write(1, part, 1)", False),
        ("fwrite(&pair, sizeof pair, 1, out)", True),
        ("pair.two = 1; fwrite(&pair, sizeof pair, 1, out)", False),
        ('printf("%d", open)', True),
        ('printf("%.2s", part)', True),
    ],
)
def test_what_was_not_written(call: str, expected: bool) -> None:
    assert (outcome(call, frozenset({CheckKind.UNINITIALISED})) == "error") == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("memcpy(numbers, numbers + 1, 8)", True),
        ("memcpy(numbers, numbers + 1, 4)", False),
        ("memcpy(numbers, numbers, 4)", True),
        ("memcpy(numbers + 1, numbers, 0)", False),
        ("memcpy(text, end, 4)", False),
        ("strcpy(end, end + 1)", True),
        ("strcpy(end + 2, end + 2)", True),
        ("strcpy(text, end)", False),
        ("strncpy(line, line + 4, 2)", False),
        ("strncpy(line, line + 4, 5)", True),
        ("strncpy(line + 7, line, 2)", False),
        ("strncpy(line, line + 10, 11)", True),
        ("strncpy(line, line + 10, 9)", False),
        ("strcat(line + 8, line)", True),
        ("strcat(line, line + 10)", False),
        ("line[6] = 0; strcat(line, line + 7)", True),
        ("strncat(line + 8, line, 3)", False),
    ],
)
def test_overlap(call: str, expected: bool) -> None:
    assert (outcome(call, frozenset({CheckKind.OVERLAP})) == "error") == expected


@pytest.mark.parametrize(
    "call",
    ["printf(text)", 'printf("%s")', 'printf("%s", numbers)', 'printf("%y", 1)', 'printf("%.3ls", L"a")'],
)
def test_what_is_not_known_is_a_trap(call: str) -> None:
    program = load_source(f"{DECLARED} {call}; return 0; }}", "program.c", LP64, property=",".join(sorted(READS)))
    assert any(isinstance(edge.operation, Trap) for edge in program.functions["main"].edges)
