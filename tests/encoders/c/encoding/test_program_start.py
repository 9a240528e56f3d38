"""Static initialisers are one clause, whose fact is the state in which every run begins."""

import pytest

from chcverify.options import InputOptions
from chcverify.problems.c_problem import load_c_program
from chcverify.results.result import Safe, Unsafe
from chcverify.task import resolve
from encoders.c.certificates.derivation_replay import replay
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.encoding.encoder import Encoding, encode
from solvers.engine import Context
from solvers.registry import get

READS = """#include <assert.h>
struct pair { int a; short b[2]; } pairs[3] = {{1, {2, 3}}, {.b = {[1] = 4}}};
static const char *text = "%s";
int sum, *last = &pairs[2].a;
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 2) return 0;
  sum = pairs[i].a + pairs[i].b[1];
  assert(sum == (i == 0 ? 4 : i == 1 ? 4 : 0) && text[i] != 0);
  *last = 5;
  assert(i == 0 || pairs[i].a == %d);
  return 0;
}"""


def encoded(text: str, folder) -> Encoding:
    file = folder / "p.c"
    file.write_text(text)
    return encode(load_c_program(resolve(InputOptions(str(file)))))


def test_the_clauses_do_not_grow_with_the_text(tmp_path) -> None:
    short, long = (encoded(READS % ("text" * times, 5), tmp_path) for times in (1, 30))
    assert len(long.system.clauses) == len(short.system.clauses)
    assert len(long.system.predicates) == len(short.system.predicates)
    passed = {edge.source for edge in long.initial_edges()}
    assert len(passed) > 120 and not passed & {location.number for location in long.locations.values()}


def test_without_initialisers_the_start_is_the_first_location(tmp_path) -> None:
    encoding = encoded("int main(void) { return 0; }", tmp_path)
    assert encoding.initial_edges() == ()


@pytest.mark.parametrize(("value", "is_violated"), [(5, True), (0, False)])
def test_what_follows_is_about_the_initial_values(value, is_violated, tmp_path) -> None:
    """pairs[2].a is 5 at the end, pairs[1].a is 0: each of the two values is wrong for one index."""
    text = READS.replace("i == 0 ||", "i != 1 ||") % ("abc", value)
    encoding = encoded(text, tmp_path)
    result = get("bounded").solve(encoding.system, Context.within(600))
    if not is_violated:
        assert isinstance(result, Safe)
        return
    assert isinstance(result, Unsafe)
    execution = replay(encoding, result.derivation)
    assert execution.outcome == "error"
    again = derivation_of_run(encoding, execution.path, execution.inputs)
    assert again is not None and again.steps[-1].clause == result.derivation.steps[-1].clause


def test_a_run_that_begins_otherwise_has_no_derivation(tmp_path) -> None:
    encoding = encoded(READS.replace("i == 0 ||", "i != 1 ||") % ("abc", 5), tmp_path)
    result = get("bounded").solve(encoding.system, Context.within(600))
    execution = replay(encoding, result.derivation)
    assert derivation_of_run(encoding, execution.path[1:], execution.inputs) is None
