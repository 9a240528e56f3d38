"""Termination by the command: certificates of functions, and ranks as ACSL that asserts can check."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

BITS = """unsigned bits(unsigned x) {
  unsigned found = 0;
  while (x) { x &= x - 1; found++; }
  return found;
}
"""


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, *arguments]
    return subprocess.run(words, capture_output=True, text=True, timeout=600, check=False, cwd=folder)


def test_a_proof_of_a_function_with_bits_is_checked_again(tmp_path: Path) -> None:
    (tmp_path / "bits.c").write_text(BITS)
    flags = ("bits.c", "--entry", "bits", "--property", "termination")
    assert command(tmp_path, "-m", "chcverify", *flags, "--certificate", "proof.json").stdout == "true\n"
    assert command(tmp_path, "-m", "chcverify", "check", "proof.json", *flags).stdout == "accepted\n"
    for estimates, word in (("--estimates", "accepted"), ("", "rejected")):
        more = [estimates] if estimates else []
        assert not command(tmp_path, "-m", "chcverify", "export", *flags, *more, "-o", "bits.smt2").returncode
        alone = command(tmp_path, str(ROOT / "check_termination.py"), "proof.json", "bits.smt2")
        assert alone.stdout.startswith(word) or (word == "rejected" and alone.returncode)


LOOPS = (
    ("unsigned n", "unsigned i = 0;", "i < n", "i += 1;"),
    ("unsigned n", "", "n > 7", "n /= 2;"),
    ("int a, int b", "if (b < 1 || b > 100) return;", "a > 0", "a -= b;"),
    ("unsigned char x, unsigned char y", "", "x != y", "if (x < y) x++; else y++;"),
)


@pytest.mark.parametrize(("parameters", "first", "guard", "body"), LOOPS)
def test_variants_decrease_and_are_not_negative(
    parameters: str, first: str, guard: str, body: str, tmp_path: Path
) -> None:
    text = f"#include <assert.h>\nvoid f({parameters}) {{\n  {first}\n  while ({guard}) {{ {body} }}\n}}\n"
    (tmp_path / "loop.c").write_text(text)
    flags = ("--entry", "f", "--property", "termination", "--timeout", "120")
    written = command(tmp_path, "-m", "chcverify", "annotate", "loop.c", *flags, "--as", "acsl").stdout
    (variant,) = re.findall(r"loop variant ([^;]*);", written)
    wide = re.sub(r"[A-Za-z_]\w*", lambda name: f"((long){name[0]})", variant)
    assert re.fullmatch(r"[-+*/%()\s\w]*", wide), "an expression over variables, in numbers without bounds"
    checked = f"while ({guard}) {{ long before = {wide}; {body} assert(before >= 0 && {wide} < before); }}"
    (tmp_path / "checked.c").write_text(text.replace(f"while ({guard}) {{ {body} }}", checked))
    assert command(tmp_path, "-m", "chcverify", "checked.c", "--entry", "f").stdout == "true\n"
