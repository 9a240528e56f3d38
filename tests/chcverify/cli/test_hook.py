"""The pre-commit hook and the action for servers, end to end: the commands that they name, on files."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
SAFE = "extern void reach_error(void);\nint main(void) {\n  int x = 1;\n  if (x != 1) reach_error();\n  return 0;\n}\n"
UNSAFE = SAFE.replace("x != 1", "x == 1")
TIMEOUT = ["--timeout", "600"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A directory with programs of each kind."""
    texts = {
        "safe.c": SAFE,
        "unsafe.c": UNSAFE,
        "library.c": "int f(void) { return 1; }\n",
        "broken.c": "int main( {\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def _run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=900)


def _hook() -> dict[str, object]:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    return dict(hook)


def test_the_entry_of_the_hook_on_files(files: Path) -> None:
    entry = str(_hook()["entry"]).split()
    done = _run(files, *entry, *TIMEOUT, "safe.c", "library.c")
    assert (done.returncode, done.stdout) == (0, "safe.c: true\n")
    assert done.stderr == "library.c: no main: not verified\n"
    done = _run(files, *entry, *TIMEOUT, "safe.c", "unsafe.c")
    assert done.returncode == 1
    assert done.stdout.splitlines()[1:] == ["unsafe.c: false(unreach-call)", "unsafe.c:4: violated: x == 1 where x = 1"]
    done = _run(files, *entry, *TIMEOUT, "broken.c", "safe.c")
    assert (done.returncode, done.stdout) == (2, "safe.c: true\n") and done.stderr.startswith("broken.c:1:")


def test_files_without_a_verdict_pass_unless_they_shall_not(files: Path) -> None:
    cache = ["--cache", "c", "--cache-only"]
    (files / "c").mkdir()
    done = _run(files, "chcverify", "hook", *cache, "safe.c")
    assert done.returncode == 0 and done.stdout.startswith("safe.c: unknown: the cache has no certificate")
    assert _run(files, "chcverify", "hook", *cache, "--unknown", "fail", "safe.c").returncode == 3


def test_functions_of_files_without_main(files: Path) -> None:
    (files / "unsafe_library.c").write_text(
        "extern void reach_error(void);\nint g(int x) { if (x == 7) reach_error(); return x; }\n"
    )
    options = [*TIMEOUT, "--entry", "*", "--junit", "r.xml"]
    done = _run(files, "chcverify", "hook", *options, "library.c", "unsafe_library.c")
    assert done.returncode == 1
    assert done.stdout.splitlines()[:2] == ["library.c: f: true", "unsafe_library.c: g: false(unreach-call)"]
    names = [case.get("name") for case in ElementTree.parse(files / "r.xml").iter("testcase")]
    assert names == ["f: unreach-call", "g: unreach-call"]


def test_wrong_options_are_one_line(files: Path) -> None:
    for arguments in (["--certificate", "x", "safe.c"], [], ["--engine", "none-such", "safe.c"]):
        done = _run(files, "chcverify", "hook", *arguments)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr


def test_pre_commit_runs_the_hook(files: Path) -> None:
    """With the hook's own entry as a local one: to install a hook's environment pre-commit needs a network."""
    pytest.importorskip("pre_commit")
    pre_commit = [sys.executable, "-m", "pre_commit"]
    assert _run(files, *pre_commit, "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")).returncode == 0
    hook = {**_hook(), "language": "system", "args": TIMEOUT}
    config = {"repos": [{"repo": "local", "hooks": [hook]}]}
    (files / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    identity = ["-c", "user.name=n", "-c", "user.email=e"]
    (files / "broken.c").unlink()
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "m"]):
        assert _run(files, "git", *command).returncode == 0
    done = _run(files, *pre_commit, "run", "--all-files")
    assert done.returncode == 1 and "unsafe.c:4: violated: x == 1" in done.stdout
    assert _run(files, *pre_commit, "run", "--files", "safe.c", "library.c").returncode == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash runs the action")
def test_the_last_step_of_the_action(files: Path) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    script = action["runs"]["steps"][-1]
    program = files / "runner/chcverify/bin/chcverify"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m chcverify "$@"\n')
    program.chmod(0o755)
    inputs = {name: fields.get("default", "") for name, fields in action["inputs"].items()}
    inputs |= {"files": "*safe.c", "arguments": " ".join(TIMEOUT)}
    given = {name: inputs[text.split("inputs.")[1].split(" ")[0]] for name, text in script["env"].items()}
    environment = {**ENVIRONMENT, **given, "RUNNER_TEMP": str(files / "runner")}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script["run"]]
    done = subprocess.run(command, cwd=files, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 1, done.stderr
    suites = ElementTree.parse(files / "chcverify.xml").findall("testsuite")
    assert [(suite.get("name"), suite.get("failures")) for suite in suites] == [("safe.c", "0"), ("unsafe.c", "1")]
