"""The command on whole projects: files, flags, databases, settings, entries; errors are one line with status 2."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "chcverify"]
LIBRARY = """#include "limit.h"
static int state;
int clamp(int x) { return x > LIMIT ? LIMIT : x; }
int broken(int x) { if (clamp(x) == LIMIT - 1) reach_error(); return ++state; }
int silent(int *p) { *p = 1; return *p; }
"""
HEADER = "extern void reach_error(void);\n#ifndef LIMIT\n#define LIMIT 10\n#endif\nint clamp(int);\n"
MAIN = '#include "limit.h"\nint main(void) { if (clamp(LIMIT + 1) != 10) reach_error(); return 0; }\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {"src/lib.c": LIBRARY, "src/main.c": MAIN, "include/limit.h": HEADER}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=1200)


def test_files_are_linked(project: Path) -> None:
    ended = run(project, "src/main.c", "src/lib.c", "-I", "include")
    assert (ended.stdout, ended.returncode) == ("true\n", 0)
    files = ("src/main.c", "src/lib.c", "-Iinclude")
    assert run(project, *files, "--certificate", "c.smt2", "--witness", "w.yml", "--report", "r.html").returncode == 0
    assert (
        (project / "c.smt2").read_text().startswith("; chcverify src/main.c src/lib.c -Iinclude\n; src/main.c SHA-256")
    )
    assert run(project, "check", "c.smt2", *files).stdout == "accepted\n"
    assert "configuration: -Iinclude" in (project / "w.yml").read_text()
    assert "- src/lib.c" in (project / "w.yml").read_text()
    assert "src/main.c src/lib.c -Iinclude" in (project / "r.html").read_text()
    ended = run(project, "src/main.c", "src/lib.c", "-Iinclude", "-DLIMIT=9", "--replay", "native")
    assert (ended.stdout, ended.returncode) == ("false(unreach-call)\n", 1)


def test_entries_have_verdicts_of_their_own(project: Path) -> None:
    arguments = ("src/lib.c", "-Iinclude", "--entry", "*", "--stats", "s.json", "--sarif", "s.sarif")
    ended = run(project, *arguments)
    assert (ended.stdout, ended.returncode) == ("false(unreach-call)\n", 1)
    rows = [line.split() for line in ended.stderr.splitlines() if " lib.c:" in line]
    assert [(row[0], row[2]) for row in rows if len(row) == 4] == [
        ("true", "clamp"),
        ("false(unreach-call)", "broken"),
        ("true", "silent"),
    ]
    assert "3 functions: 2 true, 1 false, 0 unknown" in ended.stderr
    assert "assumed: clamp, broken: is called once, with any arguments" in ended.stderr
    entries = json.loads((project / "s.json").read_text())["entries"]
    assert {name: entry["verdict"] for name, entry in entries.items()} == {
        "clamp": "true",
        "broken": "false(unreach-call)",
        "silent": "true",
    }
    assert len(json.loads((project / "s.sarif").read_text())["runs"]) == 3


def test_the_table_of_all_checks(project: Path) -> None:
    arguments = ("src/lib.c", "-Iinclude", "--entry", "*", "--property", "undefined-behaviour")
    ended = run(project, *arguments, "--table", "t.md")
    assert (ended.stdout, ended.returncode) == ("false(unreach-call)\n", 1)
    rows = [line.split() for line in ended.stderr.splitlines()]
    assert rows[0] == ["verdict", "seconds", "checks", "proved", "violated", "unknown", "function"]
    assert next(row[2:6] for row in rows if row[6:] == ["broken"]) == ["2", "1", "1", "0"]
    text = (project / "t.md").read_text()
    assert "| `clamp` | lib.c:3 | 0 | 0 | 0 | 0 |" in text and "lib.c:4: assertion: reach\\_error()" in text
    assert run(project, *arguments[:2], "--entry", "clamp", "--table", "t.json").stdout == "true\n"
    assert json.loads((project / "t.json").read_text())["functions"][0]["verdict"] == "true"
    assert "--table needs --entry" in run(project, "src/lib.c", "-Iinclude", "--table", "t.md").stderr


def test_a_certificate_of_an_entry_is_checked_again(project: Path) -> None:
    given = ("src/lib.c", "-Iinclude", "--entry", "broken")
    ended = run(project, *given, "--certificate", "c.json")
    assert (ended.stdout, ended.returncode) == ("false(unreach-call)\n", 1)
    recorded = json.loads((project / "c.json").read_text())["input"]
    assert recorded["command"] == "src/lib.c -Iinclude --entry broken"
    assert run(project, "check", "c.json", *given).stdout == "accepted\n"
    assert run(project, "check", "c.json", *given[:2], "--entry", "clamp").returncode != 0


def test_callbacks_change_what_their_caller_knows(project: Path) -> None:
    text = (
        HEADER + "void f(int *p, int (*call)(void)) { *p = 3; int r = call(); if (r == 5 && *p == 0) reach_error(); }"
    )
    (project / "f.c").write_text(text)
    assert run(project, "f.c", "--entry", "f").stdout == "false(unreach-call)\n"


def test_the_harness_has_the_same_verdict(project: Path) -> None:
    text = (
        HEADER
        + "int f(int *p, int *q, unsigned n) { *p = 1; *q = 2; if (*p != 1 && n == 7) reach_error(); return *p; }"
    )
    (project / "f.c").write_text(text)
    for options, verdict in (((), "true\n"), (("--entry-alias",), "false(unreach-call)\n")):
        assert run(project, "f.c", "--entry", "f", *options).stdout == verdict
        assert run(project, "harness", "f", "f.c", "-o", "h.c", *options).returncode == 0
        assert run(project, "h.c", "--undefined-functions", "havoc", "--volatile", "fresh").stdout == verdict
    ended = run(project, "f.c", "--entry", "f", "--entry-alias", "--replay", "native")
    assert ended.stdout == "false(unreach-call)\n"


def test_a_project_and_its_settings(project: Path) -> None:
    (project / "build").mkdir()
    entries = [
        {"directory": "../src", "file": f"{name}.c", "command": f"cc -I../include -c {name}.c"}
        for name in ("main", "lib")
    ]
    (project / "build" / "compile_commands.json").write_text(json.dumps(entries))
    assert run(project, "--project", "build").stdout == "true\n"
    (project / "chcverify.toml").write_text('project = "build"\ndefine = ["LIMIT=9"]\n')
    assert run(project, "verify").stdout == "false(unreach-call)\n"
    assert run(project / "src", "verify").stdout == "false(unreach-call)\n"
    assert run(project, "--project", "build", "--config", "none").stdout == "true\n"
    assert run(project, "src/lib.c", "--entry", "clamp").stdout == "true\n"  # with its flags
    (project / "files").write_text("src/main.c src/lib.c -Iinclude # all of it")
    assert run(project, "@files", "--config", "none").stdout == "true\n"


def test_stubs_define_what_nothing_else_does(project: Path) -> None:
    (project / "stubs").mkdir()
    (project / "stubs" / "measure.c").write_text("int limit(void); int measure(void) { return limit(); }\n")
    (project / "stubs" / "limit.c").write_text("int limit(void) { return LIMIT; }\n")
    (project / "stubs" / "clamp.c").write_text("int clamp(int x) { return 0; }\n")
    text = HEADER + "int measure(void); int clamp(int x) { return x; }\n"
    text += "int main(void) { if (measure() != LIMIT || clamp(1) != 1) reach_error(); return 0; }\n"
    (project / "m.c").write_text(text)
    assert run(project, "m.c", "-DLIMIT=4").stdout == "false(unreach-call)\n"
    assert run(project, "m.c", "-DLIMIT=4", "--stubs", "stubs").stdout == "true\n"
    ended = run(project, "m.c", "--stubs", "nowhere")
    assert (ended.returncode, ended.stderr) == (2, "nowhere: no such directory (--stubs)\n")


def test_contracts_are_proved_or_violated(project: Path) -> None:
    text = """//@ requires x < 5; ensures \\result == x + 1;
