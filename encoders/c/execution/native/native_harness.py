"""The C code around a program that runs natively: returns recorded inputs, and reports the end of the run.

The report goes to standard error, since exit codes are the program's own.
"""

import re
import struct
from collections.abc import Callable, Mapping
from dataclasses import replace

from chcverify.effort import MAX_VISITED
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.execution.inputs import Family, Inputs, InputStep, ObjectValue, Repeated, Scalar
from encoders.c.library.function_table import Trait
from encoders.c.library.special_functions import ASSERT_FAILURE, ASSERTIONS, ASSUMPTIONS, VIOLATIONS
from encoders.c.library.table_reader import is_formatted_input, names_with
from encoders.c.types.c_types import CFloat, CInteger, CPointer, CType

ERRORS = (*sorted(VIOLATIONS), ASSERT_FAILURE)
ERROR = "error"
MORE, OTHER = "it asks for more inputs", "it asks for other inputs"
_MAIN = "main"
_WRAP = "__wrap_"  # the linker's name for what stands for a function
_INTEGERS = {8: "char", 16: "short", 32: "int", 64: "long long", 128: "__int128"}
_NAME = re.compile(r"[A-Za-z_]\w*$|volatile .* \d+ \d+$")  # of a function, or of a position that reads an object

_BEGIN = """#include <sys/syscall.h>
long syscall(long number, ...);
static const struct {
  unsigned function; unsigned long long step; unsigned char bytes[16];
} __chcverify_values[] = { VALUES };
static const struct { unsigned length; unsigned long long count; } __chcverify_groups[] = { GROUPS };
static unsigned __chcverify_group, __chcverify_first, __chcverify_next;
static unsigned long long __chcverify_turn;
static void __chcverify_end(const char *how) {
  unsigned long length = 0;
  while (how[length]) length++;
  syscall(SYS_write, 2, how, length);
  for (;;) syscall(SYS_exit_group, 0);
}
static void __chcverify_take(unsigned function, void *to, unsigned size) {
  if (__chcverify_group >= COUNT) __chcverify_end(MORE);
  unsigned now = __chcverify_first + __chcverify_next;
  if (__chcverify_values[now].function != function) __chcverify_end(OTHER);
  unsigned long long carry = __chcverify_values[now].step * __chcverify_turn;
  for (unsigned i = 0; i < size; i++) {
    unsigned sum = __chcverify_values[now].bytes[i] + (i < 8 ? (unsigned)(carry & 255) : 0);
    carry = (carry >> 8) + (sum >> 8);
    ((unsigned char *)to)[i] = (unsigned char)sum;
  }
  if (++__chcverify_next < __chcverify_groups[__chcverify_group].length) return;
  __chcverify_next = 0;
  if (++__chcverify_turn < __chcverify_groups[__chcverify_group].count) return;
  __chcverify_turn = 0;
  __chcverify_first += __chcverify_groups[__chcverify_group++].length;
}
"""


class NotReplayable(Exception):
    """A recorded input that a native run cannot be given: which."""


@dataclass(frozen=True)
class RecordedValue:
    """A recorded value.

    source: the function that returns it, or `main` for its arguments. step: added per repetition.
    """

    source: str
    type: CType
    value: Scalar
    step: int = 0

    @property
    def c_type(self) -> str:
        match self.type:
            case CInteger(is_bool=True):
                return "_Bool"
            case CInteger(width=width, signed=signed) if width in _INTEGERS:
                return f"{'signed' if signed else 'unsigned'} {_INTEGERS[width]}"
            case CFloat(width=32 | 64 as width):
                return "float" if width == 32 else "double"
            case CPointer():
                return "void *"
            case _:
                raise NotReplayable(f"a value of type {self.type} from {self.source} cannot be given to a native run")

    @property
    def bytes(self) -> bytes:
        if isinstance(self.type, CFloat):
            return struct.pack("<f" if self.type.width == 32 else "<d", self.value).ljust(16, b"\0")
        value = self.type.wrap(int(self.value)) if isinstance(self.type, CInteger) else int(self.value)
        return (value & ((1 << 128) - 1)).to_bytes(16, "little")


@dataclass(frozen=True)
class RepeatedValues:
    """Values in order, `count` times in a row."""

    count: int
    values: tuple[RecordedValue, ...]


def recorded(inputs: Inputs) -> tuple[RepeatedValues, ...]:
    """The recorded results of functions, in order of execution. Raises NotReplayable."""
    found: list[RepeatedValues] = []
    single: list[RecordedValue] = []
    for step in inputs.steps:
        if isinstance(step, InputStep):
            single += _values(step)
        elif (group := _group(step)) is None:
            single += _each(step, MAX_VISITED - len(single))
        else:
            found += [RepeatedValues(1, tuple(single)), group]
            single = []
    return tuple(group for group in (*found, RepeatedValues(1, tuple(single))) if group.values)


def _group(cycle: Repeated) -> RepeatedValues | None:
    """The values of a cycle, if each is the same in every iteration or grows by the same number."""
    values: list[RecordedValue] = []
    for step in cycle.steps:
        if isinstance(step, InputStep):
            values += _values(step)
        elif isinstance(step, Family) and step.affine is not None:
            start, growth = step.affine
            for value in _values(step.at(0)):
                if not isinstance(value.type, CInteger) or value.type.width > 64 or value.type.is_bool:
                    return None
                values.append(replace(value, value=start, step=growth))
        else:
            return None
    return RepeatedValues(cycle.count, tuple(values))


