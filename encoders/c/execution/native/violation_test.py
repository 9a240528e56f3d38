"""A C program that fails as a run of the user's program does: its text, with the run's inputs around it.

One file: tables of the recorded values, the program with its `main` renamed, functions that return the values, and
another `main`. The functions have names of their own and the wanted symbols (`asm` labels), so that they cannot
contradict what the program declares. Reads of volatile objects are preceded by an assignment of the recorded value.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chcverify.options import MEGABYTE
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.cfa import ir
from encoders.c.execution.inputs import Family, Inputs, InputStep, ObjectValue, Repeated
from encoders.c.execution.native.harness_objects import (
    ALLOCATION,
    OBJECT,
    CellValue,
    contents_code,
    harness_objects,
)
from encoders.c.execution.native.instruments import SANITIZERS, Instrument, instruments_of
from encoders.c.execution.native.native_harness import (
    MORE,
    OTHER,
    NotReplayable,
    RecordedValue,
    RepeatedValues,
    recorded,
    value_functions,
    value_tables,
)
from encoders.c.execution.native.program_texts import MAIN_OF_PROGRAM, ProgramText
from encoders.c.library.special_functions import ASSERTIONS, ASSUMPTIONS, NONDETERMINISTIC, VIOLATIONS
from encoders.c.source.literals import escaped
from encoders.c.types.c_types import CInteger

REACHED = "chcverify: the violation is reached"
_ARGUMENTS = "<library>/arguments.c"
_STRING_LINE = 6  # from which on that file allocates the strings
_VOLATILE = "volatile "
OWN_MAIN_FLAG = f"-Dmain={MAIN_OF_PROGRAM}"
_OVERFLOWS = {CheckKind.OVERFLOW: "", CheckKind.SHIFT: "-fno-sanitize=signed-integer-overflow"}
"""The compiler options about signed overflow, by the kind of the check; other kinds get -fwrapv. A check of shifts gets
another option, because gcc's sanitizer does not report shifts to the left that overflow if -fwrapv is given."""
_MAIN, _OWN_MAIN = "main", "__chcverify_program_main"
_FORGET = """\
static void __chcverify_forget(void) { volatile char old[1 << 14]; for (int i = 0; i < 1 << 14; i++) old[i] = 0; }"""
_BEGIN = """\
static const struct {
  unsigned function; unsigned long long step; unsigned char bytes[16];
} __chcverify_values[] = { VALUES };
static const struct { unsigned length; unsigned long long count; } __chcverify_groups[] = { GROUPS };
static unsigned __chcverify_group, __chcverify_first, __chcverify_next;
static unsigned long long __chcverify_turn;
long __chcverify_write(int, const void *, __SIZE_TYPE__) __asm__("write");
void __chcverify_exit(int) __asm__("_exit");
void *__chcverify_malloc(__SIZE_TYPE__) __asm__("malloc");
__attribute__((unused)) static void __chcverify_print(const char *text) {
  __SIZE_TYPE__ length = 0;
  while (text[length]) length++;
  __chcverify_write(2, text, length);
  __chcverify_write(2, "\\n", 1);
}
__attribute__((unused)) static void __chcverify_violation(void) {
  __chcverify_print("REACHED");
  __builtin_trap();
}
__attribute__((unused)) static void __chcverify_stop(const char *why) {
  __chcverify_print(why);
  __chcverify_exit(0);
}
__attribute__((unused, no_sanitize("undefined")))
static void *__chcverify_take(unsigned function, volatile void *to, unsigned size) {
  if (__chcverify_group >= COUNT) __chcverify_stop("chcverify: MORE");
  unsigned now = __chcverify_first + __chcverify_next;
  if (__chcverify_values[now].function != function) __chcverify_stop("chcverify: OTHER");
  unsigned long long carry = __chcverify_values[now].step * __chcverify_turn;
  for (unsigned i = 0; i < size; i++) {
    unsigned sum = __chcverify_values[now].bytes[i] + (i < 8 ? (unsigned)(carry & 255) : 0);
    carry = (carry >> 8) + (sum >> 8);
    ((volatile unsigned char *)to)[i] = (unsigned char)sum;
  }
  if (++__chcverify_next < __chcverify_groups[__chcverify_group].length) return (void *)to;
  __chcverify_next = 0;
  if (++__chcverify_turn < __chcverify_groups[__chcverify_group].count) return (void *)to;
  __chcverify_turn = 0;
  __chcverify_first += __chcverify_groups[__chcverify_group++].length;
  return (void *)to;
}
"""


