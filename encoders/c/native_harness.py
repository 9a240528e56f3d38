"""The C code around a program that runs natively: it feeds recorded inputs and tells on standard error how the
run ended, since exit codes are the program's own.
"""

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass

from encoders.c import ir
from encoders.c.encoding.inputs import Inputs, ObjectValue, Scalar
from encoders.c.types import CFloat, CInteger, CPointer, CType
from encoders.c.verifier import ASSERT_FAILURE, ASSUMPTIONS, READS, VIOLATIONS

WRAPPED = ("main", "abort", "__assert_fail")
ERRORS = (*sorted(VIOLATIONS), ASSERT_FAILURE)
ERROR = "error"
MORE, OTHER = "it asks for more inputs", "it asks for other inputs"
_MAIN = "main"
_INTEGERS = {8: "char", 16: "short", 32: "int", 64: "long long", 128: "__int128"}
_NAME = re.compile(r"[A-Za-z_]\w*$")

_BEGIN = """#include <sys/syscall.h>
long syscall(long number, ...);
static const struct { unsigned function; unsigned char bytes[16]; } __chcverify_values[] = { VALUES };
static unsigned __chcverify_next;
static void __chcverify_end(const char *how) {
  unsigned long length = 0;
  while (how[length]) length++;
  syscall(SYS_write, 2, how, length);
  for (;;) syscall(SYS_exit_group, 0);
}
static void __chcverify_take(unsigned function, void *to, unsigned size) {
  if (__chcverify_next >= COUNT) __chcverify_end(MORE);
  if (__chcverify_values[__chcverify_next].function != function) __chcverify_end(OTHER);
  for (unsigned i = 0; i < size; i++) ((unsigned char *)to)[i] = __chcverify_values[__chcverify_next].bytes[i];
  __chcverify_next++;
}
"""


class Unfeedable(Exception):
    """A recorded input that a native run cannot be given: which."""


@dataclass(frozen=True)
class Value:
    """source: the function that returns it, or `main` for its arguments."""

    source: str
    type: CType
    value: Scalar

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
                raise Unfeedable(f"a value of type {self.type} from {self.source} cannot be given to a native run")

    @property
    def bytes(self) -> bytes:
        if isinstance(self.type, CFloat):
            return struct.pack("<f" if self.type.width == 32 else "<d", self.value).ljust(16, b"\0")
        value = self.type.wrap(int(self.value)) if isinstance(self.type, CInteger) else int(self.value)
        return (value & ((1 << 128) - 1)).to_bytes(16, "little")


def recorded(inputs: Inputs) -> tuple[Value, ...]:
    """What functions returned, in order of execution. Raises Unfeedable."""
    found = []
    for step in inputs:
        operation = step.edge.operation
        if not isinstance(operation, ir.Nondet):
            continue
        if operation.source in READS or not _NAME.match(operation.source):
            raise Unfeedable(f"{step.edge.origin}: what {operation.source} reads cannot be given to a native run")
        if isinstance(step.value, ObjectValue):
            raise Unfeedable(f"{step.edge.origin}: the result of {operation.source} is no scalar")
        found.append(Value(operation.source, operation.place.type, step.value or 0))
    return tuple(found)


def fed(values: tuple[Value, ...]) -> dict[str, str]:
    """The functions that return recorded values, with their types. Raises Unfeedable."""
    types: dict[str, str] = {}
    for value in values:
        if value.source != _MAIN and types.setdefault(value.source, value.c_type) != value.c_type:
            raise Unfeedable(f"{value.source} returns values of several types")
    return types


def harness(values: tuple[Value, ...], missing: frozenset[str], nonce: str) -> str:
    """The code. missing: functions that no one defines; nonce: begins each message, unknown to the program."""
    types = fed(values)
    numbers = {name: number for number, name in enumerate(types)}
    taken = [value for value in values if value.source != _MAIN]
    rows = [f"{{ {numbers[v.source]}, {{ {', '.join(map(str, v.bytes))} }} }}" for v in taken]

    def end(how: str) -> str:
        return f'"\\n{nonce} {how}\\n"'

    parts = {"VALUES": ", ".join(rows) or "{ 0 }", "COUNT": str(len(taken)), "MORE": end(MORE), "OTHER": end(OTHER)}
    begin = re.sub("|".join(parts), lambda match: parts[match[0]], _BEGIN)
    ends = {**dict.fromkeys(ERRORS, ERROR), "__wrap_abort": "it aborts", "__wrap___assert_fail": "an assertion fails"}
    unknown = sorted(missing - types.keys() - ends.keys())
    return "\n".join(
        [
            begin,
            *(f"void {name}(void) {{ __chcverify_end({end(how)}); }}" for name, how in ends.items()),
            *(_fed(name, kind, numbers[name]) for name, kind in types.items()),
            *(_stub(name, end) for name in unknown),
            _main([value for value in values if value.source == _MAIN]),
        ]
    )


def _fed(name: str, kind: str, number: int) -> str:
    return f"{kind} {name}(void) {{ {kind} value; __chcverify_take({number}, &value, sizeof value); return value; }}"


def _stub(name: str, end: Callable[[str], str]) -> str:
    """A function that no one defines. Where it returns something that was recorded, it is fed instead."""
    if name.startswith("__VERIFIER_nondet_"):
        return f"void {name}(void) {{ __chcverify_end({end(MORE)}); }}"
    if name in ASSUMPTIONS:
        return f"void {name}(int holds) {{ if (!holds) __chcverify_end({end('an assumption fails')}); }}"
    if name == "assert":
        return f"void {name}(int holds) {{ if (!holds) __chcverify_end({end(ERROR)}); }}"
    return f"void {name}(void) {{ }}"


def _main(arguments: list[Value]) -> str:
    """Calls the program's main with its recorded arguments (at most argc, argv and the environment)."""
    given = [f"({value.c_type}){int(value.value)}" for value in arguments]
    kinds = ", ".join(value.c_type for value in arguments) or "void"
    return f"int __real_main({kinds});\nint __wrap_main(void) {{ return __real_main({', '.join(given)}); }}\n"
