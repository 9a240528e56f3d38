"""Functions that use what is not modelled: its value may be anything, and checks behind it are decided all the same.

Each function has a twin in which a check behind the arbitrary value fails; that one is never proved.
"""

from pathlib import Path

import pytest

from chcverify.results.checks import CheckKind, CheckStatus, CheckVerdict
from tests.chcverify.run.checked_function import verdicts_of

PROVED, UNKNOWN = CheckStatus.PROVED, CheckStatus.UNKNOWN

TIMEOUT_S = 15  # some checks stay open


def of_line(verdicts: tuple[CheckVerdict, ...], text: str, mark: str) -> dict[CheckKind, CheckStatus]:
    """The statuses of the checks on the line of the text with a mark, by their kinds."""
    number = next(n for n, line in enumerate(text.splitlines(), 1) if mark in line)
    return {verdict.check.kind: verdict.status for verdict in verdicts if verdict.check.origin.line == number}


def assert_decided_behind(tmp_path: Path, text: str, safe: str, unsafe: str) -> tuple[CheckVerdict, ...]:
    """The bounds on the marked line are proved with the one text for @, and not with the other. The first verdicts."""
    found = [verdicts_of(tmp_path, text.replace("@", bound), TIMEOUT_S) for bound in (safe, unsafe)]
    statuses = [of_line(verdicts, text, "/* behind */")[CheckKind.BOUNDS] for verdicts in found]
    assert statuses[0] is PROVED and statuses[1] is not PROVED
    return found[0]


CALLS = {
    "no function at all": "",
    "another function": "static int one(struct s *s) { return s->n; }\nint (*kept)(struct s *) = one;\n",
    "a function of another type": "static long one(struct s *s) { return s->n; }\nvoid *kept = one;\n",
}


@pytest.mark.parametrize("start", CALLS.values(), ids=CALLS)
def test_a_call_through_a_pointer_to_no_known_function(tmp_path: Path, start: str) -> None:
    text = f"""struct s {{ int (*f)(struct s *); int n; }}; int g;
{start}int f(char *p) {{
  struct s *s = (struct s *)p;
  int a[4] = {{0}}, k = g;
  if (s->f) k = s->f(s); /* call */
  a[k & @] = 1; /* behind */
  return a[0];
}}
"""
    verdicts = assert_decided_behind(tmp_path, text, "3", "7")
    assert of_line(verdicts, text, "/* call */")[CheckKind.NULL] is UNKNOWN


def test_what_an_unknown_function_reaches_may_have_changed(tmp_path: Path) -> None:
    text = """struct s { void (*f)(struct s *); unsigned n; }; int g;
int f(char *p) {
  struct s *s = (struct s *)p;
  int a[4] = {0}, own = 1;
  s->n = 3;
  g = 3;
  if (s->f) s->f(s);
  return a[@]; /* behind */
}
"""
    for bound in ("g", "s->n"):
        assert_decided_behind(tmp_path, text, "own", bound)


def test_numbers_that_are_not_decimal(tmp_path: Path) -> None:
    """What strtod reads of them is checked, and its end is in the text."""
    text = """#include <stdlib.h>
int f(int k) {
  char text[6] = {'0', 'x', '1', (char)k, 'p', @};
  char *end;
  double d = strtod(text, &end); /* behind */
  if (d < 0) text[end - text] = 1; /* end */
  return text[0];
}
"""
    verdicts = assert_decided_behind(tmp_path, text, "0", "'1'")
    assert of_line(verdicts, text, "/* end */")[CheckKind.BOUNDS] is PROVED


