"""Programs of C23: as gcc runs them, where gcc knows what they use."""

import shutil
import subprocess
from pathlib import Path

import pytest

from chcverify.options import SourceFile
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import load_files
from encoders.c.types.c_types import LP64

PROGRAMS = {
    "null pointer": "int main(void) { int *p = nullptr; return p == nullptr && !p ? 0 : 1; }",
    "truth": "bool b = true; int main(void) { b = b && !false; return sizeof(bool) == 1 && b == 1 ? 0 : 1; }",
    "truth in conditions": "#if true && !false\nint main(void) { return 0; }\n#endif\n",
    "included names": "#include <stdbool.h>\n#include <stdalign.h>\nint main(void) { bool b = true; return b - 1; }",
    "separators": "int main(void) { return 1'000'000 - 0x0F'42'40 + (0b1010 - 10); }",
    "static assertion": "static_assert(sizeof(int) == 4); int main(void) { static_assert(1); return 0; }",
    "attributes": "[[nodiscard]] static int f([[maybe_unused]] int a) { switch (a) { case 1: a = 2; [[fallthrough]];"
    " default: return a; } } struct [[deprecated]] s { int m; }; int main(void) { return f(1) - 2; }",
    "alignment": "int main(void) { alignas(16) int q = 1; return q + (int)alignof(int) - 5; }",
    "type of": "int main(void) { int x = 3; typeof(x) y = x; typeof(int *) p = &y; return *p - 3; }",
    "storage": "thread_local int t = 2; int main(void) { return t - 2; }",
    "empty initialiser": "struct s { int a; }; int main(void) { struct s x = {}; int y[2] = {}; return x.a + y[1]; }",
    "unnamed parameter": "int f(int) { return 0; } int main(void) { return f(1); }",
    "label at the end": "int main(void) { int x = 1; if (x) goto end; x = 2; end: return x - 1; done: }",
}

CALL = """
#include <assert.h>
int main(void) { assert(run() == 0); return 0; }
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a preprocessor")
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("standard", ["c23", "gnu23", "c2x"])
def test_programs_of_c23_return_0(name: str, standard: str, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(PROGRAMS[name].replace("main(void)", "run(void)") + CALL)
    program = load_files([SourceFile(str(path), (f"-std={standard}",))], LP64)
    assert execute(program, Random(0, (), 9)).outcome == "end"
    compiled = subprocess.run(
        ["gcc", "-std=c2x", "-w", str(path), "-o", str(tmp_path / "p")], capture_output=True, check=False
    )
    if compiled.returncode == 0:  # older compilers know only a part of C23
        assert subprocess.run([str(tmp_path / "p")], check=False).returncode == 0


def test_other_standards_keep_the_names(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int nullptr = 1, bool = 2; int main(void) { return nullptr + bool - 3; }")
    for flags in ((), ("-std=c11",), ("-std=c23", "-std=gnu17")):
        assert execute(load_files([SourceFile(str(path), flags)], LP64), Random(0, (), 9)).outcome == "end"
