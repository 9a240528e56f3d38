"""Contracts in place of bodies, and their proofs.

The meaning of a contract is enumerated over small ranges; its proofs see what a function changes; and where another
call could observe more than the harness shows, the proof is refused.
"""

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest

from chcverify.options import HarnessOptions, SourceFile
from encoders.c.cfa.ir import Program
from encoders.c.contracts.assigned_locations import AssignedPart, Indices, MemberStep, assigned_locations
from encoders.c.contracts.behaviours import ContractClause
from encoders.c.execution.inputs import ObjectValue, Random, Scalar
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.harness.contract_harness import ContractHarness
from encoders.c.harness.contract_use import usable_contracts
from encoders.c.source.source_errors import LinkError, Origin, Unsupported
from encoders.c.source_queries import contracts_of
from encoders.c.types.c_types import LP64, CType

MEMORY = "assertion,bounds,null,lifetime,contract"


def load(folder: Path, text: str, entry: str | None = None, property: str = MEMORY) -> Program:
    """The program with its contracts in place of bodies, or the proof of one."""
    path = folder / "p.c"
    path.write_text(text)
    options = HarnessOptions(contracts=True, modular=True)
    begin = Begin(entry, options, contracts=True, modular=True) if entry else Begin(contracts=True, modular=True)
    return load_files([SourceFile(str(path))], LP64, property, begin=begin)


def violations(program: Program, wanted: str = "") -> set[str]:
    """The kinds of checks that random runs violate. wanted: one of them, which may need many runs."""
    found: set[str] = set()
    for seed in range(5000 if wanted else 60):
        if wanted in found:
            break
        execution = execute(program, Random(seed, (0, 1, 2, 3), 1 << seed % 4))
        if execution.violation is not None:
            found.add(execution.violation.check.kind.value)
        elif execution.outcome == "error":
            found.add("error")
    return found


# --- the meaning of a contract


class Given(Random):
    """Choices from a list, one for each undetermined scalar."""

    def __init__(self, values: Sequence[int]) -> None:
        super().__init__(0, (), 1)
        self.values = list(values)

    def scalar(self, kind: CType) -> Scalar:
        return self.values.pop(0)

    def contents(self) -> ObjectValue:
        return ObjectValue()


MEANING = """
extern int __VERIFIER_nondet_int(void);
int g = 1;
/*@ requires %(requires)s; assigns %(assigns)s; ensures %(ensures)s; */
int f(int x);
int f(int x) { return 0; }
int main(void) {
  int x = __VERIFIER_nondet_int(), r = __VERIFIER_nondet_int(), h = __VERIFIER_nondet_int();
  if (f(x) == r && g == h) __CPROVER_assert(0, "");
  return 0;
}
"""
VALUES = range(-2, 3)


@pytest.mark.parametrize(
    ("requires", "assigns", "ensures", "allowed", "relation"),
    [
        ("x >= 0", "\\nothing", "\\result == x", lambda x: x >= 0, lambda x, r, g: r == x and g == 1),
        ("-1 <= x < 2", "g", "\\result == g", lambda x: -1 <= x < 2, lambda x, r, g: r == g),
        ("x != 0", "g", "g == \\old(g) + x && \\result >= 0", lambda x: x != 0, lambda x, r, g: g == 1 + x and r >= 0),
        ("\\true", "\\nothing", "x > 0 ==> \\result > x", lambda x: True, lambda x, r, g: g == 1 and (x <= 0 or r > x)),
        ("\\true", "g", "\\false", lambda x: True, lambda x, r, g: False),
    ],
)
def test_a_contract_allows_exactly_what_it_says(
    requires: str, assigns: str, ensures: str, allowed: object, relation: object, tmp_path: Path
) -> None:
    assert callable(allowed)
    assert callable(relation)
    text = MEANING % {"requires": requires, "assigns": assigns, "ensures": ensures}
    program = load(tmp_path, text, property="assertion,contract")
    for x, r, g in itertools.product(VALUES, VALUES, VALUES):
        kinds = set()
        for chosen in itertools.product(*([VALUES] * (2 if assigns == "g" else 1))):
            execution = execute(program, Given([x, r, g, *chosen]))
            if execution.violation is not None:
                kinds.add(execution.violation.check.kind.value)
        expected = {"contract"} if not allowed(x) else {"assertion"} if relation(x, r, g) else set()
        assert kinds == expected, (x, r, g)


def test_ranges_of_elements_change_and_nothing_else(tmp_path: Path) -> None:
    text = """extern int __VERIFIER_nondet_int(void);
    /*@ requires \\valid(a + (0 .. 3)); assigns a[n .. n + 1]; */
    void f(int *a, int n) { }
    int main(void) { int b[4] = {7, 7, 7, 7}; f(b, 1); %s return 0; }"""
    for changed in range(4):
        program = load(tmp_path, text % f'__CPROVER_assert(b[{changed}] == 7, "");')
        assert violations(program) == ({"assertion"} if changed in (1, 2) else set())


# --- proofs

