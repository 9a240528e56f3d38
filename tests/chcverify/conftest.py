"""What tests of the command share."""

import os

import pytest

_ENGINE = """
import signal, time
import chcverify


class Never:
    name = "never"
    description = "never answers, and ignores polite signals"
    requires = chcverify.Requirements()

    def solve(self, system, context):
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(1)
"""


@pytest.fixture
def never(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment for the command in which there is an engine `never`, which never answers: only limits and signals
    end its runs, on fast machines as on slow ones."""
    folder = tmp_path_factory.mktemp("plug-in")
    (folder / "engine_that_never_answers.py").write_text(_ENGINE)
    info = folder / "never-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: never\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[chcverify.engines]\nnever = engine_that_never_answers:Never\n")
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path}
