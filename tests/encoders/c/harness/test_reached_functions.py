"""Functions that the one where a program begins cannot call are left out before parsing, and nothing else is."""

from pathlib import Path

import pytest

from chcverify.horn.io.writer import to_smtlib
from chcverify.options import HarnessOptions, SourceFile
from encoders.c.encoding.encoder import encode
from encoders.c.frontend import Begin, load_files
from encoders.c.harness.reached_functions import with_reached_functions
from encoders.c.parsed_sources import ParsedSources
from encoders.c.source_queries import functions_of, only_function_of
from encoders.c.types.c_types import LP64

PROPERTY = "undefined-behaviour"
PROGRAM = """
# 1 "program.c"
typedef int number; typedef int (*callback)(int);
struct pair { int left, right; };
static number unused(number n);
static int helper(int n) { return n / 2; }
static struct made { int v; } *maker(void) { return (struct made *)0; } int between;
static struct pair *finder(struct pair *p) {
# 8 "program.c"
  if (p->left == '}' || "}{"[0] == '{') return p; return 0; }
extern int (*table[])(int);
static int first(int n) { return n + 1; }
int (*table[])(int) = { first };
__attribute__((constructor)) static void begin(void) { helper(1); }
int (*chosen(int k))(int) { return table[k]; }
int malloc_calls; void *malloc(unsigned long n) { malloc_calls++; return 0; }
static int leaf(int n) { return 3 / n; }
static int inner(callback f, int n) { return f(n); }
int entry(struct pair *p, int k) { struct made m; m.v = k; return inner(leaf, p->left) + m.v; }
int other(struct pair *p) { return entry(p, 1) + unused(2); }
"""


def nonblank(text: str) -> str:
    return "".join(text.split())


@pytest.fixture
def reached() -> str:
    (found,) = with_reached_functions([PROGRAM], "entry", lambda name: name == "malloc")
    return found


@pytest.mark.parametrize("name", ["inner", "leaf", "entry", "first", "table", "begin", "helper", "malloc", "chosen"])
def test_what_the_text_may_call_stays(reached: str, name: str) -> None:
    start = PROGRAM.index({"table": "table[])(int) =", "entry": "entry(struct"}.get(name, f"{name}("))
    line = PROGRAM[start : PROGRAM.index("\n", start)]
    assert line in reached


@pytest.mark.parametrize("name", ["unused", "other", "finder"])
def test_what_nothing_mentions_is_left_out(reached: str, name: str) -> None:
    assert f"{name}(struct" not in reached.replace("finder(struct pair *p) ;", "")
    assert f"{name}(number" not in reached


def test_all_that_stays_keeps_its_position_and_tags_their_scope(reached: str) -> None:
    assert len(reached) == len(PROGRAM) and reached.count("\n") == PROGRAM.count("\n")
    assert '# 8 "program.c"' in reached
    assert "static struct made { int v; } *maker(void) { return (struct made *)0; }" in reached
    assert "static struct pair *finder(struct pair *p) ;" in reached
    assert all(mine == theirs or mine in " ;" for mine, theirs in zip(reached, PROGRAM, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "int old(a) int a; { return a; } int entry(void) { return 0; }",
        "int odd(void) <% return 0; %> int entry(void) { return 0; }",
        "int open(void) { return 0; int entry(void) { return 0; }",
        "int a, more(int), b; _Static_assert(sizeof(int), \"\"); typedef int t(int); int entry(int) { return 0; }",
        "int same(void) __attribute__((alias(\"entry\"))); int entry(void) { return 0; }",
    ],
    ids=["before C89", "digraphs", "unbalanced", "several declarations", "alias"],
)  # fmt: skip
def test_texts_that_are_not_understood_stay(text: str) -> None:
    assert with_reached_functions([text], "entry", lambda name: False) == [text]


@pytest.mark.parametrize(
    "function",
    [
        "int (called)(int a) { return 10 / a; }",
        "__int128 (called)(int a) { return 10 / a; }",
        "int (*called(void))(int) { return 0; }",
        "int called(int a) [[gnu::noinline]] { return 10 / a; }",
        "int called [[gnu::aligned(8)]] (int a) { return 10 / a; }",
        "int (called __attribute__((aligned(8))))(int a) { return 10 / a; }",
        "int called __attribute__((aligned(8))) (int a) { return 10 / a; }",
        "int __attribute__((noinline)) (called)(int a) { return 10 / a; }",
        "struct box { int v; } *called(struct box *b) { return b; }",
        "struct box { int v; } (*called)(struct box *b);",
        "__attribute__((constructor)) void called(void) { }",
    ],
)
def test_a_called_function_stays_whatever_its_head(function: str) -> None:
    """Behind and in front of functions that are left out."""
    other, entry = "int other(void) { return 1; }", "int entry(void) { return called != 0; }"
    for text in (f"{function} {other} {entry}", f"{other} {function} {entry}", f"{entry} {function} {other}"):
        (found,) = with_reached_functions([text], "entry", lambda name: False)
        assert function in found and entry in found