def test_free_of_a_pointer_that_an_unknown_function_returns(tmp_path: Path) -> None:
    """Given no pointer, it is assumed to return a new block; else it may release what such functions know, and no other
    block, and it is not known if there is one."""
    text = """#include <stdlib.h>
struct s { struct s *next; int n; };
struct s *make(void);
int f(struct s *p) {
  struct s *own = malloc(sizeof *own);
  if (!own) return 0;
  own->n = 1;
  struct s *r = make(@);
  free(r); /* free */
  int k = own->n; /* behind */
  free(own); /* own */
  return k;
}
"""
    safe, unsafe = text.replace("@", ""), text.replace("make(void)", "make(struct s *)").replace("@", "own")
    verdicts = verdicts_of(tmp_path, safe, TIMEOUT_S)
    assert of_line(verdicts, safe, "/* free */")[CheckKind.FREE] is PROVED
    assert set(of_line(verdicts, safe, "/* behind */").values()) == {PROVED}
    assert of_line(verdicts, safe, "/* own */")[CheckKind.FREE] is PROVED
    verdicts = verdicts_of(tmp_path, unsafe, TIMEOUT_S)
    assert of_line(verdicts, unsafe, "/* free */")[CheckKind.FREE] is UNKNOWN
    assert of_line(verdicts, unsafe, "/* behind */")[CheckKind.LIFETIME] is UNKNOWN


def test_numbers_that_are_converted_to_pointers(tmp_path: Path) -> None:
    """Accesses are open checks, and a write may change what pointers lead to."""
    text = """struct s { int a, b; }; int g, *kept = &g;
int f(unsigned long n) {
  int t[4] = {0}, own = 1;
  struct s *p = (struct s *)n;
  if (p == 0) return t[n]; /* null */
  g = 2;
  int *q = &p->b;
  *(q + 1) = 7; /* wild */
  return t[@]; /* behind */
}
"""
    verdicts = assert_decided_behind(tmp_path, text, "own", "g")
    assert of_line(verdicts, text, "/* null */")[CheckKind.BOUNDS] is PROVED
    assert set(of_line(verdicts, text, "/* wild */").values()) == {UNKNOWN}


def test_a_number_may_be_equal_to_any_pointer(tmp_path: Path) -> None:
    text = """void *make(void);
int f(unsigned long n) {
  int t[4] = {0}, k = 0, *p = t;
  void *m = make();
  if (m == (void *)n && m) k = @;
  if (p == (int *)n) k++;
  return t[k]; /* behind */
}
"""
    assert_decided_behind(tmp_path, text, "2", "3")


def test_numbers_that_are_read_as_pointers_to_functions(tmp_path: Path) -> None:
    text = """#include <string.h>
int f(unsigned long n) {
  int t[4] = {0};
  int (*p)(void);
  memcpy(&p, &n, sizeof n);
  int k = p ? p() : 2; /* call */
  return t[k & @]; /* behind */
}
"""
    verdicts = assert_decided_behind(tmp_path, text, "3", "7")
    assert of_line(verdicts, text, "/* call */")[CheckKind.NULL] is UNKNOWN


def test_indices_beyond_an_array_in_a_record(tmp_path: Path) -> None:
    """At the end of a record there are more elements; elsewhere it is not known what is there."""
    text = """#include <stdlib.h>
struct s { int n; int a[1]; };
int f(int n) {
  int t[4] = {0};
  struct s *p = malloc(sizeof *p + 3 * sizeof(int));
  if (!p || n < 0 || n > 3) return 0;
  p->a[n] = 3; /* inside */
  p->a[3] = @;
  return t[p->a[3]]; /* behind */
}
"""
    verdicts = assert_decided_behind(tmp_path, text, "2", "4")
    assert of_line(verdicts, text, "/* inside */")[CheckKind.BOUNDS] is PROVED
    text = """struct s { int a[2]; int b; };
int f(struct s *p, int n) {
  int t[4] = {0};
  if (n < 0 || n > 2) return 0;
  p->b = 1;
  p->a[n] = 9; /* member */
  t[p->b & @] = 1; /* behind */
  return t[0];
}
"""
    verdicts = assert_decided_behind(tmp_path, text, "3", "7 | 4")
    assert of_line(verdicts, text, "/* member */")[CheckKind.BOUNDS] is not PROVED


def test_an_offset_of_two_parts_that_are_both_large(tmp_path: Path) -> None:
    text = """int f(char *p, unsigned long i, unsigned long j) {
  int t[4] = {0};
  char c = p[0];
  c = (p + i)[j]; /* access */
  return t[c & @]; /* behind */
}
"""
    verdicts = assert_decided_behind(tmp_path, text, "3", "7")
    assert of_line(verdicts, text, "/* access */")[CheckKind.BOUNDS] is not PROVED