@dataclass(frozen=True)
class ViolationTest:
    """The parts of a test."""

    program: ProgramText
    """The file that has main, around which the test is written."""
    others: tuple[ProgramText, ...]
    """The files to be compiled with it."""
    groups: tuple[RepeatedValues, ...]
    strings: tuple[tuple[bytes, ...], ...]
    parameters: int
    """The parameters of the program's main."""
    flags: str
    """The flags for the compiler."""
    missing: frozenset[str] = frozenset()
    """The functions without a definition, as far as they are known; they do nothing."""
    cells: tuple[CellValue, ...] | None = None
    """The contents of what a harness allocates; None without a harness."""
    returns: bool = False
    """True if main returns a number."""
    instrument: Instrument = SANITIZERS
    """The code that makes the failure visible."""
    finds_leaks: bool = False
    """True if lost blocks are looked for at the end of the program."""

    @property
    def command(self) -> str:
        """The command that compiles it, up to the names of the test and of the program."""
        flags = " ".join(shlex.quote(flag) for flag in self.program.flags if flag != OWN_MAIN_FLAG)
        files = " ".join(shlex.quote(other.file) for other in self.others)
        return " ".join(filter(None, (self.instrument.command(self.flags), flags, files)))

    def code(self) -> str:
        """The C file. Raises NotReplayable."""
        text, types = self.program.text, value_functions(self.groups)
        numbers = {name: number for number, name in enumerate(types)}
        rows, repeats = value_tables(self.groups, numbers)
        parts = {
            "VALUES": ", ".join(rows) or "{ 0 }",
            "GROUPS": ", ".join(repeats) or "{ 0 }",
            "COUNT": str(len(repeats)),
            "MORE": MORE,
            "OTHER": OTHER,
            "REACHED": REACHED,
        }
        own = [name for name in types if not name.startswith(_VOLATILE)]
        defined = {name for name in {*VIOLATIONS, *ASSERTIONS, *ASSUMPTIONS, *self.missing} if _defines(text, name)}
        more = sorted((self.missing | VIOLATIONS) - set(own) - defined)
        line, edited = escaped(self.program.file), _edited(text, _sites(types), numbers)
        return "\n".join(
            [
                f"/* {self.program.file} with the inputs of a run that violates its property. To see it fail:",
                f"     {self.command} THIS_FILE -o failing -lm && {self.instrument.run('./failing')}",
                "   Headers of the program are looked for in its directory: -iquote DIRECTORY. */",
                re.sub("|".join(parts), lambda match: parts[match[0]], _BEGIN),
                *([contents_code(self.cells)] if self.cells is not None else []),
                f"#define main {_OWN_MAIN}",
                f'#line 1 "{line}"',
                edited if self.cells is not None else _renamed_again(edited),
                '#line 1 "the inputs"',
                "#undef main",
                *(_value_function(name, types[name], numbers[name]) for name in own),
                *map(_stub, more),
                *_main(self),
                "",
            ]
        )


def violation_test(
    text: str | Sequence[ProgramText], program: ir.Program, inputs: Inputs, kind: CheckKind
) -> ViolationTest:
    """The test of a run. text: of the program's one file, or the texts of all its files.

    kind: of the violated check. Raises NotReplayable.
    """
    texts = (ProgramText(text, program.file),) if isinstance(text, str) else tuple(text)
    own = next((item for item in texts if _has_main(item, program)), texts[0])
    others = tuple(item for item in texts if item is not own)
    text = own.text
    if program.harness is not None:  # its main is another one than the program's
        text = f"#undef main\n#define main {MAIN_OF_PROGRAM}\n#line 1\n{text}"
        text = text.replace("\n#undef main\n", f"\n#undef main\n#define main {_OWN_MAIN}\n")
        own = replace(own, text=text.replace(ALLOCATION, OBJECT))
    steps, strings = _without_strings(inputs)
    first = 3 if program.harness is not None else 0  # lines before the program's own
    groups = recorded(Inputs(tuple(_named(step, own.file, first) for step in steps)))
    names = {a.subject for a in program.assumptions if a.kind in ("function", "undeclared")}
    names |= set(re.findall(rf"\b{NONDETERMINISTIC}\w+", text))
    names |= {name for name in {*ASSERTIONS, *ASSUMPTIONS} - {"assert"} if re.search(rf"\b{name}\b", text)}
    missing = frozenset(name for name in names if not _defines(text, name))
    flags = " ".join(filter(None, ("-m32" if program.data_model.pointer == 4 else "", _OVERFLOWS.get(kind, "-fwrapv"))))
    known = program.functions.get(_MAIN) if program.harness is None else None
    parameters = len(known.parameters) if known is not None else 0
    cells = harness_objects(steps) if program.harness is not None else None
    returns = known is not None and known.result is not None
    leaks = kind in (CheckKind.LEAK, CheckKind.CLEANUP)
    return ViolationTest(own, others, groups, strings, parameters, flags, missing, cells, returns, finds_leaks=leaks)


