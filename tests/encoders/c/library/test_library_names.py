"""Names of functions without a body: whose they are, and the list against the compiler's own headers."""

import shutil

import pytest

from encoders.c.library import collect_names
from encoders.c.lowering.calls.library_names import LIST, NameKind, kind_of, names, not_modelled

KINDS = [
    (NameKind.SPECIAL, "reach_error __VERIFIER_nondet_int __VERIFIER_assume __CPROVER_assume malloc exit free scanf"),
    (NameKind.MODELLED, "memcpy __builtin_memcpy strtok abs srand __builtin_popcount __builtin_add_overflow isnan"),
    (NameKind.ENVIRONMENT, "printf __builtin_printf __printf_chk puts getppid sleep close __builtin_prefetch"),
    (NameKind.NOT_MODELLED, "remquof mkstemp waitpid getopt_long pthread_create __builtin_apply strtonum"),
    (NameKind.OTHER_TOOL, "__CPROVER_havoc_object klee_make_symbolic __ESBMC_atomic_begin __VERIFIER_unheard_of"),
    (NameKind.USER, "read_sensor printk kmalloc nondet_int __mark my_printf"),
]


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, text in KINDS for name in text.split()])
def test_kinds(kind: NameKind, name: str) -> None:
    assert kind_of(name) is kind
    assert (not_modelled(name) is None) == (kind not in (NameKind.NOT_MODELLED, NameKind.OTHER_TOOL))


def test_declarations_are_recognised() -> None:
    text = """
    typedef int (*callback)(int);
    extern int plain (int), *pointer (void) __attribute__ ((__nothrow__ (1)));
    extern int renamed (const char *) __asm__ ("" "__isoc99_renamed");
    extern __inline int inlined (int x) { return other (x); }
    struct s { int (*member)(int); };
    extern void (*handler (int, void (*)(int))) (int);
    """
    assert {"plain", "renamed", "__isoc99_renamed", "inlined", "handler"} <= collect_names.declared(text)
    assert not {"callback", "member", "other"} & collect_names.declared(text)


def test_variants_are_in_the_line_of_their_function() -> None:
    assert collect_names.lines(["fma", "fmaf", "fmaf32", "lgamma", "lgamma_r", "lgammaf", "lgammaf_r", "real"]) == [
        "fma f f32",
        "lgamma _r f f_r",
        "real",
    ]
    assert {"lgammaf_r", "__builtin_lgammal", "getc_unlocked", "fopen64"} <= names()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_the_list_is_what_the_compiler_and_its_headers_declare() -> None:
    if LIST.read_text(encoding="utf-8").splitlines()[0] != f"# {collect_names.version()}":
        pytest.skip("the list is of another compiler or library")
    assert set(collect_names.collected()) <= names()  # more, where headers of other packages are missing here
