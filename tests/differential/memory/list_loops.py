"""Programs that build lists in loops and change them, each with faults: no proof of a fault, no violation without one.

`python -m tests.differential.memory.list_loops [NAME...]` runs the command on all of them, or on those of some names.
"""

import itertools
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .generate import MemoryProgram
from .sanitizers import PROTOTYPES, built, quick_violation

INPUTS = 7  # of a run; further ones are zero
_SECONDS = 15  # for one verdict

_BUILD = """\
  struct @node *list = 0, *t = 0;
  while (any()) { t = malloc(sizeof *t); t->next = list; list = t; }
"""
_OTHER = """\
  struct @node *other = 0;
  while (any()) { t = malloc(sizeof *t); t->next = other; other = t; }
"""
_RELEASE = "  while (list) { t = list->next; free(list); list = t; }\n"
_RELEASE_OTHER = "  while (other) { t = other->next; free(other); other = t; }\n"
_REVERSE = """\
  struct @node *top = 0, *next = 0;
  while (list) { next = list->next; list->next = top; top = list; list = next; }
  list = top;
"""

SAFE: dict[str, str] = {
    "reversal": _BUILD + _REVERSE + _RELEASE,
    "splice": _BUILD + _OTHER + """\
  if (list) {
    struct @node *last = other;
    if (last) {
      while (last->next) last = last->next;
      last->next = list->next;
      list->next = other;
    }
  } else {
    list = other;
  }
""" + _RELEASE,
    "cycle": _BUILD + """\
  if (list) {
    struct @node *last = list;
    while (last->next) last = last->next;
    last->next = list;
    list = last->next;
    last->next = 0;
  }
""" + _RELEASE,
    "swap": _BUILD + """\
  if (list && list->next) {
    struct @node *second = list->next;
    list->next = second->next;
    second->next = list;
    list = second;
  }
""" + _RELEASE,
    "merge": _BUILD + _OTHER + """\
  struct @node *all = 0;
  while (list || other) {
    if (list && (!other || any())) { t = list->next; list->next = all; all = list; list = t; }
    else { t = other->next; other->next = all; all = other; other = t; }
  }
  list = all;
""" + _RELEASE,
    "removal": _BUILD + """\
  struct @node *p = list;
  while (p && p->next) {
    if (any()) { t = p->next; p->next = t->next; free(t); }
    else { p = p->next; }
  }
""" + _RELEASE,
    "realloc": _BUILD + """\
  struct @node *top = 0, *next = 0;
  while (list) { next = list->next; list = realloc(list, sizeof *list); list->next = top; top = list; list = next; }
  list = top;
""" + _RELEASE,
    "conditional": """\
  struct @node *list = 0, *t = 0, *end = 0;
  while (any()) {
    t = malloc(sizeof *t);
    if (any() || !list) { t->next = list; list = t; }
    else { t->next = list->next; list->next = t; }
  }
""" + _RELEASE,
    "under and": _BUILD + """\
  while (list && list->next && any()) {
    t = list->next;
    list->next = t->next;
    t->next = list;
    list = t;
  }
""" + _RELEASE,
    "choice": _BUILD + """\
  struct @node *top = 0, *next = 0;
  while (list) { next = list ? list->next : top; list->next = top ? top : 0; top = list; list = next; }
  list = top;
""" + _RELEASE,
    "alias": _BUILD + """\
  struct @node *top = 0, *next = 0, *same = 0;
  while (list) { same = list; next = same->next; same->next = top; top = list; list = next; }
  list = top;
""" + _RELEASE,
    "pointer to a link": _BUILD + """\
  if (list) {
    struct @node **place = &list->next;
    t = malloc(sizeof *t);
    t->next = *place;
    *place = t;
  }
""" + _REVERSE + _RELEASE,
    "second pointer": _BUILD + """\
  struct @node *top = 0, *next = 0, *second = 0;
  while (list) { next = list->next; second = list; list->next = top; top = second; list = next; }
  second = 0;
  list = top;
""" + _RELEASE,
    "prev": _BUILD + """\
  struct @node *prev = 0, *at = list;
  while (at) {
    t = at->next;
    if (prev && any()) { prev->next = t; free(at); }
    else { prev = at; }
    at = t;
  }
""" + _RELEASE,
    "direct": """\
  struct @node *list = malloc(sizeof *list), *t = 0;
  list->next = 0;
  while (any()) {
    t = list->next;
    list->next = malloc(sizeof *list);
    list->next->next = t;
  }
""" + _REVERSE + _RELEASE,
    "rotate": _BUILD + """\
  struct @node *last = list;
  while (last && last->next) last = last->next;
  while (list && list != last && any()) {
    t = list->next;
    list->next = 0;
    last->next = list;
    last = list;
    list = t;
  }
""" + _RELEASE,
    "two stacks": _BUILD + _OTHER + """\
  while (any()) {
    if (list) { t = list->next; list->next = other; other = list; list = t; }
    else if (other) { t = other->next; other->next = list; list = other; other = t; }
  }
""" + _RELEASE + _RELEASE_OTHER,
    "split": _BUILD + """\
  struct @node *other = 0, *next = 0;
  struct @node *kept = 0;
  while (list) {
    next = list->next;
    if (any()) { list->next = other; other = list; } else { list->next = kept; kept = list; }
    list = next;
  }
  list = kept;
""" + _RELEASE + _RELEASE_OTHER,
    "last first": _BUILD + """\
  struct @node *last = list, *before = 0;
  while (last && last->next) { before = last; last = last->next; }
  if (before) { before->next = 0; last->next = list; list = last; }
""" + _RELEASE,
    "first dropped": _BUILD + _REVERSE + """\
  if (list) { t = list; list = list->next; free(t); }
""" + _RELEASE,
}  # fmt: skip
"""The bodies of main without a fault, by name."""