def _has_main(text: ProgramText, program: ir.Program) -> bool:
    """True if the file defines the main that the run begins with."""
    if program.harness is not None:
        return text.file == program.harness.file
    return _defines(text.text, _MAIN)


Steps = tuple[InputStep | Repeated, ...]


def _without_strings(inputs: Inputs) -> tuple[Steps, tuple[tuple[bytes, ...], ...]]:
    """The steps without those that make argv and the environment, and the strings of each of these."""
    steps: list[InputStep | Repeated] = []
    arrays: list[list[bytes]] = []
    length = 0
    for step in inputs.steps:
        if isinstance(step, Repeated) and any(_of_arguments(inner) for inner in step.steps):
            given = list(Inputs((step,)))
        else:
            given = [step] if isinstance(step, InputStep) and _of_arguments(step) else []
            steps += [] if given else [step]
        for one in given:
            if isinstance(one.edge.operation, ir.Nondet):
                length = int(one.value) if isinstance(one.value, int) else 0
            elif isinstance(one.edge.operation, ir.Allocate) and one.edge.origin.line < _STRING_LINE:
                arrays.append([])  # the array itself
            elif isinstance(one.edge.operation, ir.Allocate):
                arrays[-1].append(_string(one, length))
    return tuple(steps), tuple(map(tuple, arrays))


def _of_arguments(step: "InputStep | Family | Repeated") -> bool:
    return not isinstance(step, Repeated) and step.edge.origin.file == _ARGUMENTS


