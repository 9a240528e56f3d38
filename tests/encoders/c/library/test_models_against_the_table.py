"""Models in C against the table: each reads, writes and returns what the entry of its function says, and no more.

Every pointer leads to a block that is as large as the entry says. One element less is a violation, and so is null.
"""

from dataclasses import dataclass
from functools import cache

import pytest

from chcverify.results.checks import CheckKind
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, Recorded
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine
from encoders.c.frontend import load_source
from encoders.c.library.function_table import LibraryFunction, Parameter, ResultKind, Size
from encoders.c.library.table_reader import all_names, find
from encoders.c.lowering.calls import library_models
from encoders.c.types.c_types import LP64, CInteger, CType

COUNT, TEXT = 3, 3  # what sizes are; the elements of a string "ab"
ROOM = 16  # of what is written as far as it needs to be
BLOCKS = {"char *": "char", "void *": "char", "wchar_t *": "int"}
NUMBERS = {"size_t": str(COUNT), "int": "98", "wchar_t": "98"}
# Their arguments depend on each other, or on earlier calls; memccpy and the searches stop before the end of a range.
OTHERS = frozenset({"strtok", "strtok_r", "strsep", "rawmemchr", "memmem"})
# The first string is read up to where the result is known: glibc and the sanitizers ask for no terminator behind that.
STOPPING_NAMES = """
atoi atol atoll atof strchr strchrnul index strcspn strpbrk strstr strcasestr wcschr wcsstr wcscspn wcspbrk
"""
STOPPING = frozenset(STOPPING_NAMES.split())
# The order of a null pointer and another one is not modelled; null is allowed for a size of zero alone.
OPEN = {("memmove", "to"), ("memmove", "from"), ("bcopy", "to"), ("bcopy", "from"), ("strxfrm", "to")}
OPEN |= {("wmemmove", "to"), ("wmemmove", "from")}


@dataclass(frozen=True)
class Case:
    """A call. name: of the function. less, null: the parameter whose block is too small, or that is null; ""."""

    name: str
    less: str = ""
    null: str = ""


def is_simple(entry: LibraryFunction) -> bool:
    """Are its parameters characters, numbers and pointers to characters?"""
    kinds = {parameter.type for parameter in entry.parameters}
    accesses = entry.reads + entry.writes
    return (
        bool(accesses or entry.strings)
        and library_models.has_model(entry.name)
        and kinds <= {*BLOCKS, *NUMBERS}
        and not entry.outside
        and not entry.streams
        and entry.name not in OTHERS
    )


def entry_of(name: str) -> LibraryFunction:
    found = find(name)
    assert found is not None
    return found


NAMES = [name for name in all_names() if is_simple(entry_of(name))]


def elements(entry: LibraryFunction, pointer: str) -> tuple[int, bool]:
    """The elements that a parameter leads to at least, and whether the function always accesses the last one."""
    found, last = 0, False
    for span in (*entry.reads, *entry.writes):
        if span.pointer == pointer:
            size = ROOM if span.size is None else product(entry, span.size)
            if size >= found:
                found, last = size, span.whole and span.size is not None
    for string in entry.strings:
        if string.pointer == pointer and found < TEXT:
            found, last = TEXT, string.limit is None
    return found, last


def product(entry: LibraryFunction, size: Size) -> int:
    value = 1
    for factor in size.factors:
        value *= COUNT if isinstance(factor, str) else factor
    return value


def is_or_null(entry: LibraryFunction, pointer: str) -> bool:
    """May the pointer be null?"""
    uses = [*entry.reads, *entry.writes, *entry.strings]
    return all(use.or_null for use in uses if use.pointer == pointer)


def call(entry: LibraryFunction, case: Case, number: int) -> str:
    """A C function that makes the call."""
    lines, given, after = [], [], []
    for parameter in entry.parameters:
        if parameter.type not in BLOCKS:
            given.append(NUMBERS[parameter.type])
            continue
        kind, name = BLOCKS[parameter.type], parameter.name
        size = elements(entry, name)[0] - (parameter.name == case.less)
        lines.append(f"{kind} *{name} = malloc({max(size, 0)} * sizeof({kind}));")
        is_read = any(use.pointer == name for use in (*entry.reads, *entry.strings))
        if is_read or not writes_all(entry, name):
            text = [97, 98, 0, *[0] * ROOM]
            lines += [f"{name}[{i}] = {text[i]};" for i in range(size)]
        if writes_all(entry, name) and name not in (case.less, case.null):
            after.append(f"for (int i = 0; i < {size}; i++) if ({name}[i] == 77) return;")
        if parameter.name == case.null:
            lines.append(f"{name} = 0;")
        given.append(name)
    made = f"{entry.name}({', '.join(given)})"
    lines.append(result_check(entry, made))
    return f"static void call_{number}(void) {{ {' '.join((*lines, *after))} }}"