KEPT = {
    "sum by recursion": "/*@ requires 0 <= n <= 3; assigns \\nothing; ensures \\result == n * (n + 1) / 2; */"
    "int f(int n) { return n ? n + f(n - 1) : 0; }",
    "static variable": "/*@ assigns \\nothing; ensures 0 <= \\result <= 1; */"
    "int f(void) { static int s; s = s ? 0 : 1; return s; }",
    "no elements": "/*@ requires n >= 0 && \\valid(a + (0 .. n - 1)); assigns a[0 .. n - 1]; */"
    "void f(char *a, int n) { if (n > 0) a[n - 1] = 1; }",
    "index before": "int i, t[4]; /*@ requires 0 <= i < 3; assigns i, t[i]; */ void f(void) { t[i++] = 7; }",
    "member": "struct s { int x, y[2]; }; /*@ requires \\valid(p); assigns p->y[1]; */ "
    "void f(struct s *p) { p->y[1] = 1; }",
    "separated": "/*@ requires \\valid(p) && \\valid(q) && \\separated(p, q); assigns *p; ensures *p == *q; */"
    "void f(int *p, int *q) { *p = *q; }",
    "zero with sign": "double d; /*@ assigns \\nothing; */ void f(void) { if (d > 0.0) d = d; }",
}
BROKEN = {
    "ensures": ("contract", "/*@ assigns \\nothing; ensures \\result > n; */ int f(int n) { return n + (n != 2); }"),
    "variable": ("contract", "int g, h; /*@ assigns g; */ void f(void) { g = 1; h = 1; }"),
    "element": (
        "contract",
        "/*@ requires n > 1 && \\valid(a + (0 .. n - 1)); assigns a[0]; */ void f(int *a, int n) { a[n - 1] = 1; }",
    ),
    "index behind": ("contract", "int i, t[4]; /*@ requires 0 <= i < 3; assigns i, t[i]; */ "
        "void f(void) { t[++i] = 7; }"),
    "member": ("contract", "struct s { int x, y[2]; }; /*@ requires \\valid(p); assigns p->y[0]; */"
               "void f(struct s *p) { p->y[1] = 1; }"),
    "beyond": ("bounds", "/*@ requires n >= 0 && \\valid(a + (0 .. n - 1)); assigns a[0 .. n]; */"
               "void f(int *a, int n) { a[n] = 1; }"),
    "in front": ("bounds", "/*@ requires \\valid(p); assigns *p; */ void f(int *p) { p[-1] = 1; }"),
    "null": ("null", "/*@ assigns \\nothing; */ int f(int *p) { return *p; }"),
    "not said to be valid": ("bounds", "/*@ assigns \\nothing; */ int f(int *p) { return p ? *p : 0; }"),
    "recursive call": ("contract", "/*@ requires 0 <= n; assigns \\nothing; */ "
        "int f(int n) { return n ? f(n - 2) : 0; }"),
    "two arguments": ("contract", "/*@ requires \\valid(p) && \\valid(q) && \\separated(p, q); assigns *p; */"
                      "void f(int *p, int *q) { *q = *p; }"),
}  # fmt: skip
REFUSED = {
    "pointers in objects": ("with pointers", "struct s { struct s *n; }; /*@ assigns \\nothing; */ "
        "void f(struct s *p) { }"),
    "result": ("with pointers", "/*@ assigns \\nothing; */ int *f(void) { return 0; }"),
    "not separated": (r"requires .separated\(p, q\)", "/*@ assigns *p; */ void f(int *p, int *q) { }"),
    "variable behind a pointer": ("might lead", "int g; void k(void); /*@ assigns *p; */ void f(int *p) { *p = g; }"
                                  "/*@ assigns g; */ void k(void) { f(&g); }"),
    "array behind a pointer": ("might lead", "int g[2]; /*@ assigns *p; */ void f(int *p) { *p = g[0]; }"),
    "frees": ("frees memory", "void free(void *); /*@ requires \\valid(p); assigns \\nothing; */ "
        "void f(int *p) { free(p); }"),
    "outside": ("without a body", "void k(int *); /*@ assigns *p; */ void f(int *p) { k(p); }"),
    "exit handlers": (
        "uses given",
        "int atexit(void (*)(void)); void exit(int); int g; void h(void) { } void r(void) { atexit(h); }"
        "/*@ assigns g; */ void f(void) { g = 1; exit(0); }",
    ),
    "volatile": ("volatile", "volatile int g; /*@ assigns \\nothing; */ int f(void) { return g; }"),
    "union": ("union", "union u { int a; float b; } g; /*@ assigns g; */ void f(void) { g.a = 1; }"),
    "two names": ("both called", "int n; int k(void) { return n; } /*@ assigns \\nothing; */ "
        "int f(int n) { return k(); }"),
    "call in a contract": ("the call k", "int k(void); /*@ assigns \\nothing; ensures \\result == k(); */ "
        "int f(void) { return 1; }"),
    "validity negated": ("negated", "/*@ requires !\\valid(p); assigns \\nothing; */ void f(int *p) { }"),
    "validity as an alternative": ("negated", "/*@ requires \\valid(p) || n == 0; assigns \\nothing; */ "
        "void f(int *p, int n) { }"),
    "location": ("neither", "/*@ assigns nowhere; */ void f(void) { }"),
    "parameter": ("is a parameter", "/*@ assigns n; */ void f(int n) { }"),
    "pointer of a variable": ("with pointers", "int *g; /*@ assigns g; */ void f(void) { g = 0; }"),
}  # fmt: skip
MAIN = "\nint main(void) { return 0; }"


