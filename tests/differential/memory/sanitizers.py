"""Executes programs under a compiler's address and undefined-behaviour sanitizers: many programs in one executable."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chcverify.results.checks import CheckKind

from .generate import MemoryProgram

PROTOTYPES = """\
typedef unsigned long size_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), *alloca(size_t), *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t); void free(void *); void exit(int);
size_t strlen(const char *); char *strcpy(char *, const char *);
int __VERIFIER_nondet_int(void);
"""
_HARNESS = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>
#include <sanitizer/asan_interface.h>
static int *inputs, left;
int __VERIFIER_nondet_int(void) { return left-- > 0 ? *inputs++ : 0; }
static long living;
static void *made(void *p, size_t n) { living++; if (n == 0) __asan_poison_memory_region(p, 1); return p; }
static void *counted_malloc(size_t n) { return made(malloc(n), n); }
static void *counted_calloc(size_t n, size_t m) { return made(calloc(n, m), n * m); }
static void *counted_realloc(void *p, size_t n) { living += p == 0; return realloc(p, n); }
static void counted_free(void *p) { living -= p != 0; free(p); }
#define APART static __attribute__((noinline))
APART void clear_stack(void) { volatile char old[65536]; memset((void *)old, 0, sizeof old); }
#define malloc counted_malloc
#define calloc counted_calloc
#define realloc counted_realloc
#define free counted_free
"""
_FLAGS = (
    "-std=gnu11", "-w", "-g", "-O0", "-fno-omit-frame-pointer", "-fno-builtin", "-fsanitize=address,undefined",
    "-fno-sanitize=bounds,pointer-overflow,nonnull-attribute", "-fno-sanitize-recover=all",
)  # fmt: skip
_OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1:redzone=128:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=0",
    "LSAN_OPTIONS": "use_registers=0",
}
CONVERSIONS = "-fsanitize=implicit-conversion,float-cast-overflow"  # of clang
_NONDET = {"int": "int", "uint": "unsigned", "char": "char", "uchar": "unsigned char"}
_KINDS = {
    "heap-buffer-overflow": CheckKind.BOUNDS,
    "stack-buffer-overflow": CheckKind.BOUNDS,
    "stack-buffer-underflow": CheckKind.BOUNDS,
    "global-buffer-overflow": CheckKind.BOUNDS,
    "dynamic-stack-buffer-overflow": CheckKind.BOUNDS,
    "use-after-poison": CheckKind.BOUNDS,  # of a block of no bytes
    "unknown-crash": CheckKind.BOUNDS,  # of a record, whose first bytes are inside
    "heap-use-after-free": CheckKind.LIFETIME,
    "stack-use-after-scope": CheckKind.LIFETIME,
    "stack-use-after-return": CheckKind.LIFETIME,
    "attempting double-free": CheckKind.FREE,
    "attempting free on address": CheckKind.FREE,
    "bad-free": CheckKind.FREE,
    "alloc-dealloc-mismatch": CheckKind.FREE,  # of the middle of a block
    "SEGV on unknown address": CheckKind.NULL,
    "null pointer": CheckKind.NULL,
    "insufficient space for an object": CheckKind.BOUNDS,
    "detected memory leaks": CheckKind.LEAK,
    "implicit conversion from": CheckKind.CONVERSION,
    "outside the range of representable values": CheckKind.CONVERSION,
}


@dataclass(frozen=True)
class SanitizerReport:
    """What a sanitizer says about a run. kind: None if nothing. line: of the program, 0 for leaks.

    living: the blocks that live at the end; None if the run did not come there. text: all of its output.
    """

    kind: CheckKind | None
    line: int
    living: int | None
    text: str


@cache
def compilers() -> tuple[str, ...]:
    """The installed compilers whose sanitizers work here."""
    trial = MemoryProgram("int @main(void) { int *p = malloc(4); p[1] = 0; return 0; }", ())
    found = []
    for name in ("gcc", "clang"):
        try:
            if shutil.which(name) and reports([trial], name)[0].kind is CheckKind.BOUNDS:
                found.append(name)
        except (OSError, subprocess.SubprocessError):
            continue
    return tuple(found)


def reports(programs: Sequence[MemoryProgram], compiler: str) -> list[SanitizerReport]:
    """The reports of the programs' runs on their inputs, in order."""
    with tempfile.TemporaryDirectory() as folder:
        binary = built(programs, compiler, Path(folder))
        return [_report(binary, number, program) for number, program in enumerate(programs)]


