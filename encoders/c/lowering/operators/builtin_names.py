"""gcc's built-in functions that are operations of the language, by name."""

from encoders.c.library.table_reader import find
from encoders.c.lowering.operators.constant_builtins import CHOICES, TYPE_QUESTIONS
from encoders.c.types.c_types import DOUBLE, FLOAT, LDOUBLE, CFloat

INFINITIES = {
    f"__builtin_{name}{suffix}": kind
    for name in ("inf", "huge_val")
    for suffix, kind in (("", DOUBLE), ("f", FLOAT), ("l", LDOUBLE))
}
_FLOATS = {"double": DOUBLE, "float": FLOAT, "long double": LDOUBLE}
CLASSIFICATIONS = {"isnan": "nan", "isinf": "inf", "isfinite": "finite", "isinf_sign": "sign", "isnormal": "normal"}
# Functions of glibc, which say -1 of minus infinity where gcc's operation says 1; the others convert their argument.
LIBRARY_CLASSIFICATIONS = {
    f"{prefix}{name}{suffix}": (question, kind)
    for name, question in (("isnan", "nan"), ("isinf", "sign"), ("finite", "finite"))
    for prefix in ("", "__")
    for suffix, kind in (("", DOUBLE), ("f", FLOAT), ("l", LDOUBLE))
    if prefix + name + suffix not in CLASSIFICATIONS
}
COMPARISONS = {"isgreater": ">", "isgreaterequal": ">=", "isless": "<", "islessequal": "<="}
OVERFLOWS = {
    f"{kind}{name}{size}_overflow": operator
    for name, operator in (("add", "+"), ("sub", "-"), ("mul", "*"))
    for kind, size in (("", ""), *((kind, size) for kind in "su" for size in ("", "l", "ll")))
}
INTRINSIC_OVERFLOWS = {"__CPROVER_overflow_plus": "+", "__CPROVER_overflow_minus": "-", "__CPROVER_overflow_mult": "*"}
INTRINSIC_OVERFLOWS |= {"__CPROVER_overflow_shl": "<<", "__CPROVER_overflow_unary_minus": "negate"}
_OPERATORS = {"offsetof", "__builtin_offsetof", "__builtin_expect", "__builtin_expect_with_probability"}
_OPERATORS |= {"__builtin_constant_p", "__builtin_complex", "__builtin_fpclassify"}
_PLAIN = {*CLASSIFICATIONS, *COMPARISONS, *OVERFLOWS, "isunordered"}


def is_operation(name: str) -> bool:
    """Is a call of this function an operation of the language?"""
    plain = name.removeprefix("__builtin_").removeprefix("__")
    if name in _OPERATORS | TYPE_QUESTIONS | CHOICES | INTRINSIC_OVERFLOWS.keys() | LIBRARY_CLASSIFICATIONS.keys():
        return True
    return name in INFINITIES or plain in _PLAIN or nan_type(name) is not None or root_type(name) is not None


def root_type(name: str) -> CFloat | None:
    """The type of the square root that a function computes; None for other functions."""
    return _result_type(name, "root")


def nan_type(name: str) -> CFloat | None:
    """The type of the NaN that a built-in function is; None for other functions."""
    return _result_type(name, "not_a_number") if is_builtin(name) else None


def is_builtin(name: str) -> bool:
    """Is it gcc's own name of a function?"""
    return name.startswith("__builtin_")


def _result_type(name: str, operation: str) -> CFloat | None:
    entry = find(name)
    return _FLOATS[entry.result_type] if entry is not None and entry.operation == operation else None
