"""The socket of the service: whose it is, and what is in its place."""

import socket
import stat
from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.run.prefork import listen


def test_only_the_owner_can_connect(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with listen(str(path)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_files_are_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine")
    with pytest.raises(InputError, match="cannot be used as a socket"):
        listen(str(path))
    assert path.read_text() == "mine"


def test_the_socket_of_a_dead_service_is_replaced(tmp_path: Path) -> None:
    path = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(path)
    with listen(path), pytest.raises(InputError, match="cannot be used as a socket"):
        listen(path)
