"""What functions without a body mean: the verification interface, the library's special functions, and the rest."""

from encoders.c.types import (
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
ASSUMPTIONS = frozenset({"__VERIFIER_assume", "__builtin_assume"})
_PATH_END_NAMES = """
abort exit _exit _Exit quick_exit __assert_fail __assert_perror_fail __assert __assert_rtn
__builtin_unreachable __builtin_trap __builtin_abort __builtin_exit
"""
PATH_ENDS = frozenset(_PATH_END_NAMES.split())
ALLOCATIONS = frozenset({"malloc", "alloca", "__builtin_alloca", "__builtin_malloc", "valloc"})
CLEARED_ALLOCATIONS = frozenset({"calloc", "__builtin_calloc"})
READS = frozenset({"scanf", "__isoc99_scanf", "__isoc23_scanf"})
ALIGNED_ALLOCATIONS = frozenset({"aligned_alloc", "memalign"})  # alignment, size
RELEASES = frozenset({"free", "cfree", "__builtin_free"})

_THREADS = ("pthread_", "thrd_", "mtx_", "cnd_", "sem_", "__atomic_", "__sync_")
# Functions that write through pointers, call back, jump, or compute what no model here gives.
_REFUSED_NAMES = """
setjmp _setjmp __setjmp sigsetjmp __sigsetjmp longjmp siglongjmp __builtin_setjmp __builtin_longjmp va_start va_end
va_copy va_arg __builtin_va_start __builtin_va_end __builtin_va_copy __builtin_va_arg __builtin_apply
__builtin_return fork vfork signal sigaction atexit at_quick_exit on_exit qsort bsearch fscanf sscanf vscanf
vfscanf vsscanf __isoc99_fscanf __isoc99_sscanf __isoc23_fscanf __isoc23_sscanf
gets getline getdelim fread read pread recv
recvfrom sprintf snprintf vsprintf vsnprintf asprintf vasprintf
strtod strtof strtold frexp frexpf modf modff remquo sincos lgamma_r gettimeofday localtime localtime_r gmtime_r
ctime_r asctime_r mktime clock_gettime nanosleep stat fstat pipe getcwd realpath swab wcscpy wcsncpy mbstowcs
wcstombs mbtowc wctomb stpcpy sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp
exp2 expm1 log log2 log10 log1p pow cbrt hypot erf erfc tgamma lgamma fmod remainder fma sinf cosf tanf asinf
acosf atanf atan2f expf logf log10f log2f powf fmodf remainderf fmaf powl expl logl sinl cosl fmodl
nextafter nexttoward ldexp ldexpf scalbn scalbln logb ilogb significand drem
ceill floorl truncl roundl rintl nearbyintl fmaxl fminl fdiml copysignl lroundl llroundl lrintl llrintl nanl nan nanf
exp10 pow10 gamma j0 j1 jn y0 y1 yn acosl asinl atanl atan2l coshl sinhl tanhl atof strtoimax strtoumax rand_r
posix_memalign reallocarray strxfrm strfry memfrob strlcpy strlcat strftime strptime asctime ctime gmtime
difftime mblen towlower towupper towctrans wcslen wcscmp wcsncmp wcschr wcscat wmemcpy wmemset fgetws fgetpos
getenv_s select poll ioctl fcntl sigprocmask sigemptyset readlink getrusage times sysinfo uname getitimer ldiv
lldiv imaxdiv regcomp regexec glob lsearch lfind tsearch hsearch
"""
_REFUSED = frozenset(_REFUSED_NAMES.split())


def refused_call(name: str) -> str | None:
    """Why a function of this name without a body cannot be modelled, None if it can."""
    if name.startswith(_THREADS):
        return f"threads and atomics (call of {name})"
    return f"call of {name}" if name in _REFUSED else None


def nondeterministic_type(name: str, model: DataModel) -> CType | None:
    """The type X of `__VERIFIER_nondet_X`, None for other names and unknown X."""
    prefix = "__VERIFIER_nondet_"
    if not name.startswith(prefix):
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
    return types.get(name.removeprefix(prefix))
