"""The tool-info module and the benchmark definitions, loaded by BenchExec itself."""

import subprocess
import sys
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

benchexec = pytest.importorskip("benchexec")

from benchexec.tools.template import BaseTool2, UnsupportedFeatureException  # noqa: E402

from chcverify.campaign.benchexec_tool import Tool  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
MODULE = "chcverify.campaign.benchexec_tool"


def _run(output: str, status: int = 0, reason: str | None = None) -> Any:
    exit_code = SimpleNamespace(value=status, signal=None, raw=status)
    return BaseTool2.Run([], exit_code, BaseTool2.RunOutput(output.splitlines(True)), reason)


@pytest.mark.parametrize(
    ("run", "answer"),
    [
        (_run("true\n"), "true"),
        (_run("sat\n(define-fun p ((x Int)) Bool true)\n"), "true"),
        (_run("false(unreach-call)\n", 1), "false(unreach-call)"),
        (_run("false(valid-deref)\n", 1), "false(valid-deref)"),
        (_run("unsat\n", 1), "false"),
        (_run("unknown\n", 3), "unknown"),
        (_run("the answer is true\n", 3), "ERROR"),
        (_run("x.c:3:1: unexpected }\n", 2), "ERROR (unusable input)"),
        (_run("", 9, "walltime"), "TIMEOUT"),
    ],
)
def test_every_verdict_is_parsed(run: Any, answer: str) -> None:
    assert Tool().determine_result(run) == answer


def _task(options: dict[str, str]) -> Any:
    return BaseTool2.Task.with_files(["x.c"], property_file="p.prp", options=options)


def test_the_limits_of_a_run_reach_the_command() -> None:
    limits = BaseTool2.ResourceLimits(cputime=900, walltime=None, memory=None, cpu_cores=4)
    task = _task({"language": "C", "data_model": "ILP32"})
    words = Tool().cmdline("chcverify", ["--seed", "1"], task, limits)
    assert words == [
        "chcverify", "--seed", "1", "--property", "p.prp", "--data-model", "ILP32", "--timeout", "900", "--jobs", "4",
        "x.c",
    ]  # fmt: skip
    own = Tool().cmdline("chcverify", ["--timeout", "5"], task, limits)
    assert own.count("--timeout") == 1
    with pytest.raises(UnsupportedFeatureException):
        Tool().cmdline("chcverify", [], _task({"data_model": "LLP64"}), limits)


def test_benchexec_accepts_the_module_and_the_answers_of_real_runs(tmp_path: Path) -> None:
    """The test tool of BenchExec on what chcverify printed for a safe and an unsafe program."""
    outputs = []
    for name, condition in (("safe", "x != 1"), ("unsafe", "x == 1")):
        (tmp_path / f"{name}.c").write_text(
            "extern void reach_error(void);\n"
            f"int main(void) {{ int x = 1; if ({condition}) reach_error(); return x; }}\n"
        )
        command = [sys.executable, "-m", "chcverify", str(tmp_path / f"{name}.c"), "--engine", "bmc"]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        outputs.append(tmp_path / f"{name}.log")
        outputs[-1].write_text(ended.stdout)
    script = tmp_path / "bin" / "chcverify"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m chcverify "$@"\n')
    script.chmod(0o755)
    words = [sys.executable, "-m", "benchexec.test_tool_info", MODULE, "--no-container"]
    words += ["--tool-directory", str(tmp_path), "--tool-output", *map(str, outputs)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT)
    text = ended.stderr + ended.stdout
    assert ended.returncode == 0 and "“true”" in text and "“false(unreach-call)”" in text, text
    assert "Version: “0." in text


def _definition(file: Path) -> Any:
    """The benchmark definition as BenchExec reads it, with its task files and properties."""
    from benchexec import model
    from benchexec.benchexec import BenchExec

    main = BenchExec()
    main.config = main.create_argument_parser().parse_args([str(file), "--no-container"])
    main.config.output_path, main.config.debug = "", False
    return model.Benchmark(str(file), main.config, datetime.now())


def test_the_own_definition_has_all_tasks_with_their_verdicts() -> None:
    runs = _definition(ROOT / "competition" / "own.xml").run_sets[0].runs
    assert len(runs) == len(list((ROOT / "benchmarks" / "one_loop").glob("*.yml"))) > 0
    assert all(run.properties and run.expected_results for run in runs)
    assert {"true", "false"} <= {str(value).lower() for run in runs for value in run.expected_results.values()}


@pytest.mark.parametrize("name", ["sv-comp", "chc-comp"])
def test_the_definitions_of_competitions_are_read(name: str, tmp_path: Path) -> None:
    """Beside a collection with one task for each set and pattern of the definition."""
    file = tmp_path / "competition" / f"{name}.xml"
    file.parent.mkdir()
    file.write_text((ROOT / "competition" / f"{name}.xml").read_text())
    named = [
        (element.tag, file.parent / str(element.text)) for element in ElementTree.parse(file).iter() if element.text
    ]
    properties = {path.resolve() for tag, path in named if tag == "propertyfile"}
    for path in properties:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    entries = "".join(f"  - property_file: {path}\n" for path in properties)
    groups = [(tag, path.resolve()) for tag, path in named if tag in ("includesfile", "include")]
    for number, (tag, path) in enumerate(groups):
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "x.c").write_text("int main(void) { return 0; }\n")
        task = path.parent / f"x-{number}.yml"
        task.write_text(f"format_version: '2.0'\ninput_files: x.c\nproperties:\n{entries}")
        if tag == "includesfile":
            path.write_text(f"{task.name}\n")
    sets = _definition(file).run_sets
    assert sum(len(run_set.blocks) for run_set in sets) == len(groups)
    assert all(block.runs for run_set in sets for block in run_set.blocks)
