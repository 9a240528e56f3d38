"""Programs that are cut off, damaged or no text: one line with a position and exit status 2, never a crash."""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.options import InputOptions
from chcverify.problems.boogie_problem import load_boogie_program
from chcverify.problems.protocol import Refused
from chcverify.task import resolve

PROGRAMS = sorted((Path(__file__).parents[4] / "benchmarks" / "boogie").glob("*.bpl"))
TOKENS = re.compile(r"\w+|\s+|[^\w\s]+")
INSERTED = re.findall(
    r"\S+", "{ } ( ) [ ] ; : := :: == < bv bv0 bv9999999 0bv4 int old $ // /* |{ }| {:x 1e9999999 é ²"
)


def is_rejected(path: Path) -> bool:
    """True if the file is no program, which is said with its position; clauses are made of one that is."""
    try:
        program = load_boogie_program(resolve(InputOptions(str(path))))
    except InputError as error:
        assert error.line > 0 and error.column > 0 and "\n" not in str(error)
        return True
    for implementation in program.implementations:
        try:
            program.encoded(implementation)
        except Refused:
            continue
    return False


def cut(text: str, choice: random.Random) -> bytes:
    return text[: choice.randrange(1, len(text))].encode()


def with_other_tokens(text: str, choice: random.Random) -> bytes:
    parts = TOKENS.findall(text)
    for _ in range(choice.randint(1, 3)):
        place = choice.randrange(len(parts))
        parts[place] = choice.choice(["", choice.choice(INSERTED), choice.choice(parts), 2 * parts[place]])
    return "".join(parts).encode()


def with_other_bytes(text: str, choice: random.Random) -> bytes:
    data = bytearray(text.encode())
    for _ in range(choice.randint(1, 20)):
        data[choice.randrange(len(data))] = choice.randrange(256)
    return bytes(data)


def noise(text: str, choice: random.Random) -> bytes:
    return choice.randbytes(choice.randint(1, 300))


@pytest.mark.parametrize("path", PROGRAMS[::2], ids=lambda path: path.stem)
def test_programs_that_are_cut_off(tmp_path: Path, path: Path) -> None:
    choice = random.Random(path.stem)
    file = tmp_path / "p.bpl"
    for _ in range(20):
        file.write_bytes(cut(path.read_text(), choice))
        is_rejected(file)


@pytest.mark.parametrize("damaged", [with_other_tokens, with_other_bytes, noise])
def test_damaged_programs(tmp_path: Path, damaged: "object") -> None:
    assert callable(damaged)
    choice = random.Random(damaged.__name__)
    file = tmp_path / "p.bpl"
    rejected = 0
    for _ in range(60):
        file.write_bytes(damaged(choice.choice(PROGRAMS).read_text(), choice))
        rejected += is_rejected(file)
    assert rejected > 30


@pytest.mark.parametrize("damaged", [cut, with_other_bytes, noise])
def test_the_command_says_it_in_one_line(tmp_path: Path, damaged: "object") -> None:
    assert callable(damaged)
    file = tmp_path / "p.bpl"
    file.write_bytes(damaged("// damaged\nprocedure P(x: int) { assert x + 1 > x; } procedure", random.Random(4)))
    command = [sys.executable, "-m", "chcverify", str(file)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2 and not ended.stdout
    assert re.fullmatch(rf"{re.escape(str(file))}:\d+:\d+: [^\n]+\n", ended.stderr), ended.stderr


@pytest.mark.parametrize(
    "text",
    [
        "procedure P(x: bool) { assert " + 3000 * "!(" + "x" + 3000 * ")" + "; }",
        "procedure P(x: " + 2000 * "[int]" + "int) { assert x == x; }",
        "procedure P() { assert 0bv99999999999 == 0bv1; }",
        "procedure P(x: bv99999999) { assert x[99999999:0] == x; }",
        "procedure P() { assert 1e99999999 > 0.0; }",
        "procedure P() { assert " + 5000 * "9" + "bv8 == 0bv8; }",
        "procedure P(x: bv4) { assert x[" + 5000 * "9" + ":0] == x; }",
    ],
    ids=["negations", "map types", "width", "vector", "exponent", "digits", "bits"],
)
def test_what_is_too_large_does_not_end_the_run(tmp_path: Path, text: str) -> None:
    file = tmp_path / "p.bpl"
    file.write_text(text)
    command = [sys.executable, "-m", "chcverify", str(file), "--timeout", "20"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode in (2, 3) and "Traceback" not in ended.stderr, ended.stderr
