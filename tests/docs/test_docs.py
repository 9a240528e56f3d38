"""Every command and program of README and docs/ is run, each page in a directory of its own, in order.

- A fenced block after `<!-- file: NAME -->` is written to NAME first.
- `console`: lines that begin with `$ ` are run by bash; the lines after each are its output (standard output and
  error), where `...` stands for anything. A comment at its end, `# exits 1`, says the status if it is not 0.
- `python`: run as a program; a block `text` right after it is its output.
- `<!-- not run: WHY -->` before a block exempts it. Blocks of other languages are for reading.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"(?:^<!-- (?P<order>file|not run): (?P<argument>.*?) -->\n+)?^```(?P<language>\w*)\n(?P<body>.*?)^```$",
    re.M | re.S,
)
PATIENCE = 900  # seconds; a loaded machine is slow


@dataclass(frozen=True)
class Block:
    order: str
    argument: str
    language: str
    body: str
    follows: bool  # directly after the block before it


def blocks(text: str) -> Iterator[Block]:
    end = 0
    for match in BLOCK.finditer(text):
        yield Block(
            match["order"] or "", match["argument"] or "", match["language"], match["body"],
            follows=not text[end : match.start()].strip(),
        )  # fmt: skip
        end = match.end()


def commands(body: str) -> Iterator[tuple[str, int, str]]:
    """Each command with the status it shall end with, and the output it shall have."""
    for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command = command[:-1] + more
        status = re.search(r"#\s*exits (\d+)$", command)
        yield command, int(status[1]) if status else 0, output


def matches(expected: str, output: str) -> bool:
    """Is it the output, `...` standing for anything, and blanks at the ends of lines apart?"""
    plain = "\n".join(line.rstrip() for line in output.strip().splitlines())
    parts = "\n".join(line.rstrip() for line in expected.strip().splitlines()).split("...")
    return re.fullmatch(".*".join(map(re.escape, parts)), plain, re.S) is not None


def run(command: list[str], directory: Path) -> tuple[int, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    modules = f"{directory}{os.pathsep}{ROOT}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": modules, "COLUMNS": "80", "NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=PATIENCE,
    )  # fmt: skip
    return done.returncode, done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path) -> None:
    for name in ("check_certificate.py", "check_termination.py"):
        (tmp_path / name).symlink_to(ROOT / name)
    printed: str | None = None
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.language == "text" and block.follows and printed is not None:
            assert matches(block.body, printed), printed
        printed = None
        if block.order == "file":
            path = tmp_path / block.argument
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.body, encoding="utf-8")
        if block.order == "not run":
            assert block.argument
        elif block.language == "python":
            status, printed = run([sys.executable, "-c", block.body], tmp_path)
            assert status == 0, printed
        elif block.language == "console":
            for command, wanted, expected in commands(block.body):
                status, output = run(["bash", "-c", command], tmp_path)
                assert matches(expected, output), f"$ {command}\n{output}"
                assert status == wanted, f"$ {command}\n{output}"
        else:
            assert block.language not in ("sh", "bash"), f"a block of {block.language} that is not run has to say why"


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert target.startswith("https://") or (page.parent / target).exists(), (
                f"{page.relative_to(ROOT)}: {target}"
            )


def test_the_comparison_can_fail() -> None:
    assert matches("a\n...c", "a\nb c\n") and matches("", "") and matches("x ...", "x 1\n2")
    assert not matches("a", "a\nb") and not matches("a ... c", "a b") and not matches("", "x")
    assert list(commands("$ a \\\n  b # exits 3\nout\n$ c\n")) == [("a   b # exits 3", 3, "out\n"), ("c", 0, "")]
