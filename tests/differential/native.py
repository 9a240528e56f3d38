"""Runs a generated program as gcc compiles it. 32-bit programs run without a C library, which most systems lack."""

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from encoders.c.types.c_types import LP64, DataModel

from .generate import NONDET

GCC = shutil.which("gcc")
# Floats as in IEEE 754: the x87 unit of old 32-bit processors would round otherwise.
_MODES = {"LP64": ("-m64",), "ILP32": ("-m32", "-msse2", "-mfpmath=sse", "-nostdlib", "-static", "-fno-pie", "-no-pie")}
_LIBRARIES = {"LP64": ("-lm",), "ILP32": ()}
_FLAGS = ("-std=gnu11", "-w", "-fwrapv", "-O0", "-fno-builtin", "-fno-stack-protector")
_RUNTIME = Path(__file__).parent / "runtime32.c"


@cache
def runs(model: DataModel) -> bool:
    """Does gcc compile programs of this data model here, and does the system run them?"""
    return GCC is not None and outputs("int main(void) { out_0 = 7; finish(); return 0; }", 1, (0,), model) == [7]


def outputs(text: str, count: int, numbers: Sequence[int], model: DataModel) -> list[int] | None:
    """The final values of out_0, ..., None if the program does not run to its end, or if gcc itself breaks on it."""
    assert GCC is not None
    values = ", ".join(literal(number) for number in numbers)
    kinds = "".join(
        f"{kind} __VERIFIER_nondet_{name}(void) {{ return values[next++ % {len(numbers)}]; }}\n"
        for kind, name in NONDET.items()
    )
    declared = "".join(f"long long out_{i};\n" for i in range(count))
    shown = "".join(f"show(out_{i}); " for i in range(count))
    show = (
        'int printf(const char *, ...);\nstatic void show(long long value) { printf("%lld\\n", value); }\n'
        if model is LP64
        else _RUNTIME.read_text(encoding="utf-8")
    )
    harness = f"static long long values[] = {{{values}}};\nstatic int next;\n{kinds}{declared}"
    whole = f"{show}{harness}void finish(void) {{ {shown}}}\n{text}\n"
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder, "p")
        command = [GCC, *_MODES[model.name], *_FLAGS, "-o", str(binary), "-x", "c", "-", *_LIBRARIES[model.name]]
        try:
            subprocess.run(command, input=whole, text=True, check=True, capture_output=True, timeout=600)
        except subprocess.CalledProcessError as error:
            if "internal compiler error" in error.stderr:
                return None
            raise
        try:
            done = subprocess.run([str(binary)], capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return None
    return [int(line) for line in done.stdout.split()] if done.returncode == 0 else None


def literal(value: int) -> str:
    return f"{value}LL" if value > -(1 << 63) else f"(-{(1 << 63) - 1}LL - 1)"
