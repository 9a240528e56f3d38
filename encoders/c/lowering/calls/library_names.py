"""What functions without a body are, by their names: special, the library's, another tool's, or the program's own."""

from enum import Enum
from functools import cache

from encoders.c.library.function_table import LibraryFunction, Trait
from encoders.c.library.special_functions import (
    ASSERT_FAILURE,
    ASSERTIONS,
    ASSUMPTIONS,
    ESTIMATES,
    NONDETERMINISTIC,
    VIOLATIONS,
)
from encoders.c.library.table_reader import find, is_formatted_input
from encoders.c.lowering.calls import library_models
from encoders.c.lowering.calls.signatures import is_declared_as
from encoders.c.lowering.operators.builtin_names import is_operation
from encoders.c.types.c_types import CFunction

LIST = library_models.DIRECTORY / "names.txt"  # written by collect_names.py


class NameKind(Enum):
    """What a call of a function without a body does. Of USER nothing is known: the linker takes it from elsewhere."""

    SPECIAL = "meaning given by the verifier: violations, assumptions, ends of paths, allocation, input"
    MODELLED = "a library function with a model"
    ENVIRONMENT = "a library function that returns any value of its type and changes no object of the program"
    NOT_MODELLED = "a library function without a model"
    OTHER_TOOL = "a function of another verifier that has no meaning here"
    USER = "a function that another file of the program defines"


def kind_of(name: str, declared: CFunction | None = None) -> NameKind:
    """The kind of a function without a body. declared: its type in the program; None: as the library declares it."""
    if name in _VERIFIER or name.startswith(NONDETERMINISTIC):
        return NameKind.SPECIAL
    entry = find(name)
    if entry is not None and _is_operation_of_library(entry):
        return NameKind.SPECIAL
    if library_models.has_model(name) or is_operation(name):
        return NameKind.MODELLED
    if entry is not None and declared is not None and not is_declared_as(declared, entry):
        return NameKind.USER
    if (entry is not None and entry.outside) or name in _ATOMIC_SECTIONS:
        return NameKind.ENVIRONMENT
    if name.startswith(_TOOLS) or name in _TOOL_NAMES:
        return NameKind.OTHER_TOOL
    if entry is not None or name in names() or name in _UNLISTED or name.startswith(_PREFIXES):
        return NameKind.NOT_MODELLED
    return NameKind.USER


def environment_entry(name: str, declared: CFunction | None) -> LibraryFunction | None:
    """What the table says of a function of the environment; None for other functions."""
    return find(name) if kind_of(name, declared) is NameKind.ENVIRONMENT else None


def ends_program(name: str) -> bool:
    """Is it a function of the library that never returns?"""
    entry = find(name)
    return entry is not None and entry.end is not None


def is_failed_assertion(name: str) -> bool:
    """Is it what <assert.h> of some system expands to? The competition's rules say that only `reach_error` counts."""
    entry = find(name)
    return entry is not None and Trait.ASSERTION in entry.traits


def _is_operation_of_library(entry: LibraryFunction) -> bool:
    """Does the verifier itself give the function a meaning?"""
    allocates = entry.allocation is not None and bool(entry.allocation.factors)
    return entry.end is not None or allocates or Trait.RELEASES in entry.traits or is_formatted_input(entry.name)


def not_modelled(name: str, declared: CFunction | None = None) -> str | None:
    """What is not modelled where a function of this name without a body is called; None if it has a meaning."""
    if kind_of(name, declared) not in (NameKind.NOT_MODELLED, NameKind.OTHER_TOOL):
        return None
    return f"threads and atomics (call of {name})" if name.startswith(_THREADS) else f"call of {name}"


def only_returns(name: str) -> bool:
    """True for functions of the C library that return to their caller, and call nothing of the program before."""
    entry = find(name)
    if entry is not None and entry.format is not None and entry.end is None:
        return True
    return name in names() and name.removeprefix("__builtin_").strip("_").startswith(_PLAIN_FAMILIES)


def may_set_errno(name: str) -> bool:
    """Is it one of the environment's functions that say in `errno` why they failed?"""
    entry = find(name)
    return entry is not None and entry.fails and (entry.outside or Trait.INPUT in entry.traits)


@cache
def names() -> frozenset[str]:
    """All names of the C library, POSIX and gcc's built-in functions that have been collected."""
    _, *lines = LIST.read_text(encoding="utf-8").splitlines()  # the first one says where they are from
    functions = (line.split() for line in lines)
    return frozenset(function + ending for function, *endings in functions for ending in ("", *endings))


_VERIFIER = VIOLATIONS | {ASSERT_FAILURE} | ASSUMPTIONS | ASSERTIONS | ESTIMATES.keys()
# Of a program that has one thread only.
_ATOMIC_SECTIONS = frozenset({"__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"})
_TOOLS = (
    "__CPROVER_",
    "__ESBMC_",
    "klee_",
    "__SMACK_",
    "__VERIFIER_",
    "__goblint_",
    "__FRAMAC_",
    "Frama_C_",
    "__llbmc_",
)
_TOOL_NAMES = frozenset({"__assume", "_static_assert", "static_assert", "_Static_assert"})
# Of the library, but not declared by all of its versions: macros, annex K of C11, C23, BSD, renamed functions.
_PREFIXES = (
    "__builtin_",
    "__sync_",
    "__atomic_",
    "__isoc99_",
    "__isoc23_",
    "pthread_",
    "thrd_",
    "mtx_",
    "cnd_",
    "sem_",
    "atomic_",
)
_PLAIN_FAMILIES = ("str", "mem", "wcs", "wmem", "mbs", "ato", "fe")
_THREADS = ("pthread_", "thrd_", "mtx_", "cnd_", "sem_", "__atomic_", "__sync_")
_UNLISTED_NAMES = """
va_start va_end va_copy va_arg
wcslcpy wcslcat strtonum reallocf memset_explicit memalignment free_sized free_aligned_sized bsearch_s
qsort_s getenv_s gets_s printf_s fprintf_s sprintf_s snprintf_s vprintf_s vfprintf_s vsprintf_s vsnprintf_s
scanf_s fscanf_s sscanf_s memcpy_s memmove_s memset_s strcpy_s strncpy_s strcat_s strncat_s strtok_s strnlen_s
strerror_s strerrorlen_s asctime_s ctime_s gmtime_s localtime_s fopen_s freopen_s tmpfile_s tmpnam_s
abort_handler_s ignore_handler_s set_constraint_handler_s wcscpy_s wcsncpy_s wcscat_s wcsncat_s wmemcpy_s
wmemmove_s heapsort mergesort setproctitle timingsafe_bcmp timingsafe_memcmp
"""
_UNLISTED = frozenset(_UNLISTED_NAMES.split())