FAULTS: tuple[tuple[str, str, str], ...] = (
    ("reversal", "next = list->next;", "next = list->next ? list->next->next : 0;"),
    ("reversal", "while (list) { next", "while (list && list->next) { next"),
    ("reversal", "list->next = top;", "if (any()) list->next = top;"),
    ("reversal", "list->next = top;", "list->next = list;"),
    ("reversal", "list->next = top;", "list->next = top; if (top) top->next = list;"),
    ("splice", "last->next = list->next;", ""),
    ("splice", "list->next = other;", ""),
    ("splice", "list = other;", ""),
    ("splice", "last->next = list->next;", "last->next = list;"),
    ("cycle", "last->next = 0;", ""),
    ("cycle", "last->next = list;", "last->next = 0;"),
    ("cycle", "last->next = list;\n    list = last->next;", "last->next = list; list = 0;"),
    ("cycle", "list = last->next;", "list = last;"),
    ("swap", "list->next = second->next;", ""),
    ("swap", "list = second;", ""),
    ("swap", "second->next = list;", ""),
    ("swap", "list->next = second->next;\n    second->next = list;", "second->next = list; list->next = second->next;"),
    ("merge", "(!other || any())", "any()"),
    ("merge", "while (list || other)", "while (list && other)"),
    ("merge", "all = other;", "all = other->next;"),
    ("merge", "other->next = all;", ""),
    ("removal", "free(t);", ""),
    ("removal", "p->next = t->next; free(t);", "free(t); p->next = t->next;"),
    ("removal", "p->next = t->next; free(t);", "free(t);"),
    ("removal", "while (p && p->next)", "while (p)"),
    ("removal", "p->next = t->next;", "p->next = t->next ? t->next->next : 0;"),
    (
        "realloc",
        "next = list->next; list = realloc(list, sizeof *list);",
        "t = realloc(list, sizeof *t); next = list->next;",
    ),
    ("realloc", "list = realloc(list, sizeof *list);", "t = realloc(list, sizeof *list); if (!top) list = t;"),
    ("realloc", "realloc(list, sizeof *list)", "malloc(sizeof *list)"),
    ("conditional", "t->next = list->next; list->next = t;", "list->next = t; t->next = list->next;"),
    ("conditional", "t->next = list->next; list->next = t;", "t->next = 0; list->next = t;"),
    ("conditional", "|| !list", ""),
    ("conditional", "t->next = list->next; list->next = t;", "t->next = list->next; if (any()) list->next = t;"),
    ("under and", "list && list->next && ", "list && "),
    ("under and", "t->next = list;", "if (list && list->next) t->next = list;"),
    ("under and", "list = t;", ""),
    ("under and", "t->next = list;", "int more = list && list->next && list->next->next; if (more) t->next = list;"),
    ("choice", "list ? list->next : top", "top ? list->next : 0"),
    ("choice", "top ? top : 0", "top ? top : list"),
    ("choice", "top ? top : 0", "top ? top->next : 0"),
    ("alias", "same->next = top;", "same->next = same;"),
    ("alias", "same = list; next = same->next;", "next = list->next; same = next ? next : list;"),
    ("alias", "top = list;", "top = same->next;"),
    ("pointer to a link", "t->next = *place;", "t->next = 0;"),
    ("pointer to a link", "*place = t;", "*place = *place;"),
    ("pointer to a link", "t->next = *place;\n    *place = t;", "*place = t; t->next = *place;"),
    ("second pointer", "second = 0;\n  list", "free(second);\n  list"),
    ("second pointer", "second = list; list->next = top;", "second = list; list->next = top; if (!next) free(second);"),
    ("prev", "prev->next = t; free(at);", "free(at); prev = at;"),
    ("prev", "prev->next = t; free(at);", "free(at);"),
    ("prev", "prev->next = t; free(at);", "prev->next = t;"),
    ("prev", "if (prev && any()) { prev->next = t; free(at); }", "if (any()) { if (prev) prev->next = t; free(at); }"),
    ("direct", "list->next->next = t;", ""),
    ("direct", "list->next->next = t;", "list->next->next = 0;"),
    ("direct", "list->next->next = t;", "list->next->next = list;"),
    (
        "direct",
        "list->next = malloc(sizeof *list);\n    list->next->next = t;",
        "list->next = malloc(sizeof *list); list->next->next = list->next;",
    ),
    (
        "direct",
        "t = list->next;\n    list->next = malloc(sizeof *list);",
        "list->next = malloc(sizeof *list); t = list->next;",
    ),
    ("rotate", "list->next = 0;", ""),
    ("rotate", "last = list;\n    list = t;", "list = t;"),
    ("rotate", "list && list != last && ", "list && "),
    ("two stacks", "list->next = other;", ""),
    ("two stacks", "list = other; other = t;", "other = t;"),
    ("two stacks", "other->next = list; list = other;", "list = other; other->next = list;"),
    ("split", "list->next = kept; kept = list;", "kept = list;"),
    ("split", "list->next = other; other = list;", "other = list; list->next = other;"),
    ("split", "list->next = other; other = list;", "if (other) list->next = other; other = list;"),
    ("split", "list = kept;", "list = kept; kept = other; if (kept) kept->next = list;"),
    ("last first", "before->next = 0;", ""),
    ("last first", "last->next = list; list = last;", "list = last;"),
    ("last first", "last->next = list; list = last;", "last->next = list;"),
    ("last first", "last->next = list;", "before->next = list; last->next = list;"),
    ("first dropped", "t = list; list = list->next; free(t);", "free(list); list = list->next;"),
    ("first dropped", "t = list; list = list->next; free(t);", "list = (free(list), list->next);"),
    ("first dropped", "t = list; list = list->next; free(t);", "list = list->next;"),
    (
        "first dropped",
        "t = list; list = list->next; free(t);",
        "t = list; list = list->next; free(t); if (list) list->next = t;",
    ),
)  # fmt: skip
"""Of a program, what is replaced by what."""


