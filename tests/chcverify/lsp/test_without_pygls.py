"""Without pygls the command says what is missing, in one line."""

import os
import subprocess
import sys
from pathlib import Path


def test_without_pygls(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ModuleNotFoundError('no pygls', name='pygls')\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "chcverify", "lsp"]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == "chcverify: lsp needs pygls: pip install 'chcverify[lsp]'\n"
