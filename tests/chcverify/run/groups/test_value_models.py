"""Models of the value analysis: of random programs and of pointers to objects, in both theories."""

import math
import time
from dataclasses import replace
from pathlib import Path

import pytest
import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.horn.system import HornSystem
from chcverify.options import HarnessOptions, InputOptions
from chcverify.problems.c_problem import CProblem, load_c_program
from chcverify.problems.check_problems import CheckProblems
from chcverify.run.groups.value_models import (
    cell_models,
    inductive_part,
    parted_models,
    tracked_arguments,
    value_models,
)
from chcverify.task import Task, resolve
from encoders.c.encoding.encoder import EncodeOptions, encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64
from tests.differential.compare import AS_COMPILED, make


def is_model(system: HornSystem, whole: CProblem) -> frozenset[int]:
    """The refuted queries; the kernel accepts the model for these and all other clauses."""
    (found,) = value_models(whole, time.monotonic() + 600)
    kept = [c for i, c in enumerate(system.clauses) if not c.is_query or i in found.refuted]
    assert certify(HornSystem(system.predicates, tuple(kept)), found.whole(), math.inf, "off").accepted
    return found.refuted


@pytest.mark.parametrize("seed", [1, 3, 4, 5])
def test_random_programs(seed: int) -> None:
    """All facts are inductive, so that they hold in every run."""
    case = make(seed)
    outputs = "".join(f"long long out_{i};\n" for i in range(case.outputs))
    text = f"{outputs}void reach_error(void);\nvoid finish(void) {{ reach_error(); }}\n{case.text}"
    program = load_source(text, "generated.c", LP64, surroundings=AS_COMPILED)
    encoding = encode(program, options=EncodeOptions(theory="bv" if seed % 2 else "auto"))
    is_model(encoding.system, CProblem(encoding.system, {}, encoding))


POINTERS = """#include <stdlib.h>
struct node { int value; struct node *next; int items[4]; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct node *n = __VERIFIER_nondet_int() ? malloc(sizeof(struct node)) : 0;
  if (!n) return 0;
  n->next = __VERIFIER_nondet_int() ? malloc(sizeof(struct node)) : 0;
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3) return 1;
  n->items[i] = BITS;
  if (n->next) n->next->value = n->items[0];
  for (int k = 0; k < 4; k++) n->items[k] = 0;
  struct node *late = n->next;
  free(n);
  late->value = 7;
  n->value = 1;
  return 0;
}
"""


@pytest.mark.parametrize("bits", ["i", "i ^ __VERIFIER_nondet_int()"])
def test_pointers_to_objects(tmp_path: Path, bits: str) -> None:
    """Every check is refuted but that of late, which may be null, and that of n, which has been released."""
    path = tmp_path / "p.c"
    path.write_text(POINTERS.replace("BITS", bits))
    task = resolve(InputOptions(str(path), property="undefined-behaviour"))
    whole = CheckProblems.of(load_c_program(task), task.property).of_checks(frozenset())
    assert isinstance(whole, CProblem)
    refuted = is_model(whole.system, whole)
    infos = whole.encoding.infos
    open_ = {(infos[i].check.kind.value, infos[i].check.origin.line) for i in whole.system.queries if i not in refuted}  # type: ignore[union-attr]
    assert open_ == {("null", 15), ("lifetime", 16)}


RESULT = """#include <stdlib.h>
static int grow(char **data, int *length, int n) {
  if (n > *length) {
    void *made = realloc(*data, n * 2);  /* n * 2 may be 0: then the old block is released, and there is no new one */
    if (!made) return -1;
    *data = made;
    *length = n;
  }
  return 0;
}
int put(char **data, int *length, int n) {
  int error = grow(data, length, n);
  if (error) return error;
  (*data)[3] = 1;
  return 0;
}
"""


