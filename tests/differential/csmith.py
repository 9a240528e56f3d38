"""Programs of csmith (Yang, Chen, Eide, Regehr: Finding and understanding bugs in C compilers, PLDI 2011)."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from encoders.c.source.preprocessor import INCLUDE
from encoders.c.types.c_types import ILP32, DataModel

from .compare import Case
from .native import GCC

CSMITH = shutil.which("csmith")
_FLAGS = ("--no-argc", "--no-unions", "--no-packed-struct", "--concise")
_SIZES = {"funcs": 3, "block-depth": 2, "block-size": 3, "expr-complexity": 4, "array-dim": 2, "array-len-per-dim": 4}
# csmith's own header, but for its checksum (a table in memory), which here is a product.
_PROLOGUE = """#include <stdint.h>
#include <limits.h>
#include <float.h>
#include <stddef.h>
#define FUNC_NAME(x) (safe_##x)
#define UNDEFINED(value) (value)
#define STATIC static
#define LOG_INDEX
#define LOG_EXEC
#define assert(condition)
#include "safe_math.h"
#define _CSMITH_BITFIELD(x) ((x) > 32 ? (x) % 32 : (x))
int printf(const char *, ...);
void finish(void);
void reach_error(){}
extern long long out_0;
static uint32_t crc32_context;
static void platform_main_begin(void) {}
static void crc32_gentab(void) {}
static void transparent_crc(uint64_t value, const char *name, int flag) {
  crc32_context = crc32_context * 31 + (uint32_t)(value ^ value >> 32);
}
static void platform_main_end(uint32_t value, int flag) { out_0 = value; finish(); }
"""


def installed() -> bool:
    return CSMITH is not None and (_include() / "safe_math.h").exists()


def _include() -> Path:
    assert CSMITH is not None
    return Path(CSMITH).resolve().parent.parent / "include" / "csmith"


def make(seed: int, model: DataModel) -> Case:
    """The program of a seed (not 0, which lets csmith choose), preprocessed."""
    assert CSMITH is not None and GCC is not None
    sizes = [word for name, size in _SIZES.items() for word in (f"--max-{name}", str(size))]
    command = [CSMITH, "--seed", str(seed + 1), *_FLAGS, *sizes]
    with tempfile.TemporaryDirectory() as folder:  # where csmith leaves a file of its own
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600, cwd=folder)
    text = _PROLOGUE + done.stdout.replace('#include "csmith.h"', "")
    mode = "-m32" if model is ILP32 else "-m64"
    headers = ["-nostdinc", "-isystem", str(INCLUDE), "-isystem", str(_include())]
    preprocess = [GCC, "-E", "-P", mode, "-std=gnu11", *headers, "-"]
    done = subprocess.run(preprocess, input=text, check=True, capture_output=True, text=True, timeout=600)
    return Case(done.stdout, 1, (0,))