@pytest.mark.parametrize("name", KEPT)
def test_no_run_of_a_harness_violates_a_contract_that_is_kept(name: str, tmp_path: Path) -> None:
    assert violations(load(tmp_path, KEPT[name] + MAIN, "f")) == set()


@pytest.mark.parametrize("name", BROKEN)
def test_runs_of_a_harness_show_what_breaks_a_contract(name: str, tmp_path: Path) -> None:
    kind, text = BROKEN[name]
    assert kind in violations(load(tmp_path, text + MAIN, "f"), kind)


@pytest.mark.parametrize("name", REFUSED)
def test_contracts_without_a_proof_for_all_calls_are_refused(name: str, tmp_path: Path) -> None:
    what, text = REFUSED[name]
    several = ", int" in text.partition("void f(")[2]
    called = f"\nint main(void) {{ f{'(0, 0)' if several else '(0)'}; return 0; }}"
    with pytest.raises(Unsupported, match=what):
        load(tmp_path, text + MAIN, "f")
        load(tmp_path, text + called)


def test_pointers_need_checks_of_memory(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="without checks of memory"):
        load(tmp_path, "/*@ assigns *p; */ void f(int *p) { *p = 1; }" + MAIN, "f", "assertion,contract")


CALLS = {
    "keeps": ("f(b, 3)", set()),
    "part": ("f(b + 1, 3)", set()),
    "none": ("f(b + 4, 0)", set()),
    "null and none": ("f(0, 0)", set()),
    "too many": ("f(b, 5)", {"bounds"}),
    "null": ("f(0, 1)", {"null"}),
    "negative": ("f(b, -1)", {"contract"}),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_are_checked(name: str, tmp_path: Path) -> None:
    call, expected = CALLS[name]
    text = "/*@ requires n >= 0 && \\valid(a + (0 .. n - 1)); assigns \\nothing; */ void f(char *a, int n) { }"
    assert violations(load(tmp_path, f"{text}\nint main(void) {{ char b[4] = {{0}}; {call}; return 0; }}")) == expected


@pytest.mark.parametrize(("call", "overlap"), [("f(b, b + 2)", False), ("f(b, b + 1)", True), ("f(b, &x)", False)])
def test_separated_is_about_bytes(call: str, overlap: bool, tmp_path: Path) -> None:
    text = "/*@ requires \\separated(p + (0 .. 1), q); assigns \\nothing; */ void f(int *p, int *q) { }"
    program = load(tmp_path, f"{text}\nint main(void) {{ int b[3] = {{0}}, x = 0; {call}; return b[0] + x; }}")
    found = violations(program, "contract" if overlap else "")
    assert found == ({"contract"} if overlap else set())


def test_the_functions_with_usable_contracts(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        "/*@ requires x > 0; */ int a(int x) { return x; }\n/*@ assigns \\nothing; */ int b(void) { return 1; }\n"
        "/*@ assigns \\nothing; */ int main(void) { return 0; }"
    )
    assert [(entry.name, entry.line) for entry in contracts_of([SourceFile(str(path))], LP64)] == [("b", 2)]
    assert callable(usable_contracts)
    assert ContractHarness.called == ""


def test_a_contract_that_is_asked_for_must_be_there(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("/*@ ensures \\result == 1; */ int a(void) { return 1; }\nint b(void) { return 1; }" + MAIN)
    for name, error in (("a", "without a clause assigns"), ("b", "it has none"), ("c", "no function 'c'")):
        with pytest.raises((Unsupported, LinkError), match=error):
            load_files([SourceFile(str(path))], LP64, begin=Begin(contracts=True, uses=(name,)))


def test_locations() -> None:
    def parts(text: str) -> list[AssignedPart]:
        return assigned_locations([ContractClause("assigns", text, frozenset(), Origin("p.c", 1))])

    first = Indices("(long)(0)", "(long)(0)")
    assert parts("\\nothing") == parts("\\result") == []
    assert parts("*p, g") == [AssignedPart("p", (Indices("0", "0"),)), AssignedPart("g", ())]
    assert parts("p->m.n") == [AssignedPart("p", (Indices("0", "0"), MemberStep("m"), MemberStep("n")))]
    assert parts("a[0]")[0].steps == (first,)
    assert parts("*(p + (0 .. n - 1))") == parts("p[0 .. n - 1]")
    for text in ("p + 1", "**p", "f(x)", "a[..]", "\\fresh(p)"):
        with pytest.raises(Unsupported, match=r"p\.c:1:"):
            parts(text)
