"""External solvers: any command that reads CHC-COMP clauses and prints sat, unsat or unknown, and a model."""

import contextlib
import os
import shlex
import signal
import subprocess
import tempfile

from chcverify.certificate.files.certificate_text import model_from_text
from chcverify.display_limits import LINE_CHARACTERS
from chcverify.errors import InputError
from chcverify.horn.io.writer import to_smtlib
from chcverify.horn.system import HornSystem
from chcverify.process_lifetime import end_with_parent
from chcverify.results.result import Result, Safe, Unknown
from solvers.engine import Context, Requirements


class External:
    """Runs any solver of the CHC-COMP format on the exported clauses.

    In its command `{file}` stands for an .smt2 file and `{seconds}` for the time limit. `sat` must be followed by a
    model; `unsat` cannot be certified, so it becomes unknown.
    """

    description = "another solver's command on the exported clauses"
    requires = Requirements()

    def __init__(self, command: str) -> None:
        self.command = command
        self.name = f"external:{command}"

    def solve(self, system: HornSystem, context: Context) -> Result:
        with tempfile.TemporaryDirectory(prefix="chcverify-") as directory:
            path = os.path.join(directory, "system.smt2")
            with open(path, "w", encoding="utf-8") as file:
                file.write(to_smtlib(system))
            try:
                words = _words(self.command)
            except ValueError as error:
                return Unknown(f"external command: {error}")
            values = {"{file}": path, "{seconds}": str(max(1, int(context.remaining())))}
            for name, value in values.items():
                words = [word.replace(name, value) for word in words]
            if path not in " ".join(words):
                words.append(path)
            return self._answer(system, words, directory, context)

    def _answer(self, system: HornSystem, words: list[str], directory: str, context: Context) -> Result:
        try:
            output, error, status = _run(words, directory, context.remaining())
        except subprocess.TimeoutExpired:
            return Unknown("time limit")
        except OSError as problem:
            return Unknown(f"{words[0]}: {problem.strerror}")
        context.statistics["status"] = status
        verdict, _, rest = output.strip().partition("\n")
        verdict = verdict.strip()
        if verdict == "sat":
            return _model(system, words[0], rest)
        if verdict == "unsat":
            return Unknown(f"{words[0]} says unsat without a certificate")
        if verdict == "unknown":
            return Unknown(f"{words[0]} says unknown")
        message = " ".join((verdict or error).split())[:LINE_CHARACTERS]
        return Unknown(f"{words[0]} gave no answer, exit status {status}{': ' if message else ''}{message}")


def _words(command: str) -> list[str]:
    """The words of the command as a shell would split it; quotes around the whole command are removed."""
    words = shlex.split(command)
    return shlex.split(words[0]) if len(words) == 1 and " " in words[0] else words


def _model(system: HornSystem, solver: str, text: str) -> Result:
    if not text.strip():
        return Unknown(f"{solver} says sat without a model")
    try:
        return Safe(model_from_text(system, text, f"model of {solver}"))
    except InputError as error:
        return Unknown(f"{solver} says sat, but its model is unreadable: {error}")


def _run(words: list[str], directory: str, seconds: float) -> tuple[str, str, int]:
    """Standard output, standard error and exit status of the command.

    Its process group is killed at the limit or with this process.
    """
    process = subprocess.Popen(
        words,
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=end_with_parent,
    )
    try:
        output, error = process.communicate(timeout=seconds)
    finally:
        _kill_group(process)
    return output, error, process.returncode


def _kill_group(process: "subprocess.Popen[str]") -> None:
    """Kills the command's process group, also what remains of it after the command's own end."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