def _string(step: InputStep, length: int) -> bytes:
    """The bytes of a string; one before its end may be zero. One that is too long ends after what is read."""
    value = step.value if isinstance(step.value, ObjectValue) else ObjectValue()
    if length > MEGABYTE:  # systems allow little more for one argument
        length = min(MEGABYTE, 1 + max((offset // 8 for offset in value.entries), default=0))
    text = bytearray([int(value.default) & 255] * length)
    for offset, entry in value.entries.items():
        if offset % 8 or not isinstance(entry, int):
            raise NotReplayable("an argument of main is not read as characters")
        if offset // 8 < length:
            text[offset // 8] = entry & 255
    return bytes(text)


def _named(step: InputStep | Repeated, file: str, first: int) -> InputStep | Repeated:
    """The step with a name for the position of a volatile object that it reads in the file.

    first: lines before the first one of the file.
    """
    if isinstance(step, Repeated):
        return replace(step, steps=tuple(_named_in_cycle(inner, file, first) for inner in step.steps))
    operation = step.edge.operation
    if not isinstance(operation, ir.Nondet) or not operation.source.startswith(_VOLATILE):
        return step
    origin = step.edge.origin
    if origin.file != file:
        raise NotReplayable(f"{origin}: the volatile object is read in another file than the one that has main")
    source = f"{operation.source} {origin.line + first} {origin.column}"
    return replace(step, edge=replace(step.edge, operation=replace(operation, source=source)))


def _named_in_cycle(step: "InputStep | Family | Repeated", file: str, first: int) -> "InputStep | Family | Repeated":
    if isinstance(step, Family):
        operation = step.edge.operation
        if isinstance(operation, ir.Nondet) and operation.source.startswith(_VOLATILE):
            return replace(step, at=lambda n: _as_step(_named(step.at(n), file, first)))
        return step
    return _named(step, file, first)


def _as_step(step: InputStep | Repeated) -> InputStep:
    assert isinstance(step, InputStep)
    return step


Site = tuple[str, int, int]
"""The text of a volatile object, and line and column of a read of it."""


def _sites(names: Mapping[str, str]) -> dict[str, Site]:
    found = {}
    for name in names:
        if name.startswith(_VOLATILE):
            text, line, column = name.removeprefix(_VOLATILE).rsplit(" ", 2)
            found[name] = (text, int(line), int(column))
    return found


def _edited(text: str, sites: Mapping[str, Site], numbers: Mapping[str, int]) -> str:
    """The program: reads of volatile objects take values; what is called on a violation ends the run."""
    lines = text.split("\n")
    for name, (read, line, column) in sorted(sites.items(), key=lambda item: item[1][1:], reverse=True):
        row = lines[line - 1] if line <= len(lines) else ""
        if not row.startswith(read, column - 1):
            raise NotReplayable(f"line {line}: the volatile object {read} is not read by its own name there")
        taken = f"__chcverify_take({numbers[name]}, &({read}), sizeof ({read}))"
        object_ = f"(*(__typeof__({read}) *){taken})"
        lines[line - 1] = row[: column - 1] + object_ + row[column - 1 + len(read) :]
    names = "|".join(sorted(VIOLATIONS))
    definition = rf"\b(?:{names})\s*\([^(){{}};]*\)\s*\{{"
    return re.sub(definition, lambda match: f"{match[0]} __chcverify_violation();", "\n".join(lines))


def _renamed_again(text: str) -> str:
    """The program with its main renamed behind each place where it ends a definition of that name itself."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if re.match(r"\s*#\s*undef\s+main\b", line):
            lines[number] = f"{line}\n#define main {_OWN_MAIN}\n#line {number + 2}"
    return "\n".join(lines)


def _defines(text: str, name: str) -> bool:
    """True if the program seems to define the function."""
    return re.search(rf"\b{re.escape(name)}\s*\([^(){{}};]*\)\s*\{{|#\s*define\s+{re.escape(name)}\b", text) is not None


def _value_function(name: str, kind: str, number: int) -> str:
    own = f"__chcverify_{name}"
    body = f"{kind} value; __chcverify_take({number}, &value, sizeof value); return value;"
    return f'{kind} {own}(void) __asm__("{name}");\n{kind} {own}(void) {{ {body} }}'


def _stub(name: str) -> str:
    """A function that the run has no value of."""
    parameters, body = "void", ""
    if name in VIOLATIONS:
        body = "__chcverify_violation();"
    elif name.startswith(NONDETERMINISTIC):
        body = f'__chcverify_stop("chcverify: {MORE}");'
    elif name in ASSUMPTIONS:
        parameters, body = "int holds", 'if (!holds) __chcverify_stop("chcverify: an assumption fails");'
    elif name in ASSERTIONS:
        parameters, body = "int holds", "if (!holds) __chcverify_violation();"
    own = f"__chcverify_{name}"
    return f'void {own}({parameters}) __asm__("{name}");\nvoid {own}({parameters}) {{ {body} }}'


def _main(test: ViolationTest) -> list[str]:
    """The new main, which calls the program's with its recorded arguments."""
    arguments = [_plain(value) for group in test.groups for value in group.values if value.source == _MAIN]
    lines: list[str] = []
    for number, strings in enumerate(test.strings, 1):
        names = [f"__chcverify_string_{number}_{index}" for index in range(len(strings))]
        for name, text in zip(names, strings, strict=True):
            lines += _array(name, text)
        lines.append(f"static char *__chcverify_strings_{number}[] = {{ {', '.join([*names, '0'])} }};")
        arguments.insert(number, f"__chcverify_strings_{number}")
    arguments += ["0"] * (test.parameters - len(arguments))
    call = f"{_OWN_MAIN}({', '.join(arguments[: test.parameters])});"
    if test.instrument in instruments_of(CheckKind.UNINITIALISED) and test.returns:
        call = f"if ({call[:-1]}) __chcverify_next = 0;"  # so that the result decides something
    end = '__chcverify_print("chcverify: the run ends without the violation");'
    if test.finds_leaks:  # as the end of the program is when leaks are looked for; old frames hold no pointers then
        call, end = f"{call} __chcverify_forget();", '__chcverify_print("chcverify: the run ends");'
        lines.append(_FORGET)
    return [*lines, f"int main(void) {{ {call} {end} return 0; }}"]


def _array(name: str, text: bytes) -> list[str]:
    """An array of characters with a zero at its end; GNU C's ranges keep it short."""
    items, start = [], 0
    while start < len(text):
        end = start
        while end + 1 < len(text) and text[end + 1] == text[start]:
            end += 1
        items.append(f"[{start}]={text[start]}" if end == start else f"[{start} ... {end}]={text[start]}")
        start = end + 1
    initialiser = f" = {{ {', '.join(items)} }}" if items else ""
    return [f"static char {name}[{len(text) + 1}]{initialiser};"]


def _plain(value: RecordedValue) -> str:
    wrapped = value.type.wrap(int(value.value)) if isinstance(value.type, CInteger) else int(value.value)
    return f"({value.c_type}){wrapped}"