def test_what_holds_of_memory_may_depend_on_a_result(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(RESULT)
    task = Task(str(path), "c", "undefined-behaviour", entry="put")
    whole = CheckProblems.of(load_c_program(task), task.property).of_checks(frozenset())
    assert isinstance(whole, CProblem)
    refuted = is_model(whole.system, whole)
    infos = whole.encoding.infos
    open_ = {(infos[i].check.kind.value, infos[i].check.origin.line) for i in whole.system.queries if i not in refuted}  # type: ignore[union-attr]
    assert open_ == {("overflow", 4), ("bounds", 14), ("null", 14)}


LISTED = """#include <stdlib.h>
#include <string.h>
struct item { struct item *next; unsigned flags; char *label; };
static struct item *made(void) {
  struct item *m = malloc(sizeof(struct item));
  if (m) memset(m, 0, sizeof(struct item));
  return m;
}
static int added(struct item *list, struct item *m) {
  if (!list || !m || list == m) return 0;
  if (HAS(m->flags, 2) && m->label) free(m->label);
  m->next = list->next;
  list->next = m;
  return 1;
}
static void dropped(struct item *m) {
  while (m) {
    struct item *next = m->next;
    if (HAS(m->flags, 4) && m->label) free(m->label);
    free(m);
    m = next;
  }
}
int add(struct item *list, unsigned flags) {
  struct item *m = made();
  if (m) m->flags = flags;
  if (added(list, m)) return 1;
  dropped(m);
  return 0;
}
"""


@pytest.mark.parametrize(
    "has", ["#define HAS(flags, bit) ((flags) & (bit) ^ (flags))", "#define HAS(flags, bit) (flags)"]
)
def test_null_pointers_part_what_is_known_of_members(tmp_path: Path, has: str) -> None:
    """A new item has no label and no next one. Where there was no memory for it, nothing is known of them."""
    path = tmp_path / "items.c"
    path.write_text(f"{has}\n{LISTED}")
    task = Task(str(path), "c", "undefined-behaviour", entry="add")
    whole = CheckProblems.of(load_c_program(task), task.property).of_checks(frozenset())
    assert isinstance(whole, CProblem)
    coarse = is_model(whole.system, whole)
    infos, queries = whole.encoding.infos, frozenset(whole.system.queries)
    checks = {infos[index].check for index in queries - coarse}
    (parted,) = parted_models(checks, whole, time.monotonic() + 600)
    assert coarse and checks and parted.refuted == {index for index in queries if infos[index].check in checks}
    kept = [c for i, c in enumerate(whole.system.clauses) if not c.is_query or i in parted.refuted]
    assert certify(HornSystem(whole.system.predicates, tuple(kept)), parted.whole(), math.inf, "off").accepted


def test_facts_that_do_not_hold_are_dropped() -> None:
    encoding = encode(load_source("int main(void) { int i = 0; while (i < 5) i++; return i; }", "p.c", LP64))
    system = encoding.system
    facts = {p: [f == 0 for f in p.formals if f.sort() == z3.IntSort()] for p in system.predicates}
    found = inductive_part(system, facts, system.queries, time.monotonic() + 600)
    assert certify(system, found.whole(), math.inf, "off").accepted
    assert not any(tracked_arguments(encoding).values())


MEMBERS = r"""#include <stddef.h>
struct text { size_t length; unsigned char *bytes; };
/*@ requires \valid_read(a) && \valid(a->bytes + (0 .. a->length - 1));
    requires \valid_read(b) && \valid(b->bytes + (0 .. b->length - 1)); */
int same(const struct text *a, const struct text *b) {
  int different = 0;
  if (a->length != b->length) return 0;
  for (size_t i = 0; i < a->length; i++) different |= a->bytes[i] ^ b->bytes[LAST];
  return !different;
}
"""


@pytest.mark.parametrize(("last", "holds"), [("i", True), ("a->length - 1 - i", True), ("a->length - i", False)])
def test_lengths_in_structures_bound_their_arrays(tmp_path: Path, last: str, holds: bool) -> None:
    """The arrays may be null where the lengths are 0: this parts what holds, and lengths are related to sizes."""
    path = tmp_path / "text.c"
    path.write_text(MEMBERS.replace("LAST", last))
    task = replace(
        resolve(InputOptions(str(path), property="undefined-behaviour")),
        entry="same",
        harness=HarnessOptions(contracts=True),
    )
    program = load_c_program(task)
    whole = CheckProblems.of(program, task.property).of_checks(frozenset())
    assert isinstance(whole, CProblem)
    (plain,) = value_models(whole, time.monotonic() + 600)
    *_, cells = cell_models(whole, time.monotonic() + 600)
    queries = frozenset(whole.system.queries)
    assert plain.refuted < cells.refuted and (cells.refuted == queries) == holds
    kept = [c for n, c in enumerate(whole.system.clauses) if not c.is_query or n in cells.refuted]
    assert certify(HornSystem(whole.system.predicates, tuple(kept)), cells.whole(), math.inf, "off").accepted


def test_ranges_behind_void_pointers(tmp_path: Path) -> None:
    """Their elements are bytes, and the number of bytes is divided by 1."""
    path = tmp_path / "bytes.c"
    path.write_text(
        "#include <string.h>\n"
        "/*@ requires \\valid_read((char *)a + (0 .. n - 1)) && \\valid_read((char *)b + (0 .. m - 1)); */\n"
        "int same(const void *a, size_t n, const void *b, size_t m) { return n == m && !memcmp(a, b, n); }\n"
    )
    task = resolve(InputOptions(str(path), property="undefined-behaviour"))
    task = replace(task, entry="same", harness=HarnessOptions(contracts=True))
    whole = CheckProblems.of(load_c_program(task), task.property).of_checks(frozenset())
    assert isinstance(whole, CProblem)
    (found,) = value_models(whole, time.monotonic() + 600)
    assert found.refuted == frozenset(whole.system.queries)


def test_programs_without_members_have_no_such_model(tmp_path: Path) -> None:
    path = tmp_path / "plain.c"
    path.write_text("int main(void) { int t[2] = {1, 2}; return t[1]; }")
    task = resolve(InputOptions(str(path), property="valid-memsafety"))
    whole = CheckProblems.of(load_c_program(task), task.property).of_checks(frozenset())
    assert isinstance(whole, CProblem)
    assert all(found.refuted for found in cell_models(whole, time.monotonic() + 600))
    assert not list(cell_models(whole, time.monotonic() - 1))