def built(programs: Sequence[MemoryProgram], compiler: str, folder: Path) -> Path:
    """An executable in the folder. Its arguments are a program's number and the inputs."""
    source, binary = folder / "programs.c", folder / "programs"
    source.write_text(_source(programs), encoding="utf-8")
    subprocess.run([compiler, *_FLAGS, "-o", binary, source], check=True, capture_output=True, timeout=600)
    return binary


def quick_violation(binary: Path, number: int, runs: Iterable[Sequence[str]]) -> str:
    """What is found in the first run with a violation or living blocks at its end, of a program; "" if there is none.

    runs: the inputs of each. Leaks are blocks that live at the end, which are counted.
    """
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:symbolize=0"}
    for inputs in runs:
        command = [str(binary), str(number), *inputs]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment, errors="replace")
        living = re.search(r"^living (\d+)", done.stderr, re.MULTILINE)
        if living is None or int(living[1]):
            return f"inputs {' '.join(inputs)}: {done.stderr[:300]}"
    return ""


def inputs_text(inputs: Sequence[int | float]) -> str:
    """A C file with the functions without a body that programs call, which give these inputs, then zeros."""
    values = ", ".join(map(str, (*inputs, 0)))
    text = f"static double values[] = {{{values}}};\nstatic int position;\n"
    text += f"static double next(void) {{ return position < {len(inputs)} ? values[position++] : 0; }}\n"
    for name, kind in _NONDET.items():
        text += f"{kind} __VERIFIER_nondet_{name}(void) {{ return ({kind})(long long)next(); }}\n"
    return f"{text}double __VERIFIER_nondet_double(void) {{ return next(); }}\n"


def report_of(program: Path, inputs: Sequence[int | float], compiler: str, *flags: str) -> SanitizerReport:
    """The report of the run of a file on these inputs, then zeros. line: of the file. flags: more of the compiler."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "inputs.c"), Path(folder, "program")
        source.write_text(inputs_text(inputs), encoding="utf-8")
        command = [compiler, *_FLAGS, *flags, "-o", binary, source, program]
        subprocess.run(command, check=True, capture_output=True, timeout=600)
        done = subprocess.run(
            [binary], capture_output=True, text=True, timeout=120, env={**os.environ, **_OPTIONS}, errors="replace"
        )
    found = re.search(rf"{re.escape(program.name)}:(\d+)", done.stderr)
    return SanitizerReport(report_kind(done.stderr), int(found[1]) if found else 0, None, done.stderr)


def _source(programs: Sequence[MemoryProgram]) -> str:
    parts = [_HARNESS]
    for number, program in enumerate(programs):
        parts.append(f'#line 1 "program{number}.c"\n{program.named(f"p{number}_")}\n')
    names = ", ".join(f"p{number}_main" for number in range(len(programs)))
    parts.append(
        f'#line 1 "harness.c"\nstatic int (*mains[])(void) = {{{names}}};\n#undef malloc\n'
        "APART void start(int which) { mains[which](); }\n"
        "int main(int argc, char **argv) { left = argc - 2; int *all = inputs = malloc(sizeof(int) * argc);\n"
        "for (int i = 2; i < argc; i++) inputs[i - 2] = atoi(argv[i]);\n"
        "start(atoi(argv[1])); clear_stack(); inputs = all;"
        ' fprintf(stderr, "living %ld\\n", living); return 0; }\n'
    )
    return "".join(parts)


def _report(binary: Path, number: int, program: MemoryProgram) -> SanitizerReport:
    command = [str(binary), str(number), *map(str, program.inputs)]
    environment = {**os.environ, **_OPTIONS}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, errors="replace")
    text = done.stderr
    living = re.search(r"^living (\d+)", text, re.MULTILINE)
    return SanitizerReport(report_kind(text), _line(text, number), int(living[1]) if living else None, text)


def report_kind(text: str) -> CheckKind | None:
    """The kind of violation that a sanitizer's text is about; None if there is none."""
    kind = next((kind for phrase, kind in _KINDS.items() if phrase in text), None)
    if kind is CheckKind.NULL and ("counted_free" in text or "counted_realloc" in text):
        return CheckKind.FREE  # of an invalid pointer, whose block the sanitizer looks for
    return kind


def _line(text: str, number: int) -> int:
    """The line of the program in the first report's first stack frame that lies in it; 0 if there is none."""
    found = re.search(rf"program{number}\.c:(\d+)", text)
    return int(found[1]) if found else 0
