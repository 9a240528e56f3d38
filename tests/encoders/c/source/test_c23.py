"""Programs of C23: as gcc runs them, where gcc knows what they use."""

import shutil
import subprocess
from pathlib import Path

import pytest

from chcverify.options import SourceFile
from encoders.c.cfa.ir import Trap
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import load_files
from encoders.c.source.source_errors import SourceError, Unsupported
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
    "named constants": "constexpr int N = 3; constexpr float F = N + 0.5f; struct s { int bits : N; };"
    "enum { E = N + 1 };"
    "int main(void) { constexpr unsigned M = N * 2; static constexpr bool B = {true}; int a[N], b[M] = {}; "
    "const int *p = &N; switch (M) { case N * 2: a[N - 1] = E; break; default: return 9; } "
    "return sizeof b / sizeof a == 2 && a[2] == 4 && *p == 3 && F == 3.5f && B ? 0 : 1; }",
    "constant arrays": "constexpr int T[] = {1, 2, 3}; constexpr struct { int a, b; } S = {4, 5};"
    "int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += T[i]; return s + S.b - 11; }",
    "inferred types": "int main(void) { auto x = 3; auto const y = 2.5; auto p = &x; static auto z = 5ull; "
    'auto t = "ab"; '
    "for (auto i = 0; i < 2; i++) *p += i; constexpr auto n = 7L; auto int old = 1; return x - 4 || y != 2.5 "
    "|| sizeof z != 8 || sizeof n != 8 || sizeof t != sizeof(char *) || old != 1; }",
    "enumeration types": "enum e : unsigned char { A = 254, B }; enum f : long long { BIG = 0x1234567890, NEXT }; "
    "enum g : short; struct s { enum e m; enum e n : 3; }; "
    "int main(void) { enum e x = B; x++; enum g y = 70000; struct s v = {A, 9}; "
    "return x "
    "|| sizeof(enum e) != 1 || sizeof(A) != 1 || sizeof NEXT != 8 || NEXT - BIG != 1 || y != 4464 || v.n != 1; }",
    "unqualified types": "int main(void) { const int x = 3; typeof_unqual(x) y = x; y++; return y - 4; }",
    "null pointer type": "#include <stddef.h>\nint main(void) { nullptr_t n = nullptr; int *p = n; "
    "if (p) unreachable(); return p == n ? 0 : 1; }",
    "checked arithmetic": "#include <stdckdint.h>\nint main(void) { int r; char c; return ckd_add(&r, 2, 3) || r != 5 "
    "|| !ckd_mul(&c, 100, 3) || ckd_sub(&r, 5u, 7u) || r != -2; }",
    "arguments without a name": "#include <stdarg.h>\nint sum(int n, ...) { va_list a; va_start(a); int s = 0; "
    "while (n--) s += va_arg(a, int); va_end(a); return s; } int main(void) { return sum(2, 3, 4) - 7; }",
    "directives": "#ifdef A\n#elifdef B\n#elifndef C\nint main(void) { return 0; }\n#endif\n",
    "label before a declaration": "int main(void) { goto end; end: int x = 0; return x; }",
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


REFUSED = {
    "constexpr int n = 1 + f(); int main(void) { return 0; }": (SourceError, "not initialized by a constant"),
    "constexpr unsigned char n = 256; int main(void) { return n; }": (SourceError, "does not hold its value"),
    "constexpr int n = 1.5; int main(void) { return n; }": (SourceError, "does not hold its value"),
    "enum e : char { A = 200 }; int main(void) { return A; }": (SourceError, "does not hold the value of 'A'"),
    "unsigned _BitInt(7) x; int main(void) { return x; }": (Unsupported, "_BitInt"),
    "int main(void) { int n = auto; return n; }": (SourceError, "syntax error"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_constant_and_what_is_not_modelled(text: str, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int f(void);\n" + text)
    error, message = REFUSED[text]
    with pytest.raises(error, match=message):
        load_files([SourceFile(str(path), ("-std=c23",))], LP64)


@pytest.mark.parametrize("text", ["int *p = (static int[]){1};", "int n = 2; int a[n] = {};"])
def test_what_is_not_modelled_is_a_trap(text: str, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"int main(void) {{ {text} return 0; }}")
    program = load_files([SourceFile(str(path), ("-std=c23",))], LP64)
    assert any(isinstance(edge.operation, Trap) for edge in program.functions["main"].edges)
