"""The command as its users run it: the verdict's line, exit statuses, unusable input, limits, processes left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.chcverify.cli.session_processes import gone, living_processes

SAFE = """(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x) (= y (+ x 2))) (inv y))))
(assert (forall ((x Int)) (=> (and (inv x) (< x 0)) false)))
(check-sat)
"""
UNSAFE = SAFE.replace("(< x 0)", "(= x 6)")
# Is there an odd perfect number? Nobody knows.
PROGRAM = """void reach_error(void);
int main(void) {
  int x = 0;
  while (x < 10)
    x = x + 2;
  if (x != 10)
    reach_error();
}
"""
COMMAND = [sys.executable, "-m", "chcverify"]


def chcverify(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=1200)


@pytest.fixture
def safe(tmp_path: Path) -> str:
    (tmp_path / "safe.smt2").write_text(SAFE)
    return str(tmp_path / "safe.smt2")


@pytest.fixture
def unsafe(tmp_path: Path) -> str:
    (tmp_path / "unsafe.smt2").write_text(UNSAFE)
    return str(tmp_path / "unsafe.smt2")


def test_the_verdict_stands_alone_on_standard_output(safe: str, unsafe: str) -> None:
    proved = chcverify(safe, "--engine", "spacer")
    assert (proved.stdout, proved.returncode) == ("sat\n", 0)
    assert "decided by spacer" in proved.stderr
    refuted = chcverify("verify", unsafe, "--engine", "spacer")
    assert (refuted.stdout, refuted.returncode) == ("unsat\n", 1)


def test_statistics_and_certificate(unsafe: str, tmp_path: Path) -> None:
    stats, certificate = tmp_path / "stats.json", tmp_path / "certificate.json"
    only = ("--engine", "spacer", "--jobs", "1")
    ended = chcverify(unsafe, *only, "--stats", str(stats), "--certificate", str(certificate))
    assert ended.returncode == 1
    document = json.loads(stats.read_text())
    assert (document["format"], document["verdict"], document["engine"]) == (1, "unsat", "spacer on original")
    assert document["checkers"]
    assert {"encode", "solve"} <= document["phases"].keys()
    checked = chcverify("check", str(certificate), unsafe)
    assert checked.returncode == 0, checked.stderr
    broken = tmp_path / "broken.json"
    document = json.loads(certificate.read_text())
    document["steps"][0]["arguments"] = ["1"] * len(document["steps"][0]["arguments"])
    broken.write_text(json.dumps(document))
    assert chcverify("check", str(broken), unsafe).returncode == 1


def test_transforms_can_be_audited(tmp_path: Path) -> None:
    program = tmp_path / "p.c"
    program.write_text(PROGRAM)
    ended = chcverify(
        str(program), "--engine", "spacer-global", "--debug-transforms", "--stats", str(tmp_path / "s.json")
    )
    assert (ended.stdout, ended.returncode) == ("true\n", 0)
    reduced = json.loads((tmp_path / "s.json").read_text())["engines"]["system reduced"]["stages"]
    assert reduced[-1]["predicates"] < reduced[0]["predicates"]


def test_a_model_is_a_certificate_too(safe: str, tmp_path: Path) -> None:
    certificate = tmp_path / "model.smt2"
    assert chcverify(safe, "--engine", "spacer", "--certificate", str(certificate)).returncode == 0
    assert "define-fun" in certificate.read_text()
    assert chcverify("check", str(certificate), safe).returncode == 0
    ended = chcverify("check", str(certificate), safe, "--also-by", "z3")
    assert (ended.stdout, ended.returncode) == ("accepted\n", 0) and "z3 by pysmt: accepted" in ended.stderr
    ended = chcverify("check", str(certificate), safe, "--also-by", "nosuch")
    assert ended.returncode == 2 and ended.stderr.count("\n") == 1 and "no solver nosuch" in ended.stderr
    certificate.write_text(certificate.read_text().replace("Bool\n", "Bool\n  (or true ", 1).replace(")\n)", "))\n)"))
    assert chcverify("check", str(certificate), safe).returncode == 1


BAD_FILES = {
    "missing": (None, "no such file or directory"),
    "junk": (b"\x7fELF\0\0\1\2\xff", "not a text file"),
    "empty": (b"", "empty"),
    "truncated": (SAFE[:150].encode(), ".smt2:4:"),
    "not Horn": (SAFE.replace("(inv y))", "(or (inv y) (inv x)))").encode(), ".smt2:4:1: "),
    "unknown sort": (SAFE.replace("inv (Int)", "inv (Strange)").encode(), ".smt2:2:"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_unusable_clauses_are_one_line(tmp_path: Path, case: str) -> None:
    data, message = BAD_FILES[case]
    path = tmp_path / "bad.smt2"
    if data is not None:
        path.write_bytes(data)
    ended = chcverify(str(path))
    assert (ended.stdout, ended.returncode) == ("", 2)
    assert len(ended.stderr.splitlines()) == 1
    assert message in ended.stderr
    assert ended.stderr.startswith(str(path))


BAD_PROGRAMS = {
    "syntax": ("int main(void) {\n  int x = 1\n}\n", 2, ".c:3:1: "),
    "undeclared": ("int main(void) {\n  return y;\n}\n", 2, ".c:2:"),
    "unterminated": ("int main(void) {\n  return 0;\n", 2, ".c:"),
    "no main": ("int f(void) {\n  return 0;\n}\n", 2, "main"),
    "unsupported": ('int main(void) {\n  __asm__("nop");\n  return 0;\n}\n', 3, ".c:2;"),
}


@pytest.mark.parametrize("case", BAD_PROGRAMS)
def test_unusable_programs_are_one_line(tmp_path: Path, case: str) -> None:
    text, status, message = BAD_PROGRAMS[case]
    path = tmp_path / "bad.c"
    path.write_text(text)
    ended = chcverify(str(path))
    assert (ended.stdout, ended.returncode) == ("unknown\n" if status == 3 else "", status)
    assert message in "".join(ended.stderr.split("\n  "))
    assert "Traceback" not in ended.stderr
    if status == 2:
        assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--timeout", "0"], "--timeout"),
        (["--timeout", "soon"], "--timeout"),
        (["--memory", "-5"], "--memory"),
        (["--jobs", "0"], "--jobs"),
        (["--data-model", "LP32"], "--data-model"),
        (["--engine", "perpetuum"], "perpetuum"),
        (["--engine", "spacer,"], "--engine"),
        (["--engine-option", "novalue"], "--engine-option"),
        (["--engine-option", "depth=3"], "needs --engine"),
        (["--engine", "pdr", "--engine-option", "nonsense=3"], "--engine-option: pdr has no option 'nonsense'"),
        (["--engine", "ctigar,spacer", "--engine-option", "refinement=0"], "--engine-option: ctigar option refinement"),
        (["--engine", "spacer", "--engine-option", "spacer.nonsense=3"], "not a parameter of spacer"),
        (["--engine", "df,combined", "--engine-option", "k=3"], "option k: '3' is not LINE:K"),
        (["--data-model", "ILP32"], "--data-model: for C programs only"),
        (["--witness", "w.yml", "--replay", "native"], "--witness, --replay native: for C programs only"),
        (["--trace", "t.json", "--warn-ub", "--show-invariants"], "--trace, --warn-ub, --show-invariants: for C"),
        (["--witness-version", "2.1"], "--witness-version needs --witness"),
        (["--report", "missing/r.html"], "no such directory"),
        (["--second-check", "maybe"], "--second-check"),
        (["--property", "nonsense"], "nonsense"),
        (["--property", "nowhere.prp"], "nowhere.prp"),
        (["--certificate", "/nowhere/at/all"], "/nowhere/at/all"),
        (["--stats", "/"], "is a directory"),
        (["--nonsense"], "--nonsense"),
        (["another.c"], "another.c"),
    ],
)
def test_bad_options_are_one_line(safe: str, arguments: list[str], message: str) -> None:
    ended = chcverify(safe, *arguments)
    assert (ended.stdout, ended.returncode) == ("", 2)
    assert len(ended.stderr.splitlines()) == 1
    assert message in ended.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_costs_the_file_and_not_the_verdict(safe: str) -> None:
    ended = chcverify(safe, "--engine", "spacer", "--stats", "/dev/full")
    assert (ended.stdout, ended.returncode) == ("sat\n", 2)
    assert "/dev/full: cannot be written: no space left on device" in ended.stderr
    with open("/dev/full", "w") as full:
        lost = subprocess.run([*COMMAND, safe], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert lost.returncode == 2
    assert "standard output" in lost.stderr
    assert "Traceback" not in lost.stderr


def test_a_closed_pipe_is_no_error(safe: str) -> None:
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run([*COMMAND, safe], stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert ended.returncode == 0
    assert "Error" not in ended.stderr
    closed = subprocess.run(["sh", "-c", '"$@" >&-  2>&-', "sh", *COMMAND, safe], check=False)
    assert closed.returncode == 0


def test_messages_that_nobody_reads_change_neither_status_nor_files(tmp_path: Path) -> None:
    """Those of assumptions are printed one by one: the first one ended such a run, with the status of `false`."""
    program, certificate = tmp_path / "a.c", tmp_path / "certificate.smt2"
    program.write_text(
        "#include <stdlib.h>\nvoid reach_error(void);\n"
        "int main(void) { int *p = malloc(4); if (!p) reach_error(); return 0; }\n"
    )
    read, write = os.pipe()
    os.close(read)
    command = [*COMMAND, str(program), "--certificate", str(certificate)]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=write, text=True, check=False)
    os.close(write)
    assert (ended.returncode, ended.stdout) == (0, "true\n")
    assert certificate.exists()


def test_the_limit_is_kept_and_nothing_is_left_behind(safe: str, never: dict[str, str]) -> None:
    process = subprocess.Popen(
        [*COMMAND, safe, "--engine", "never", "--timeout", "2"],
        env=never,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    output, errors = process.communicate(timeout=900)
    assert (output, process.returncode) == ("unknown\n", 3)
    assert errors.startswith("unknown after ")
    assert gone(process.pid)


@pytest.mark.parametrize("children", [1, 3])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_the_whole_tree(safe: str, never: dict[str, str], number: signal.Signals, children: int) -> None:
    process = subprocess.Popen(
        [*COMMAND, safe, "--engine", "never", "--timeout", "600"],
        env=never,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what runs in the background ignores it
    )
    try:
        while len(living_processes(process.pid)) <= children:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(number)
        output, errors = process.communicate(timeout=600)
    finally:
        process.kill()
    assert gone(process.pid)
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert output == "unknown\n" or (children == 1 and not output)  # it may be reading its arguments still
        assert "interrupted" in errors
        assert "Traceback" not in errors


@pytest.mark.parametrize("suffix", ["smt2", "rules"])
def test_exported_clauses_get_the_same_verdict(unsafe: str, tmp_path: Path, suffix: str) -> None:
    exported = tmp_path / f"exported.{suffix}"
    assert chcverify("export", unsafe, "-o", str(exported)).returncode == 0
    assert chcverify(str(exported), "--engine", "spacer").stdout == "unsat\n"


def test_programs_are_exported_and_what_is_not_modelled_is_named(tmp_path: Path) -> None:
    program = tmp_path / "p.c"
    program.write_text("void reach_error(void);\nint main(void) { reach_error(); }\n")
    prolog = chcverify("export", str(program), "--format", "prolog")
    assert prolog.returncode == 0
    assert ":-" in prolog.stdout
    program.write_text('int main(void) {\n  __asm__("nop");\n}\n')
    trapped = chcverify("export", str(program))
    assert trapped.returncode == 0 and "(check-sat)" in trapped.stdout
    assert "p.c:2:" in trapped.stderr and "does not show a violation" in trapped.stderr


def test_doctor_and_engines(safe: str) -> None:
    assert "spacer" in chcverify("engines").stdout
    shown = chcverify("engines", "--schedule", safe, "--timeout", "100")
    assert shown.returncode == 0 and "features:" in shown.stdout and "condition" in shown.stdout
    missing = chcverify("engines", "--schedule", "missing.c")
    assert missing.returncode == 2 and missing.stdout == "" and len(missing.stderr.splitlines()) == 1
    report = chcverify("doctor").stdout
    assert "z3-solver" in report
    assert report.splitlines()[-1].endswith(("problem", "problems"))


@pytest.mark.parametrize("kind", ["clauses", "safe program", "unsafe program"])
def test_the_command_s_own_process_imports_no_solver(safe: str, tmp_path: Path, kind: str) -> None:
    if kind != "clauses":
        safe = str(tmp_path / "p.c")
        error = "x == 10" if kind == "unsafe program" else "x != 10"
        Path(safe).write_text(
            "void reach_error(void) {}\nint main(void) {\n  int x = 0;\n  while (x < 10)\n    x++;\n"
            f"  if ({error})\n    reach_error();\n}}\n"
        )
    status, word = {"clauses": (0, "sat"), "safe program": (0, "true")}.get(kind, (1, "false(unreach-call)"))
    code = (
        "import sys, chcverify.cli.app as app, time;"
        "status = app.run([sys.argv[1], '--engine', 'spacer'], time.monotonic());"
        "print(status, sorted({'z3', 'pycparser', 'pysmt', 'cvc5'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", code, safe], capture_output=True, text=True, check=True)
    assert ended.stdout == f"{word}\n{status} []\n"


def test_bench_counts(safe: str, unsafe: str, tmp_path: Path) -> None:
    (tmp_path / "check-sat.prp").write_text("CHECK(sat)\n")
    for name, verdict in (("safe", "true"), ("unsafe", "true")):  # the second is a wrong label
        (tmp_path / f"{name}.yml").write_text(
            f"input_files: {name}.smt2\nproperties:\n"
            f"  - property_file: check-sat.prp\n    expected_verdict: {verdict}\n"
        )
    ended = chcverify("bench", str(tmp_path), "--engine", "spacer", "--output", str(tmp_path / "runs.json"))
    assert ended.returncode == 1
    rows = [line.split() for line in ended.stdout.splitlines()]
    assert ["all", "spacer", "2", "1", "1", "0", "1"] in [row[:7] for row in rows]  # tasks, solved, true, false, wrong
    assert [run["correct"] for run in json.loads((tmp_path / "runs.json").read_text())] == [True, False]


def test_an_interrupt_of_bench_ends_its_run(safe: str, never: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "check-sat.prp").write_text("CHECK(sat)\n")
    (tmp_path / "safe.yml").write_text("input_files: safe.smt2\nproperties:\n  - property_file: check-sat.prp\n")
    process = subprocess.Popen(
        [*COMMAND, "bench", str(tmp_path), "--engine", "never", "--timeout", "600"],
        env=never,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        while len(living_processes(process.pid)) < 4:  # bench, the runner, its command, and that one's child
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=600)[1]
    finally:
        process.kill()
    assert gone(process.pid)
    assert process.returncode == 130
    assert errors.splitlines()[-1:] == ["chcverify: interrupted"], errors


def test_the_log_of_pdr_and_the_k_of_loops(tmp_path: Path) -> None:
    program = tmp_path / "even.c"
    program.write_text(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n"
        "  unsigned x = 0;\n  while (__VERIFIER_nondet_int())\n    x += 2;\n  if (x % 2) reach_error();\n}\n"
    )
    log = tmp_path / "pdr.jsonl"
    assert chcverify(str(program), "--trace-pdr", str(log)).stdout == "true\n"
    assert {"frame", "lemma"} <= {json.loads(line)["event"] for line in log.read_text().splitlines()}
    assert chcverify(str(program), "--k", "5=1").stdout in ("true\n", "unknown\n")
    ended = chcverify(str(program), "--k", "4=1")
    assert ended.stdout == "unknown\n" and "no loop at line 4; there are loops at 5" in ended.stderr


def test_an_input_is_never_overwritten(safe: str, tmp_path: Path) -> None:
    program = tmp_path / "p.c"
    program.write_text(PROGRAM)
    for arguments in (
        (safe, "--certificate", safe),
        ("export", safe, "-o", safe),
        ("annotate", str(program), "-o", str(program)),
    ):
        before = Path(arguments[-1]).read_text()
        ended = chcverify(*arguments)
        assert ended.returncode == 2 and ended.stderr.strip().endswith("is an input: it would be overwritten")
        assert Path(arguments[-1]).read_text() == before
    both = str(tmp_path / "both")
    ended = chcverify(safe, "--stats", both, "--certificate", both)
    assert ended.returncode == 2 and "two outputs have the same name" in ended.stderr


@pytest.mark.parametrize("arguments", [("engines",), ("doctor",), ("--version",)])
def test_standard_output_that_is_full(arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 2 and len(ended.stderr.splitlines()) == 1
