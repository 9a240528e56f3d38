"""What runs compare, and the values that inputs take from it."""

from encoders.c.cfa.program_checks import selectable
from encoders.c.execution.inputs import Redrawn
from encoders.c.execution.interpreter import ExecutionLimits, Machine
from encoders.c.execution.testing.recorded_comparisons import ComparisonRecorder, Substitution
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64


def recorded(text: str, choices: dict[int, int]) -> ComparisonRecorder:
    """The recorder of a run of the program with these choices."""
    recorder = ComparisonRecorder(selectable(load_source(text, "a.c", LP64, "valid-memsafety")))
    Machine(recorder, Redrawn(0, (), 1, True, choices), ExecutionLimits()).run()
    return recorder


TWO = """extern signed char __VERIFIER_nondet_char(void);
int main(void) {
  signed char c = __VERIFIER_nondet_char();
  int n = __VERIFIER_nondet_char();
  if ((unsigned char) c != 200 || n >= 50) return 0;
  return 1;
}"""


def test_both_sides_of_comparisons_are_recorded_with_their_values() -> None:
    pairs = {(item.left, item.right, item.is_equality) for item in recorded(TWO, {0: -56, 1: 70}).recorded}
    assert (70, 50, False) in pairs and not any(left == right for left, right, _ in pairs)


def test_a_character_corresponds_to_its_value_as_another_type() -> None:
    found = list(recorded(TWO, {0: -3, 1: 70}).substitutions({0: -3, 1: 70}))
    assert {(item.place, item.value) for item in found} == {(0, 200)}  # the first condition fails


def test_equalities_come_first_and_orders_with_their_neighbours() -> None:
    text = TWO.replace("||", "&&").replace("n >= 50", "n == 3 && c < n")
    found = list(recorded(text, {0: 9, 1: 9}).substitutions({0: 9, 1: 9}))
    assert [(item.place, item.value) for item in found[:2]] == [(0, 3), (1, 3)]
    found = list(recorded(TWO, {0: -56, 1: 70}).substitutions({1: 70}))
    assert {(item.place, item.value) for item in found} >= {(1, 50), (1, 51), (1, 49)}


def test_an_access_outside_of_a_block_suggests_the_size_that_it_needs() -> None:
    text = """#include <stdlib.h>
    extern unsigned char __VERIFIER_nondet_uchar(void);
    int main(void) {
      unsigned n = __VERIFIER_nondet_uchar();
      int *block = malloc(n * sizeof(int));
      if (!block) return 0;
      return block[40] = 1;
    }"""
    found = recorded(text, {0: 7}).substitutions({0: 7})
    assert 41 in {item.value for item in found if isinstance(item, Substitution) and item.place == 0}