int up(int x) { return x + 1; }
//@ ensures \\result > x;
int more(int x) { return x + 1; }
"""
    (project / "c.c").write_text(text)
    assert run(project, "c.c", "--entry", "up", "--contracts").stdout == "true\n"
    assert run(project, "c.c", "--entry", "more", "--contracts").stdout == "false(unreach-call)\n"
    assert run(project, "c.c", "--entry", "more").stdout == "true\n"


def test_init_writes_settings_once(project: Path) -> None:
    assert run(project, "init").stdout == "chcverify.toml\n"
    again = run(project, "init")
    assert (again.returncode, again.stderr) == (2, "chcverify.toml: exists already\n")
    assert run(project, "src/main.c", "src/lib.c", "-Iinclude").stdout == "true\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["src/lib.c", "-I", "nowhere"], "nowhere: no such directory (-I)"),
        (["src/lib.c", "-std=c++11"], "-std=c++11"),
        (["src/lib.c", "-Iinclude", "-D1x"], "macro names must be identifiers"),
        (["src/main.c"], "src/main.c:1:10: limit.h: No such file or directory"),
        (["src/main.c", "-Iinclude", "-include", "nowhere.h"], "nowhere.h: No such file or directory"),
        (["cycle.c"], "cycle.c:1:"),
        (["src/main.c", "src/main.c", "-Iinclude"], "is named twice"),
        (["src/lib.c", "-Iinclude"], "no function 'main'"),
        (["src/lib.c", "-Iinclude", "--entry", "nothing"], "no function 'nothing' is defined"),
        (["src/lib.c", "-Iinclude", "--entry", "*", "--certificate", "c"], "--certificate: for one --entry at a time"),
        (["src/lib.c", "-Iinclude", "--entry-null"], "--entry-null needs --entry"),
        (["clauses.smt2", "src/lib.c"], "is no C file"),
        (["clauses.smt2", "-DX"], "is no C file"),
        (["clauses.smt2", "--entry", "f"], "is no C file"),
        (["--project", "nowhere.json"], "nowhere.json: no such file"),
        (["--project", "broken.json"], "broken.json:1:2: not JSON"),
        (["src/lib.c", "--config", "nowhere.toml"], "nowhere.toml: no such file"),
        (["@nowhere"], "nowhere: no such file"),
        (["double.c", "src/lib.c", "-Iinclude"], "src/lib.c:3:5: redefinition of 'clamp': see double.c:1:5"),
        ([], "Missing argument 'FILE...'"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str, project: Path) -> None:
    (project / "clauses.smt2").write_text("(set-logic HORN)\n(check-sat)\n")
    (project / "cycle.c").write_text('#include "cycle.c"\n')
    (project / "broken.json").write_text("[")
    (project / "double.c").write_text("int clamp(int x) { return x; }\nint main(void) { return 0; }\n")
    ended = run(project, *arguments) if arguments else run(project, "verify")
    assert (ended.stdout, ended.returncode) == ("", 2), ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert message in ended.stderr


@pytest.mark.parametrize("kind", ["valid-memcleanup", "uninitialised"])
def test_checks_of_whole_programs_are_refused_for_entries(kind: str, project: Path) -> None:
    ended = run(project, "src/lib.c", "-Iinclude", "--entry", "silent", "--property", kind)
    assert (ended.stdout, ended.returncode) == ("unknown\n", 3)
