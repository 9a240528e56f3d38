"""The table of library functions: every entry can be read, and says nothing about parameters that it has not."""

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from encoders.c.library.function_table import BlockStorage, End, FormatFamily, LibraryFunction, ResultKind, Size, Trait
from encoders.c.library.table_reader import (
    all_names,
    closing_names,
    copies,
    find,
    is_reallocation,
    may_lack_memory,
    names_with,
)


def entry(name: str) -> LibraryFunction:
    found = find(name)
    assert found is not None
    return found


def mentioned(function: LibraryFunction) -> set[str]:
    """The parameters that an entry names."""
    sizes = [*(r.size for r in function.reads + function.writes), *(s.limit for s in function.strings)]
    names = {factor for size in sizes if size is not None for factor in size.factors if isinstance(factor, str)}
    names |= {r.pointer for r in function.reads + function.writes} | {s.pointer for s in function.strings}
    names |= {*function.frees, *function.calls, *function.keeps, *function.streams, *function.closes}
    names |= {name for pair in function.separate for name in (pair.pointer, pair.other)}
    if function.between is not None and isinstance(function.between[1], str):
        names.add(function.between[1])
    if function.format is not None:
        names |= {function.format.pointer, function.format.to, function.format.room or "", function.format.list}
    if function.allocation is not None:
        names |= {*function.allocation.factors, function.allocation.alignment}
    if function.typed is not None:
        names |= {*function.typed.elements, function.typed.size, function.typed.order}
    return (names | {function.returns.pointer}) - {""}


def test_every_entry_is_read() -> None:
    names = all_names()
    assert len(names) == len(set(names)) > 400
    for name in names:
        function = entry(name)
        parameters = {parameter.name: parameter for parameter in function.parameters}
        assert mentioned(function) <= parameters.keys(), name
        assert function.source, name
        pointers = [r.pointer for r in function.reads + function.writes] + [s.pointer for s in function.strings]
        assert all(parameters[pointer].is_pointer for pointer in pointers), name


def test_what_entries_say() -> None:
    copy = entry("__builtin_memcpy")
    assert copy.reads[0].size == Size(("n",)) and copy.separate[0].other == "from" and Trait.COPIES in copy.traits
    assert copy.returns.kind is ResultKind.ARGUMENT and copy.source == "C11 7.24.2.1"
    allocation = entry("calloc").allocation
    assert (
        allocation is not None and allocation.factors == ("count", "size") and allocation.storage is BlockStorage.ZEROED
    )
    assert entry("errx").end is End.AFTER_HANDLERS and entry("_exit").end is End.AT_ONCE
    written = entry("__isoc99_fscanf").format
    assert written is not None and written.family is FormatFamily.SCANF
    assert entry("strnlen").strings[0].limit == Size(("n",)) and entry("perror").strings[0].or_null
    assert entry("sendto").reads[1].in_bytes and find("my_memcpy") is None


# What a declaration of glibc says of its parameters, by their numbers from 1.
_DECLARED = re.compile(r"\bextern\b[^;{}]*?\b(\w+)\s*\(([^;{}]*?)\)\s*((?:__attribute__\s*\(\([^;]*?\)\)\s*)+);")
_ACCESS = re.compile(r"__access__\s*\(__(read_only|write_only|read_write)__,\s*(\d+)(?:,\s*(\d+))?\)")
_NOT_NULL = re.compile(r"__nonnull__\s*\(([\d, ]+)\)")
INCLUDED = """
stdio stdlib string strings wchar unistd err error syslog fcntl time signal math inttypes malloc sys/socket sys/stat
sys/wait sys/time sys/random
"""
# Where the headers say something else, and why the table does.
DIFFERENCES = {
    "basename": ["not null: path"],  # with _GNU_SOURCE another function than that of POSIX, which accepts null
}


def declarations() -> dict[str, str]:
    """The attributes of the functions of glibc's headers, by name."""
    includes = "".join(f"#include <{header}.h>\n" for header in INCLUDED.split())
    command = ["gcc", "-E", "-P", "-D_GNU_SOURCE", "-x", "c", "-"]
    text = subprocess.run(command, input=includes, capture_output=True, text=True, check=True).stdout
    return {match[1]: match[3] for match in _DECLARED.finditer(text)}


def differences(function: LibraryFunction, attributes: str) -> set[str]:
    """What the attributes of a declaration say and the entry does not."""
    found: set[str] = set()
    for mode, pointer, size in _ACCESS.findall(attributes):
        name = function.parameters[int(pointer) - 1].name
        ranges = {"read_only": function.reads, "write_only": function.writes}.get(mode, function.writes)
        known = [r.size.factors for r in ranges if r.pointer == name and r.size is not None]
        limits = [s.limit.factors for s in function.strings if s.pointer == name and s.limit is not None]
        wanted = function.parameters[int(size) - 1].name if size else None
        if not any(wanted in factors for factors in known + limits) and wanted is not None:
            found.add(f"{mode} {name}[{wanted}]")
    optional = {r.pointer for r in (*function.reads, *function.writes, *function.strings) if r.or_null}
    for numbers in _NOT_NULL.findall(attributes):
        names = {function.parameters[int(number) - 1].name for number in numbers.split(",")}
        found |= {f"not null: {name}" for name in names & optional}
    if ("__noreturn__" in attributes) != (function.end is not None):
        found.add("noreturn")
    if "__malloc__" in attributes and function.returns.kind is not ResultKind.FRESH:
        found.add("malloc")
    return found


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_the_table_agrees_with_the_headers_of_glibc() -> None:
    declared = declarations()
    if "memcpy" not in declared or "__nonnull__" not in declared["memcpy"]:
        pytest.skip("no headers of glibc")
    compared = [name for name in all_names() if name in declared]
    assert len(compared) > 200 and sum("__access__" in declared[name] for name in compared) > 10
    found = {name: sorted(differences(entry(name), declared[name])) for name in compared}
    assert {name: why for name, why in found.items() if why} == DIFFERENCES


SOURCES = Path(__file__).resolve().parents[4] / "encoders" / "c"
# outcomes, kinds of nodes and values, an operator, a part of an expression
OTHER_WORDS = frozenset({"error", "exit", "index", "nan", "sqrt"})


def test_no_other_module_compares_the_name_of_a_library_function() -> None:
    names = frozenset(all_names()) - OTHER_WORDS
    found: dict[str, list[str]] = {}
    for path in sorted(SOURCES.rglob("*.py")):
        module = path.relative_to(SOURCES).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        constants = (n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in documents)
        strings = [value for value in constants if isinstance(value, str)]
        lists = [string.split() if "\n" in string else [string] for string in strings]  # or names in lines
        used = names & {word.removeprefix("__builtin_") for words in lists for word in words}
        if used:
            found[module] = sorted(used)
    assert not found


def test_what_is_asked_before_the_table_is_read() -> None:
    assert names_with(Trait.REGISTERS) == {"atexit"} and names_with(Trait.ERROR_NUMBER) == {"__errno_location"}
    assert {"abort", "__assert_fail"} <= names_with(Trait.ABNORMAL)
    assert is_reallocation("realloc<int>") and not is_reallocation("memcpy") and copies("memmove<struct s>")
    assert may_lack_memory("__builtin_strdup") and not may_lack_memory("alloca") and not may_lack_memory("fopen")


def test_functions_that_close_streams() -> None:
    assert closing_names() == {"fclose", "pclose"}