def writes_all(entry: LibraryFunction, pointer: str) -> bool:
    """Is all that the pointer leads to written?"""
    return any(span.pointer == pointer and span.whole and span.size is not None for span in entry.writes)


def result_check(entry: LibraryFunction, made: str) -> str:
    """The call, and an assertion about where its result comes from."""
    returns = entry.returns
    if returns.kind is ResultKind.ARGUMENT:
        return f"if ((void *){made} != (void *){returns.pointer}) reach_error();"
    if returns.kind is ResultKind.INSIDE:
        end = f"(char *){returns.pointer} + {4 * ROOM}"
        null = "!r" if returns.or_null else "0"
        check = f"if (!({null} || (r >= (char *){returns.pointer} && r <= {end}))) reach_error();"
        return f"char *r = (char *){made}; {check}"
    return f"{made};"


def declared(entry: LibraryFunction) -> str:
    parameters = ", ".join(text_of(parameter) for parameter in entry.parameters)
    return f"{entry.result_type} {entry.name}({parameters});"


def text_of(parameter: Parameter) -> str:
    return f"{parameter.type} {parameter.name}"


def is_needed(entry: LibraryFunction, parameter: Parameter) -> bool:
    """Does a call access what a pointer leads to in any case?"""
    is_string = any(string.pointer == parameter.name for string in entry.strings)
    return parameter.type in BLOCKS and (is_string or elements(entry, parameter.name)[1])


@cache
def cases() -> tuple[Case, ...]:
    found = [Case(name) for name in NAMES]
    for name in NAMES:
        entry = entry_of(name)
        for parameter in entry.parameters:
            is_whole = parameter.type in BLOCKS and elements(entry, parameter.name)[1]
            if is_whole and (name not in STOPPING or parameter is not entry.parameters[0]):
                found.append(Case(name, less=parameter.name))
            if is_needed(entry, parameter) and (name, parameter.name) not in OPEN:
                found.append(Case(name, null=parameter.name))
    return tuple(found)


@cache
def automata() -> Automata:
    """One program with all calls."""
    types = "typedef unsigned long size_t; typedef int wchar_t; typedef long ssize_t;"
    types += " typedef struct _IO_FILE FILE; void *malloc(size_t);"
    calls = [call(entry_of(case.name), case, number) for number, case in enumerate(cases())]
    choices = " ".join(f"case {number}: call_{number}(); break;" for number in range(len(calls)))
    main = f"int main(void) {{ switch (__VERIFIER_nondet_int()) {{ {choices} }} return 0; }}"
    prototypes = [declared(entry_of(name)) for name in NAMES if name != "malloc"]
    head = [types, "void reach_error(void); int __VERIFIER_nondet_int(void);", *prototypes]
    text = "\n".join((*head, *calls, main))
    return Automata(load_source(text, "models.c", LP64, "unreach-call,bounds,null,uninitialised"))


class Choice(Recorded):
    """The number of a case is the only input; others are zero."""

    def __init__(self, number: int) -> None:
        super().__init__(Inputs())
        self.values = [number]

    def scalar(self, kind: CType) -> int | float:
        value = self.values.pop() if self.values else 0
        return kind.wrap(value) if isinstance(kind, CInteger) else float(value)


def run(number: int) -> Execution:
    return Machine(automata(), Choice(number), ExecutionLimits(5_000)).run()


def kind_of(execution: Execution) -> CheckKind | None:
    return None if execution.violation is None else execution.violation.check.kind


def test_most_models_are_looked_at() -> None:
    assert len(NAMES) > 60 and len(cases()) > 150


@pytest.mark.parametrize("name", NAMES)
def test_models_do_what_the_table_says(name: str) -> None:
    for number, case in enumerate(cases()):
        if case.name != name:
            continue
        execution = run(number)
        assert execution.outcome in ("end", "error"), f"{case}: {execution.outcome} {execution.reason}"
        entry = entry_of(name)
        if case.less:
            assert kind_of(execution) in (CheckKind.BOUNDS, CheckKind.UNINITIALISED), f"{case}: {execution.violation}"
        elif case.null and not is_or_null(entry, case.null):
            assert kind_of(execution) is CheckKind.NULL, f"{case}: {execution.violation}"
        else:
            assert execution.outcome == "end", f"{case}: {execution.violation}"
