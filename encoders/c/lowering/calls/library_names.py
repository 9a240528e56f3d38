"""What functions without a body are, by their names: special, the library's, another tool's, or the program's own."""

import re
from enum import Enum
from functools import cache

from encoders.c.library.special_functions import (
    ALIGNED_ALLOCATIONS,
    ALLOCATIONS,
    ASSERT_FAILURE,
    ASSERTIONS,
    ASSUMPTIONS,
    CLEARED_ALLOCATIONS,
    NONDETERMINISTIC,
    PATH_ENDS,
    READS,
    RELEASES,
    VIOLATIONS,
)
from encoders.c.lowering.calls import library_models
from encoders.c.lowering.operators.builtin_names import is_operation

LIST = library_models.DIRECTORY / "names.txt"  # written by collect_names.py


class NameKind(Enum):
    """What a call of a function without a body does. Of USER nothing is known: the linker takes it from elsewhere."""

    SPECIAL = "meaning given by the verifier: violations, assumptions, ends of paths, allocation, input"
    MODELLED = "a library function with a model"
    ENVIRONMENT = "a library function that returns any value of its type and changes no object of the program"
    NOT_MODELLED = "a library function without a model"
    OTHER_TOOL = "a function of another verifier that has no meaning here"
    USER = "a function that another file of the program defines"


def kind_of(name: str) -> NameKind:
    """The kind of a function without a body."""
    if name in _SPECIAL or name.startswith(NONDETERMINISTIC):
        return NameKind.SPECIAL
    if library_models.has_model(name) or is_operation(name):
        return NameKind.MODELLED
    if plain_name(name) in ENVIRONMENT:
        return NameKind.ENVIRONMENT
    if name.startswith(_TOOLS) or name in _TOOL_NAMES:
        return NameKind.OTHER_TOOL
    if name in names() or name in _UNLISTED or name.startswith(_PREFIXES):
        return NameKind.NOT_MODELLED
    return NameKind.USER


def not_modelled(name: str) -> str | None:
    """What is not modelled where a function of this name without a body is called; None if it has a meaning."""
    if kind_of(name) not in (NameKind.NOT_MODELLED, NameKind.OTHER_TOOL):
        return None
    return f"threads and atomics (call of {name})" if name.startswith(_THREADS) else f"call of {name}"


def only_returns(name: str) -> bool:
    """True for functions of the C library that return to their caller, and call nothing of the program before."""
    plain = plain_name(name)
    return name in names() and (plain.startswith(_PLAIN_FAMILIES) or plain.endswith(("printf", "scanf")))


def may_set_errno(name: str) -> bool:
    """Is it one of the environment's functions that say in `errno` why they failed?"""
    return plain_name(name) in ENVIRONMENT - _NEVER_FAIL or name in READS or name in _INPUT


@cache
def names() -> frozenset[str]:
    """All names of the C library, POSIX and gcc's built-in functions that have been collected."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def plain_name(name: str) -> str:
    """`printf` of `__builtin_printf`, `__printf_chk`, `fputs_unlocked`."""
    name = name.removeprefix("__builtin_").removesuffix("_unlocked")
    checked = re.fullmatch(r"_*(\w+)_chk", name)
    return checked[1] if checked else name


_SPECIAL = (
    VIOLATIONS
    | {ASSERT_FAILURE}
    | ASSUMPTIONS
    | ASSERTIONS
    | PATH_ENDS
    | ALLOCATIONS
    | CLEARED_ALLOCATIONS
    | ALIGNED_ALLOCATIONS
    | RELEASES
    | READS
)
# Their results are decided by the environment, so any value is right. What they change is outside the program: nothing
# that its objects hold, and no later result of another function here, since those are any value as well.
_OUTPUT = """
printf fprintf vprintf vfprintf dprintf vdprintf puts fputs putchar putc fputc perror fwrite write pwrite
putwchar fputwc putwc fputws wprintf fwprintf vwprintf vfwprintf warn warnx vwarn vwarnx psignal syslog vsyslog
openlog closelog setlogmask
"""
_FILES = """
fflush fclose pclose feof ferror clearerr fileno fseek fseeko ftell ftello rewind close open open64 openat creat
lseek dup dup2 fsync fdatasync ftruncate truncate unlink unlinkat remove rename rmdir mkdir chdir fchdir chmod
fchmod chown fchown umask link symlink mkfifo mknod isatty access faccessat sync flock fcloseall
"""
_PROCESS = """
getpid getppid getuid geteuid getgid getegid getpgrp getpgid getsid gettid clock sysconf pathconf fpathconf
sleep usleep sched_yield system setuid setgid setsid nice getpagesize setenv unsetenv clearenv putenv arc4random
getdtablesize gethostid
"""
_NETWORK = "socket listen shutdown bind connect send sendto"
# The generators give any value (library/stdlib.c), so their seeds have no effect.
_SEEDS = "srand srandom srand48"
# Hints to the compiler and the processor; atomic sections of a program that has one thread only.
_HINTS = "prefetch __clear_cache __VERIFIER_atomic_begin __VERIFIER_atomic_end"
ENVIRONMENT = frozenset(" ".join((_OUTPUT, _FILES, _PROCESS, _NETWORK, _SEEDS, _HINTS)).split())
_NEVER_FAIL = frozenset(" ".join((_SEEDS, _HINTS)).split()) | {
    "getpid",
    "getppid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
}

_INPUT = frozenset({"getchar", "fgetc", "getc", "fgets", "fgetws"})

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
setjmp _setjmp __setjmp sigsetjmp __sigsetjmp longjmp siglongjmp va_start va_end va_copy va_arg gets strlcpy
strlcat wcslcpy wcslcat strtonum reallocf memset_explicit memalignment free_sized free_aligned_sized bsearch_s
qsort_s getenv_s gets_s printf_s fprintf_s sprintf_s snprintf_s vprintf_s vfprintf_s vsprintf_s vsnprintf_s
scanf_s fscanf_s sscanf_s memcpy_s memmove_s memset_s strcpy_s strncpy_s strcat_s strncat_s strtok_s strnlen_s
strerror_s strerrorlen_s asctime_s ctime_s gmtime_s localtime_s fopen_s freopen_s tmpfile_s tmpnam_s
abort_handler_s ignore_handler_s set_constraint_handler_s wcscpy_s wcsncpy_s wcscat_s wcsncat_s wmemcpy_s
wmemmove_s heapsort mergesort arc4random_buf arc4random_uniform setproctitle timingsafe_bcmp timingsafe_memcmp
"""
_UNLISTED = frozenset(_UNLISTED_NAMES.split())