def _each(cycle: Repeated, most: int) -> list[RecordedValue]:
    found: list[RecordedValue] = []
    for step in Inputs((cycle,)):
        found += _values(step)
        if len(found) > most:
            where = f"{step.edge.origin}: the inputs of {cycle.count:,} iterations"
            raise NotReplayable(f"{where} have no form in which they can be given to a native run")
    return found


def _values(step: InputStep) -> list[RecordedValue]:
    operation = step.edge.operation
    if isinstance(operation, ir.Havoc) and step.objects:
        raise NotReplayable(f"{step.edge.origin}: what {operation.function} changes cannot be given to a native run")
    if not isinstance(operation, ir.Nondet):
        return []
    if is_formatted_input(operation.source) or not _NAME.match(operation.source):
        raise NotReplayable(f"{step.edge.origin}: what {operation.source} reads cannot be given to a native run")
    if isinstance(step.value, ObjectValue):
        raise NotReplayable(f"{step.edge.origin}: the result of {operation.source} is no scalar")
    return [RecordedValue(operation.source, operation.lvalue.type, step.value or 0)]


def value_functions(groups: tuple[RepeatedValues, ...]) -> dict[str, str]:
    """The functions that return recorded values, with their types. Raises NotReplayable."""
    types: dict[str, str] = {}
    for value in (value for group in groups for value in group.values):
        if value.source != _MAIN and types.setdefault(value.source, value.c_type) != value.c_type:
            raise NotReplayable(f"{value.source} returns values of several types")
    return types


def harness(groups: tuple[RepeatedValues, ...], missing: frozenset[str], nonce: str) -> str:
    """The C code of the harness. groups: the recorded values. missing: functions without a definition.

    nonce: begins each message, unknown to the program. Raises NotReplayable.
    """
    types = value_functions(groups)
    numbers = {name: number for number, name in enumerate(types)}
    given = [value for group in groups for value in group.values if value.source == _MAIN]
    rows, repeats = value_tables(groups, numbers)

    def end(how: str) -> str:
        return f'"\\n{nonce} {how}\\n"'

    parts = {
        "VALUES": ", ".join(rows) or "{ 0 }",
        "GROUPS": ", ".join(repeats) or "{ 0 }",
        "COUNT": str(len(repeats)),
        "MORE": end(MORE),
        "OTHER": end(OTHER),
    }
    begin = re.sub("|".join(parts), lambda match: parts[match[0]], _BEGIN)
    ends = {**dict.fromkeys(ERRORS, ERROR), **{f"{_WRAP}{name}": how for name, how in _abnormal_ends().items()}}
    unknown = sorted(missing - types.keys() - ends.keys())
    return "\n".join(
        [
            begin,
            *(f"void {name}(void) {{ __chcverify_end({end(how)}); }}" for name, how in ends.items()),
            *(_value_function(name, kind, numbers[name]) for name, kind in types.items()),
            *(_stub(name, end) for name in unknown),
            _main(given),
        ]
    )


def wrapped() -> tuple[str, ...]:
    """The functions for which the linker takes those of the harness."""
    return (_MAIN, *_abnormal_ends())


def _abnormal_ends() -> dict[str, str]:
    """What is said of each function that ends a run abnormally."""
    asserting = names_with(Trait.ASSERTION)
    names = sorted(names_with(Trait.ABNORMAL))
    return {name: "an assertion fails" if name in asserting else "it aborts" for name in names}


def value_tables(groups: tuple[RepeatedValues, ...], numbers: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """The entries of the tables of values and of groups, the arguments of main left out. numbers: of the functions."""
    rows, repeats = [], []
    for group in groups:
        values = [value for value in group.values if value.source != _MAIN]
        for value in values:
            content = ", ".join(map(str, value.bytes))
            rows.append(f"{{ {numbers[value.source]}, {value.step % (1 << 64)}ULL, {{ {content} }} }}")
        if values:
            repeats.append(f"{{ {len(values)}, {group.count}ULL }}")
    return rows, repeats


def _value_function(name: str, kind: str, number: int) -> str:
    return f"{kind} {name}(void) {{ {kind} value; __chcverify_take({number}, &value, sizeof value); return value; }}"


def _stub(name: str, end: Callable[[str], str]) -> str:
    """A function without a definition. One that returns something recorded is replaced instead."""
    if name.startswith("__VERIFIER_nondet_"):
        return f"void {name}(void) {{ __chcverify_end({end(MORE)}); }}"
    if name in ASSUMPTIONS:
        return f"void {name}(int holds) {{ if (!holds) __chcverify_end({end('an assumption fails')}); }}"
    if name in ASSERTIONS:
        return f"void {name}(int holds) {{ if (!holds) __chcverify_end({end(ERROR)}); }}"
    return f"void {name}(void) {{ }}"


def _main(arguments: list[RecordedValue]) -> str:
    """Calls the program's main with its recorded arguments (at most argc, argv and the environment)."""
    given = [f"({value.c_type}){int(value.value)}" for value in arguments]
    kinds = ", ".join(value.c_type for value in arguments) or "void"
    return f"int __real_main({kinds});\nint __wrap_main(void) {{ return __real_main({', '.join(given)}); }}\n"