@dataclass(frozen=True)
class ListLoop:
    """A program. fault: what was replaced, "" if nothing. text: with `@` before names of the file's scope."""

    name: str
    fault: str
    text: str

    def source(self) -> str:
        """The whole text."""
        return PROTOTYPES + self.text.replace("@", "")


def all_programs() -> Iterator[ListLoop]:
    """The programs, each one followed by those with a fault."""
    for name, body in SAFE.items():
        yield ListLoop(name, "", _whole(body))
        for other, old, new in FAULTS:
            if other == name:
                if body.count(old) == 0:
                    raise ValueError(f"{name}: there is no {old!r}")
                yield ListLoop(name, f"{old} -> {new}", _whole(body.replace(old, new)))


def _whole(body: str) -> str:
    called = body.replace("any()", "__VERIFIER_nondet_int()")
    return f"struct @node {{ struct @node *next; }};\nint @main(void) {{\n{called}  return 0;\n}}\n"


def violations(programs: list[ListLoop]) -> list[str]:
    """For each program what the sanitizer finds in a run with a violation, "" if there is no such run."""
    inputs = list(itertools.product("01", repeat=INPUTS))
    with tempfile.TemporaryDirectory() as folder:
        binary = built([MemoryProgram(program.text, ()) for program in programs], "gcc", Path(folder))
        return [quick_violation(binary, number, inputs) for number in range(len(programs))]


def verdict(program: ListLoop, *options: str) -> str:
    """The verdict that the command prints."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lists.c")
        path.write_text(program.source(), encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "chcverify",
            str(path),
            "--property",
            "valid-memsafety",
            "--jobs",
            "1",
            *options,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)
    return done.stdout.partition("\n")[0]


def main() -> int:
    """Prints what the command and the engine alone find, and what is wrong of that; the exit status."""
    chosen = [program for program in all_programs() if not sys.argv[1:] or program.name in sys.argv[1:]]
    wrong = 0
    for program, violation in zip(chosen, violations(chosen), strict=True):
        alone = verdict(program, "--engine", "links@links", "--timeout", str(_SECONDS))
        whole = verdict(program, "--timeout", str(_SECONDS))
        is_wrong = "true" in (alone, whole) if violation else any(v.startswith("false") for v in (alone, whole))
        wrong += is_wrong
        mark = "WRONG " if is_wrong else "no fault " if program.fault and not violation else ""
        print(f"{mark}{program.name} [{program.fault}]: {whole}, alone {alone}; {violation[:60]!r}", flush=True)
    print(f"{len(chosen)} programs, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
