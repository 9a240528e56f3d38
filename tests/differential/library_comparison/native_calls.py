"""Makes the calls of a program under sanitizers and valgrind, each in a process of its own."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

from ..memory.sanitizers import compilers, report_kind
from .calls import INPUT_CHARACTER

_HARNESS = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int chosen, is_chosen;
extern int program_main(void);
#ifdef __SANITIZE_ADDRESS__
extern int __lsan_do_recoverable_leak_check(void);
static void __attribute__((noinline)) clear_stack(void) {
  volatile char old[65536];
  for (int i = 0; i < 65536; i++) old[i] = 0;
}
#endif
extern long long out_0, out_1;
int __VERIFIER_nondet_int(void) { return chosen; }
int main(int argc, char **argv) {
  int count = atoi(argv[1]), results = open("results", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (chosen = 0; chosen < count; chosen++) {
    int child = fork();
    if (child == 0) {
      char name[32];
      sprintf(name, "%d.err", chosen);
      int log = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600), null = open("/dev/null", O_WRONLY);
      int given = open("input", O_RDONLY);
      dup2(given, 0); dup2(null, 1); dup2(log, 2);
      alarm(20);
      program_main();
      fflush(stdout);
      int leaks = 0;
#ifdef __SANITIZE_ADDRESS__
      if (argc > 2) {
        clear_stack();
        leaks = __lsan_do_recoverable_leak_check();
      }
#endif
      dprintf(results, "%d %lld %lld %d\\n", chosen, out_0, out_1, leaks);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    fprintf(stderr, "process %d call %d status %d\\n", child, chosen, status);
  }
  return 0;
}
"""
_COMMON = ("-std=gnu11", "-w", "-g", "-O0", "-fno-omit-frame-pointer", "-fno-builtin", "-fwrapv")
_ADDRESS = (
    "-fsanitize=address,undefined",
    "-fno-sanitize=pointer-overflow,nonnull-attribute",
    "-fno-sanitize-recover=all",
)
_OPTIONS = (
    "symbolize=0:detect_leaks=1:leak_check_at_exit=0:detect_stack_use_after_return=1:allocator_may_return_null=1:"
    "redzone=128"
)
_UNWRITTEN = "use-of-uninitialized-value"


class Tool(Enum):
    """What looks at the calls beside the address sanitizer."""

    NONE = "none"
    MEMORY_SANITIZER = "memory sanitizer"
    VALGRIND = "valgrind"


@dataclass(frozen=True)
class NativeCall:
    """What was seen of a call. kind: what the address sanitizer reports, "" if nothing; strict: the same where strings
    are read up to their end. unwritten: does a tool report a use of what nobody wrote? invalid: does valgrind report an
    invalid access? outputs: None unless it returned. leaks: does the leak sanitizer find a block that nothing leads to?
    has_valgrind: did it run?"""

    kind: str
    strict: str
    unwritten: bool
    invalid: bool
    outputs: tuple[int, int] | None
    leaks: bool
    has_valgrind: bool


@cache
def has_valgrind() -> bool:
    """Is valgrind installed?"""
    return shutil.which("valgrind") is not None


def native_calls(text: str, count: int, folder: Path, tool: Tool) -> list[NativeCall]:
    """The calls 0 to count - 1 of a program. folder: where files are made. tool: which looks at them, too."""
    source, harness = folder / "program.c", folder / "harness.c"
    source.write_text(text, encoding="utf-8")
    harness.write_text(_HARNESS, encoding="utf-8")
    (folder / "input").write_text(chr(INPUT_CHARACTER) * 4096, encoding="utf-8")
    address = _built(("gcc", *_COMMON, *_ADDRESS), source, harness, folder / "address")
    plain = _run([str(address), str(count), "leaks"], folder, {"ASAN_OPTIONS": _OPTIONS})
    strict = _run([str(address), str(count)], folder, {"ASAN_OPTIONS": f"{_OPTIONS}:strict_string_checks=1"})
    unwritten, invalid, outputs = set[int](), set[int](), plain.outputs
    if tool is Tool.MEMORY_SANITIZER and "clang" in compilers():
        memory = _built(("clang", *_COMMON, "-fsanitize=memory"), source, harness, folder / "memory")
        seen = _run([str(memory), str(count)], folder, {"MSAN_OPTIONS": "symbolize=0:allocator_may_return_null=1"})
        unwritten |= {number for number, log in enumerate(seen.logs) if _UNWRITTEN in log}
    has = tool is Tool.VALGRIND and has_valgrind()
    if has:
        bare = _built(("gcc", *_COMMON), source, harness, folder / "bare")
        seen = _run(["valgrind", "-q", str(bare), str(count)], folder, {})
        for number, log in seen.foreign.items():
            if "uninitialised" in log:
                unwritten.add(number)
            if any(word in log for word in ("Invalid", "overlap", "unaddressable")):
                invalid.add(number)
    return [
        NativeCall(
            _kind(plain.logs[number]),
            _kind(strict.logs[number]),
            number in unwritten,
            number in invalid,
            outputs.get(number),
            number in plain.leaks,
            has,
        )
        for number in range(count)
    ]


@dataclass(frozen=True)
class _Run:
    """logs: what each call wrote to the standard error; foreign: what valgrind wrote about it."""

    logs: list[str]
    outputs: dict[int, tuple[int, int]]
    leaks: frozenset[int]
    foreign: dict[int, str]


def _built(command: tuple[str, ...], source: Path, harness: Path, binary: Path) -> Path:
    objects = [binary.with_suffix(".p.o"), binary.with_suffix(".h.o")]
    for given, made, more in ((source, objects[0], ("-Dmain=program_main",)), (harness, objects[1], ())):
        subprocess.run([*command, *more, "-c", "-o", made, given], check=True, capture_output=True, timeout=600)
    subprocess.run([*command, "-o", binary, *objects, "-lm"], check=True, capture_output=True, timeout=600)
    return binary


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> _Run:
    count = next(int(word) for word in command if word.isdecimal())
    for number in range(count):
        (folder / f"{number}.err").unlink(missing_ok=True)
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=1200,
        cwd=folder,
        env={**os.environ, **environment},
    )
    processes = {int(a): int(b) for a, b in re.findall(r"process (\d+) call (\d+)", done.stderr)}
    statuses = {int(a): int(b) for a, b in re.findall(r"call (\d+) status (\d+)", done.stderr)}
    foreign: dict[int, str] = {}
    for process, line in re.findall(r"^==(\d+)== (.*)$", done.stderr, re.MULTILINE):
        if int(process) in processes:
            number = processes[int(process)]
            foreign[number] = foreign.get(number, "") + line + "\n"
    logs = []
    for number in range(count):
        path = folder / f"{number}.err"
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        signal = statuses.get(number, 0) & 127
        logs.append(text + (f"\nended by signal {signal}" if signal else ""))
    outputs, leaks = {}, set[int]()
    for line in (folder / "results").read_text(encoding="utf-8").splitlines():
        number, first, second, is_leak = map(int, line.split())
        outputs[number] = (first, second)
        leaks |= {number} if is_leak else set()
    return _Run(logs, outputs, frozenset(leaks), foreign)


def _kind(log: str) -> str:
    """What a sanitizer's report is about; "" if there is none."""
    for word in ("param-overlap", "negative-size-param", "calloc-overflow", "ended by signal 14"):
        if word in log:
            return word
    log = log.partition("LeakSanitizer")[0]  # what it finds is apart
    kind = report_kind(log)
    if kind is not None:
        return kind.value
    if "AddressSanitizer" in log or "runtime error" in log or "ended by signal" in log:
        return "other"
    return ""
