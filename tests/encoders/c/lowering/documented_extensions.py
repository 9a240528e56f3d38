"""The tables of docs/c.md: what becomes of the attributes, pragmas and built-in functions that gcc documents."""

from encoders.c.lowering.calls.library_names import NameKind, kind_of
from encoders.c.lowering.operators.constant_builtins import folded_builtin
from encoders.c.source.extensions import ATTRIBUTES, PRAGMAS, Extension, Treatment
from encoders.c.types.c_types import LP64

_NAMES = """
types_compatible_p choose_expr constant_p offsetof expect expect_with_probability clz clzl clzll ctz ctzl ctzll ffs
ffsl ffsll clrsb clrsbl clrsbll popcount popcountl popcountll parity parityl parityll bswap16 bswap32 bswap64
bswap128 abs labs llabs add_overflow sub_overflow mul_overflow sadd_overflow saddl_overflow saddll_overflow
ssub_overflow smul_overflow uadd_overflow usub_overflow umul_overflow add_overflow_p sub_overflow_p mul_overflow_p
inf inff infl huge_val huge_valf huge_vall nan nanf nanl nans isnan isinf isfinite isnormal isinf_sign signbit
fpclassify isgreater isgreaterequal isless islessequal islessgreater isunordered issignaling sqrt sqrtf fabs fabsf
fabsl copysign copysignf floor ceil trunc powi complex abort exit trap unreachable assume assume_aligned prefetch
malloc calloc realloc free alloca alloca_with_align memcpy memmove memset memcmp memchr strlen strcmp strncmp strcpy
strncpy strcat strchr printf sprintf snprintf puts putchar object_size dynamic_object_size memcpy_chk return_address
frame_address extract_return_addr setjmp longjmp apply apply_args va_start va_arg va_end va_copy va_arg_pack
va_arg_pack_len classify_type has_attribute shuffle shufflevector convertvector tgmath speculation_safe_value LINE
FILE FUNCTION clear_padding bit_cast stack_save stack_restore cpu_init cpu_is cpu_supports ia32_pause
"""
BUILTINS = tuple(f"__builtin_{name}" for name in _NAMES.split())
"""Those that gcc documents, instructions of single processors aside."""


def builtin_treatment(name: str) -> Treatment:
    """What a call of a built-in function is: modelled, or refused where it is."""
    if folded_builtin(name, LP64) is not None or kind_of(name) in _WITH_A_MEANING or name in _BY_THEIR_ARGUMENTS:
        return Treatment.MODELLED
    return Treatment.REFUSED


# They are modelled for some arguments: types of va_arg, formats that are literals. Sizes of objects are estimates.
_BY_THEIR_ARGUMENTS = frozenset(
    f"__builtin_{name}"
    for name in ("va_start", "va_arg", "va_end", "va_copy", "sprintf", "snprintf", "object_size", "dynamic_object_size")
)
_WITH_A_MEANING = (NameKind.SPECIAL, NameKind.MODELLED, NameKind.ENVIRONMENT)


def documentation() -> str:
    """The three tables in Markdown."""
    builtins = [
        Extension(name, treatment, "of constant arguments also in constant expressions" if folded else "")
        for name in BUILTINS
        for treatment, folded in [(builtin_treatment(name), folded_builtin(name, LP64) is not None)]
    ]
    tables = (("attribute", ATTRIBUTES.values()), ("pragma", PRAGMAS.values()), ("built-in function", builtins))
    return "\n\n".join(
        f"| {title} | | |\n|---|---|---|\n" + "\n".join(_rows(list(extensions))) for title, extensions in tables
    )


def _rows(extensions: list[Extension]) -> list[str]:
    groups: dict[tuple[Treatment, str], list[str]] = {}
    for extension in extensions:
        groups.setdefault((extension.treatment, extension.reason), []).append(f"`{extension.name}`")
    order = list(Treatment)
    return [
        f"| {', '.join(sorted(names))} | {treatment.value} | {reason} |"
        for (treatment, reason), names in sorted(groups.items(), key=lambda item: order.index(item[0][0]))
    ]
