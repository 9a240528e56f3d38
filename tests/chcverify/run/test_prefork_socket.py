"""The socket of the service."""

import stat
from pathlib import Path

import pytest

from chcverify.cli.commands.serve import command
from chcverify.errors import InputError
from chcverify.run.prefork import Pool, listen


def test_only_the_owner_can_use_the_socket(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    listener = listen(str(path))
    try:
        assert stat.S_ISSOCK(path.stat().st_mode) and not path.stat().st_mode & 0o077
    finally:
        listener.close()
    assert Pool().idle <= Pool().most and command.name == "serve"


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("kept")
    with pytest.raises(InputError):
        listen(str(path))
    assert path.read_text() == "kept"