def test_texts_without_the_entry_stay() -> None:
    text = "int declared(void); int other(void) { return 0; }"
    assert all(with_reached_functions([text], entry, lambda _: False) == [text] for entry in ("declared", "missing"))


def test_functions_of_other_files_are_reached(tmp_path: Path) -> None:
    first = "int there(int); int entry(int n) { return there(n); }"
    second = "static int own(int n) { return n / 2; } int there(int n) { return own(n); } int away(int n) { return n; }"
    found = with_reached_functions([first, second], "entry", lambda name: False)
    assert found[0] == first
    assert nonblank(found[1]) == nonblank(second).removesuffix("intaway(intn){returnn;}")


def test_a_static_function_of_a_second_file_is_an_entry(tmp_path: Path) -> None:
    for name in ("a.c", "b.c"):
        (tmp_path / name).write_text(
            f"static int f(int n) {{ return n / 3; }}\nint {name[0]}(int n) {{ return f(n); }}\n"
        )
    files = tuple(SourceFile(str(tmp_path / name)) for name in ("a.c", "b.c"))
    (named,) = (entry.name for entry in functions_of(ParsedSources.of(files, LP64)) if entry.name.startswith("f ("))
    parsed = ParsedSources.of(files, LP64, entry=named)
    assert [entry.name for entry in functions_of(parsed)] == ["f", named]
    assert parsed.are_of(files, LP64, False, named)


def test_the_only_function_is_found_without_declarations(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(LIBRARY)
    files = (SourceFile(str(path)),)
    for entry in functions_of(ParsedSources.of(files, LP64)):
        found = only_function_of(ParsedSources.of(files, LP64, entry=entry.name), entry.name)
        assert found is not None and (found.name, found.file, found.line) == (entry.name, entry.file, entry.line)
    assert only_function_of(ParsedSources.of(files, LP64, entry="strlen"), "strlen") is None
    assert only_function_of(ParsedSources.of((*files, *files), LP64, entry="median"), "median") is None


LIBRARY = """
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <math.h>
struct node { struct node *next; char name[8]; };
static struct node *head;
static int ordered(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static inline void sort(int *v, int n) { if (n > 1) qsort(v, 2, sizeof *v, ordered); }
void free_all(void) { while (head) { struct node *n = head->next; free(head); head = n; } }
struct node *found(const char *name) { for (struct node *n = head; n; n = n->next) if (!strcmp(n->name, name)) return n;
  return 0; }
int median(int *v) { sort(v, 2); return v[0] / v[1]; }
int added(const char *name) { struct node *n = calloc(1, sizeof *n); if (!n) return -1; strncpy(n->name, name, 7);
  n->next = head; head = n; return (int)sqrt(strlen(name)); }
void at_end(void) { free_all(); puts("ends"); }
"""


@pytest.mark.parametrize("function", ["median", "added", "found", "free_all"])
def test_the_clauses_are_the_same(tmp_path: Path, function: str) -> None:
    path = tmp_path / "program.c"
    path.write_text(LIBRARY)
    files, begin = (SourceFile(str(path)),), Begin(function, HarnessOptions())
    parsed = [ParsedSources.of(files, LP64, entry=entry) for entry in ("", function)]
    assert len(nonblank(parsed[1].texts[0][1])) < len(nonblank(parsed[0].texts[0][1]))
    whole, part = (
        to_smtlib(encode(load_files(files, LP64, PROPERTY, begin=begin, parsed=each), PROPERTY).system)
        for each in parsed
    )
    assert whole == part


def test_files_without_some_functions_are_used_for_their_entry_alone(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(LIBRARY)
    files = (SourceFile(str(path)),)
    parsed = ParsedSources.of(files, LP64, entry="median")
    assert parsed.are_of(files, LP64, False, "median")
    assert not parsed.are_of(files, LP64, False, "added")


def test_the_interface_of_competitions_counts_where_nothing_calls_it(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    interface = "extern int __VERIFIER_nondet_int(void);\nint a(void) { return __VERIFIER_nondet_int(); }\n"
    path.write_text(f"{interface}int b(void) {{ return 0; }}\n")
    parsed = ParsedSources.of((SourceFile(str(path)),), LP64, entry="b")
    assert parsed.entry == "" and "int a(void) {" in parsed.texts[0][1]
