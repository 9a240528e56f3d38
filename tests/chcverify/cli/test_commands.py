"""Each sub-command: its module has the command of that name, and it does on a small input what its help says."""

import json
import time
from importlib import import_module
from pathlib import Path

import click
import pytest

from chcverify.__main__ import _decides
from chcverify.certificate.files.named_checks import named_checks
from chcverify.cli import schedule_tuning
from chcverify.cli.app import COMMANDS, run
from chcverify.cli.check_listing import write_certificates
from chcverify.cli.commands import (
    annotate,
    bench,
    cache,
    check,
    contracts,
    doctor,
    engines,
    export,
    harness,
    hook,
    init,
    lsp,
    validate,
    verify,
)
from chcverify.cli.installation import examine
from chcverify.errors import InputError
from chcverify.horn.origin import Origin
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict

MODULES = (
    annotate, bench, cache, check, contracts, doctor, engines, export, harness, hook,
    init, lsp, validate, verify,
)  # fmt: skip
PROGRAM = (
    "extern void reach_error(void);\nint main(void) { int i = 0; while (i < 5) i++; if (i != 5) reach_error(); }\n"
)


def test_every_command_has_its_module() -> None:
    assert {module.__name__.rpartition(".")[2] for module in MODULES} == {module for module, _ in COMMANDS.values()}
    for name, (module, _) in COMMANDS.items():
        command = import_module(f"chcverify.cli.commands.{module}").command
        assert isinstance(command, click.Command) and command.name == name
    assert isinstance(bench.command, click.Group) and schedule_tuning.tune_command.name in bench.command.commands


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"], time.monotonic(), None) == 0
    assert "Usage: chcverify" in capsys.readouterr().out


def test_a_verdict_its_certificate_and_its_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, model, clauses = tmp_path / "loop.c", tmp_path / "model.smt2", tmp_path / "loop.smt2"
    program.write_text(PROGRAM)
    begin = time.monotonic()
    assert run([str(program), "--timeout", "600", "--certificate", str(model)], begin, None) == 0
    assert run(["check", str(model), str(program)], time.monotonic(), None) == 0
    assert run(["export", str(program), "-o", str(clauses)], time.monotonic(), None) == 0
    assert clauses.read_text().startswith("(set-logic HORN)") or "(assert" in clauses.read_text()
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "true"
    assert run(["engines", "--schedule", str(clauses)], time.monotonic(), None) == 0
    assert "bounded" in capsys.readouterr().out


def test_a_wrong_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(tmp_path / "missing.c")], time.monotonic(), None) == 2
    assert run(["no-such-command"], time.monotonic(), None) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) >= 2 and not any("Traceback" in line for line in errors)


def test_a_cache_is_bounded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cache", str(tmp_path), "--max-size", "1"], time.monotonic(), None) == 0
    assert capsys.readouterr().out == "0 files, 0.0 MB; 0 removed\n"


def test_the_installation_is_described() -> None:
    findings = list(examine())
    assert findings[0].text.startswith("Python 3") and any("z3" in finding.text for finding in findings)
    assert {finding.level for finding in findings} <= {"ok", "note", "problem"}


def test_certificates_of_checks_are_written_once(tmp_path: Path) -> None:
    checks = [Check(Origin("a.c", line), CheckKind.DIVISION, "1 / d") for line in (1, 2)]
    covered = tuple(check.id for check in checks)
    shared = [CheckVerdict(check, CheckStatus.PROVED, certificate="model", covered=covered) for check in checks]
    violated = CheckVerdict(checks[0], CheckStatus.VIOLATED, certificate='{"steps": []}', covered=covered[:1])
    write_certificates([*shared, violated], tmp_path / "new")
    texts = {path.suffix: path.read_text() for path in (tmp_path / "new").iterdir()}
    assert named_checks(texts[".smt2"]) == covered and json.loads(texts[".json"])["steps"] == []
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError):
        write_certificates(shared, tmp_path / "file")


def test_what_looks_like_a_task_starts_early(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("")
    assert _decides([str(path)]) and _decides(["verify", "x"]) and _decides(["--timeout", "3"])
    assert not _decides([]) and not _decides(["engines"]) and not _decides(["--help"])
