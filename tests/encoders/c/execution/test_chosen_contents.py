"""What a run reads in the objects of a harness is among the inputs for people; blocks are named by their lines."""

from pathlib import Path

from chcverify.horn.origin import Origin
from chcverify.options import HarnessOptions, SourceFile
from chcverify.results.source_facts import TraceStep
from chcverify.results.violation import Storage
from encoders.c.execution.chosen_contents import with_contents
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.execution.objects import BLOCK, Lifetime, Object, Pointer
from encoders.c.execution.value_text import value_text
from encoders.c.frontend import Begin, load_files
from encoders.c.types.c_types import LP64

TEXT = """
struct in { short a; int b[3]; unsigned low : 3, high : 5; };
struct s { unsigned size; struct in in; const char *name; };
int f(struct s *s, const int *p, void *v) {
  char *bytes = v;
  return s->size + s->in.b[1] + s->in.high + p[0] + bytes[0] + (s->name ? s->name[0] : 0);
}
"""


def inputs_of(path: Path, seed: int) -> dict[str, str]:
    """The names and values of the contents that a random run reads."""
    path.write_text(TEXT)
    program = load_files([SourceFile(str(path))], LP64, begin=Begin("f", HarnessOptions()))
    execution = execute(program, Random(seed, (0, 1, 2, 5), 8))
    call = TraceStep(Origin("<harness of f>", 20, 1), "chcverify_harness", "call", "f(...)")
    inside = TraceStep(Origin(str(path), 4, 1), "f", "statement", "return")
    trace = with_contents(program, [call, inside], execution.inputs)
    assert trace[-2:] == (call, inside)
    assert all(step.kind == "input" for step in trace[:-2])
    return {name: value for step in trace for name, value in step.changes}


def test_members_and_elements_have_their_names(tmp_path: Path) -> None:
    found: set[str] = set()
    for seed in range(6):
        found |= set(inputs_of(tmp_path / "a.c", seed))
    assert found == {"s->size", "s->in.b[1]", "s->in.high", "*p", "*v", "*s->name"}


def test_contents_that_the_program_itself_leaves_open_are_inputs(tmp_path: Path) -> None:
    path = tmp_path / "own.c"
    path.write_text(
        "#include <stdlib.h>\nint f(const unsigned char *p, const int *t) { return p[1] + t[2]; }\n"
        "int main(void) {\n  unsigned char *b = malloc(4);\n  int t[4];\n  return b ? f(b, t) : 0;\n}\n"
    )
    execution = execute(load_files([SourceFile(str(path))], LP64), Random(1, (5,), 8))
    steps = [
        TraceStep(Origin(str(path), n, 1), "main", "statement", text) for n, text in ((4, "malloc"), (6, "return"))
    ]
    found = with_contents(load_files([SourceFile(str(path))], LP64), steps, execution.inputs)
    names = [step.changes[0][0] if step.changes else step.text for step in found]
    assert names == ["heap@4[1]", "malloc", "t[2]", "return"]  # in front, where no step begins the object


def test_blocks_are_named_by_the_line_that_allocates_them() -> None:
    block = Object(BLOCK)
    assert value_text(Pointer(block)) == "&heap"
    block.allocated = Origin("a.c", 12, 3)  # where memory is not checked
    assert value_text(Pointer(block)) == "&heap@12"
    block.lifetime = Lifetime(Storage.HEAP, 64, began=Origin("a.c", 12, 3))
    assert value_text(Pointer(block)) == "&heap@12"
    assert value_text(Pointer(Object("x"))) == "&x"
