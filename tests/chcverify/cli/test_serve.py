"""The service: requests are answered like commands, by processes that end with them."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chcverify.cli.commands.serve import command as serve
from chcverify.client import ask

SAFE = """(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (> x 0)) false)))
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = str(tmp_path_factory.mktemp("service") / "socket")
    command = [sys.executable, "-m", "chcverify", "serve", path, "--idle", "1"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline() == f"chcverify serves {path}\n"
    yield path
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    assert not os.path.exists(path)


def test_requests_are_answered(service: str, tmp_path: Path) -> None:
    (tmp_path / "safe.smt2").write_text(SAFE)
    (tmp_path / "unsafe.smt2").write_text(SAFE.replace("(> x 0)", "(> x (- 1))"))
    status, output, errors = ask(service, ["safe.smt2"], str(tmp_path))
    assert (status, output) == (0, "sat\n")
    assert errors.startswith("sat: decided by")
    assert ask(service, ["unsafe.smt2"], str(tmp_path))[:2] == (1, "unsat\n")


def test_files_are_written_where_the_request_says(service: str, tmp_path: Path) -> None:
    (tmp_path / "safe.smt2").write_text(SAFE)
    assert ask(service, ["safe.smt2", "--certificate", "model.smt2"], str(tmp_path))[0] == 0
    assert "define-fun p" in (tmp_path / "model.smt2").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["absent.smt2"], "absent.smt2"), (["--nonsense"], "nonsense"), (["serve", "other"], "cannot be to serve")],
)
def test_errors_are_those_of_the_command(service: str, arguments: list[str], message: str, tmp_path: Path) -> None:
    status, output, errors = ask(service, arguments, str(tmp_path))
    assert (status, output) == (2, "")
    assert message in errors


@pytest.mark.parametrize("request_", [b"nonsense\n", b"{}\n", b'{"arguments": [1], "directory": "/"}\n'])
def test_what_is_no_request_is_refused(service: str, request_: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(service)
        connection.sendall(request_)
        with connection.makefile("rb") as stream:
            reply = json.loads(stream.readline())
    assert reply["status"] == 2
    assert "no request" in reply["errors"]


def test_a_client_that_leaves_stops_nothing_else(service: str, tmp_path: Path) -> None:
    (tmp_path / "safe.smt2").write_text(SAFE)
    for _ in range(3):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(service)
            connection.sendall(json.dumps({"arguments": ["safe.smt2"], "directory": str(tmp_path)}).encode() + b"\n")
    assert ask(service, ["safe.smt2"], str(tmp_path))[:2] == (0, "sat\n")


def test_a_socket_in_use_is_refused(service: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chcverify", "serve", service], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 2
    assert "cannot be used as a socket" in done.stderr
    assert os.path.exists(service)


def test_it_is_a_command_with_help() -> None:
    assert serve.name == "serve"
    assert "socket" in serve.help.lower()


def test_the_client_without_a_service(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "chcverify.client", str(tmp_path / "nothing"), "x.c"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "no answer" in done.stderr
