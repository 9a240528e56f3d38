"""Functions of verifiers without a body that have a meaning, and those that models of the library call.

Functions of the C library are in the table (`table_reader.py`).
"""

from encoders.c.types.c_types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    INT128,
    LDOUBLE,
    LLONG,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    UINT128,
    ULLONG,
    USHORT,
    VOID,
    CPointer,
    CType,
    DataModel,
    long_type,
    size_type,
)

VIOLATIONS = frozenset({"reach_error", "__VERIFIER_error"})
ASSERT_FAILURE = "__chcverify_assert_fail"  # what our <assert.h> expands to
# What models of the library leave open, and values for which they give no rule.
TRAPS = {
    "__chcverify_sign_of_nan": "the sign of a NaN",
    "__chcverify_changed_environment": "getenv after setenv, unsetenv or clearenv",
    "__chcverify_part_of_element": "a copy of a size that wraps around to a part of an element",
    "__chcverify_signal_of_error": "a handler for a signal that errors or abort raise",
    "__chcverify_signal_in_its_handler": "a signal that its own handler raises",
    "__chcverify_signal_that_is_put_off": "a signal that a handler raises for which sigaction may put it off",
    "__chcverify_handler_with_information": "sigaction with SA_SIGINFO",
    "__chcverify_wide_character": "the bytes of a wide character that is not in ASCII",
    "__chcverify_other_stream_in_memory": "a second stream over memory",
    "__chcverify_stopping_signal": "a signal that stops the program",
    "__chcverify_other_conversion": "a conversion of a format that is not known before",
    "__chcverify_jump_to_returned": "longjmp to a function that has returned",
    "__chcverify_jump_to_nowhere": "longjmp with a jmp_buf that setjmp has not written",
    "__chcverify_other_rounding": "a floating-point operation that does not round to nearest, after fesetround",
    "__chcverify_more_exit_handlers": "more than 32 functions that are given to atexit",
    "__chcverify_more_keys": "more than 8 keys of thread-specific data",
    "__chcverify_unknown_key": "a key that has not been created",
    "__chcverify_order_of_destructors": "a thread that ends with more than two keys that have destructors",
}
TEXT_OF_REAL = "the text of a floating-point number, a pointer or wide characters"
KNOWN_SIZE = "the size of an object that the compiler knows, which depends on its optimiser"
ESTIMATES: dict[str, tuple[str, CType]] = {
    "__chcverify_value_of_strtod": ("strtod of so many digits, or of a number that is not decimal", DOUBLE),
    "__chcverify_value_of_strtof": ("strtof of so many digits, or of a number that is not decimal", FLOAT),
    "__chcverify_other_reading": ("an input that libraries read in different ways", INT),
    "__chcverify_number_too_large": ("an input of a number that does not fit", LLONG),
    "__chcverify_goes_on": ("strtod of a number that is not decimal", INT),
    "__chcverify_character_of_real": (TEXT_OF_REAL, CHAR),
    "__chcverify_length_of_real": (TEXT_OF_REAL, INT),
    "__chcverify_character_of_time": ("the text of a time", CHAR),
    "__chcverify_part_of_time": ("a part of a time", INT),
    "__chcverify_absolute_value": ("the absolute value of a complex number", DOUBLE),
    "__chcverify_flags_of_signal": ("the flags that sigaction gives back", INT),
    "__chcverify_in_stream": ("what a stream over memory reads or writes", INT),
    "__chcverify_distance": ("how far the result of a comparison of strings is from 0", INT),
    "__chcverify_repeated_number": ("a random number after a second srand", INT),
    "__chcverify_known_variable": ("getenv after an earlier getenv", INT),
    "__chcverify_time_of_parts": ("the time that mktime makes of its parts", LLONG),
    "__builtin_object_size": (KNOWN_SIZE, ULLONG),
    "__builtin_dynamic_object_size": (KNOWN_SIZE, ULLONG),
}
NONDETERMINISTIC = "__VERIFIER_nondet_"
# Other verifiers' names for the same: the condition is the first argument, a text may follow.
_ASSUMPTION_NAMES = "__VERIFIER_assume __builtin_assume __CPROVER_assume __ESBMC_assume klee_assume __SEA_assume"
ASSUMPTIONS = frozenset(_ASSUMPTION_NAMES.split())
CLAUSE_ASSERTION = "__chcverify_assert"  # of an annotation; its second argument is the text that is shown
_ASSERTION_NAMES = "assert __VERIFIER_assert __CPROVER_assert __CPROVER_precondition __ESBMC_assert klee_assert sassert"
ASSERTIONS = frozenset({*_ASSERTION_NAMES.split(), CLAUSE_ASSERTION})


def nondeterministic_type(name: str, model: DataModel) -> CType | None:
    """The type X of `__VERIFIER_nondet_X`, None for other names and unknown X."""
    if not name.startswith(NONDETERMINISTIC):
        return None
    unsigned_long = long_type(model, signed=False)
    types: dict[str, CType] = {
        "bool": BOOL,
        "_Bool": BOOL,
        "char": CHAR,
        "schar": SCHAR,
        "uchar": UCHAR,
        "unsigned_char": UCHAR,
        "short": SHORT,
        "ushort": USHORT,
        "unsigned_short": USHORT,
        "int": INT,
        "uint": UINT,
        "unsigned": UINT,
        "unsigned_int": UINT,
        "long": long_type(model),
        "ulong": unsigned_long,
        "unsigned_long": unsigned_long,
        "longlong": LLONG,
        "ulonglong": ULLONG,
        "int128": INT128,
        "uint128": UINT128,
        "float": FLOAT,
        "double": DOUBLE,
        "long_double": LDOUBLE,
        "size_t": size_type(model),
        "loff_t": LLONG,
        "sector_t": unsigned_long,
        "u8": UCHAR,
        "u16": USHORT,
        "u32": UINT,
        "s8": SCHAR,
        "s16": SHORT,
        "s32": INT,
        "pointer": CPointer(VOID),
        "pchar": CPointer(CHAR),
    }
    return types.get(name.removeprefix(NONDETERMINISTIC))
