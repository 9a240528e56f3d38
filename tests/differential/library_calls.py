"""python -m tests.differential.library_calls --count N: random calls of every modelled library function, against the
real ones that gcc links, directly and through a pointer; exit status 1 on a mismatch.

Results are compared bit by bit, but for NaNs, whose representations are open. The clauses follow every so many runs.
"""

import argparse
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass

from encoders.c.types.c_types import LP64

from .compare import Case, compare, run_interpreter
from .format_arguments import formatted, number_text
from .native import outputs

Draw = Callable[[random.Random], str]
CALLS = 30
_INTEGERS = (0, 1, -1, 2, 7, 255, 256, -128, 32767, -32768, 65535, 2147483647, -2147483647, 1 << 30)
_SPECIAL = "0.0 -0.0 1.0 -1.0 0.5 -0.5 1.5 2.5 -2.5 0.49999999999999994 INF -INF NAN 1e300 -1e300 5e-324 -5e-324 "
_SPECIAL += "2.2250738585072014e-308 4503599627370495.5 4503599627370496.0 9007199254740993.0 -4503599627370497.0"
_SPECIAL_FLOATS = "0.0 -0.0 1.0 -1.0 0.5 -0.5 2.5 -3.5 0.49999997 INF -INF NAN 3e38 1e-45 -1e-45 1.17549435e-38 "
_SPECIAL_FLOATS += "8388607.5 8388608.0 16777217.0 -8388609.0"
_NUMBERS = (
    "0 12 -7 +9 0x1F 0X 0x 077 08 zz 9223372036854775807 9223372036854775808 -9223372036854775809 4294967296 - + z9"
)

HEADER = """
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
int (isascii)(int);
int (toascii)(int);
#include <arpa/inet.h>
#include <inttypes.h>
#define INF __builtin_inf()
#undef NAN
#define NAN __builtin_nan("")
extern const unsigned short **__ctype_b_loc(void);
extern const int **__ctype_tolower_loc(void), **__ctype_toupper_loc(void);
extern int __signbit(double), __signbitf(float), __fpclassify(double), __fpclassifyf(float);
extern void finish(void);
static long long bits(double x) {
  if (x != x) return 77;
  union { double number; long long bits; } u = {x};
  return u.bits;
}
static long long bits_of_float(float x) {
  if (x != x) return 77;
  union { float number; int bits; } u = {x};
  return u.bits;
}
static long long wide_sum(const wchar_t *text, int count) {
  long long total = 7;
  for (int i = 0; i < count; i++) total = (total * 31 + text[i]) % 1000003;
  return total;
}
static long long sum(const char *text, int count) {
  long long total = 7;
  for (int i = 0; i < count; i++) total = (total * 31 + text[i]) % 1000003;
  return total;
}
"""


@dataclass(frozen=True)
class Spec:
    """How a function is called. declared: its result and parameters, for a pointer to it; arguments: how each is drawn;
    result: what is shown of `CALL`, an integer; before: declarations, with {text} and {other} for random strings.
    """

    result_type: str
    parameters: str
    arguments: tuple[Draw, ...]
    shown: str = "CALL"
    before: str = ""


def _integer(low: int, high: int) -> Draw:
    def draw(rng: random.Random) -> str:
        chosen = rng.choice(_INTEGERS) if rng.random() < 0.5 else rng.randint(low, high)
        return str(min(max(chosen, low), high))

    return draw


def _double(rng: random.Random) -> str:
    if rng.random() < 0.6:
        return rng.choice(_SPECIAL.split())
    return repr(rng.choice((rng.uniform(-10, 10), rng.randint(-20, 20) / 2, rng.uniform(-1e17, 1e17))))


def _float(rng: random.Random) -> str:
    if rng.random() < 0.6:
        return f"(float){rng.choice(_SPECIAL_FLOATS.split())}"
    return f"(float){rng.choice((rng.uniform(-10, 10), rng.randint(-20, 20) / 2, rng.uniform(-1e8, 1e8)))!r}"


def _small_double(rng: random.Random) -> str:
    """In the range of long."""
    return repr(
        rng.choice((rng.randint(-20, 20) / 2, rng.uniform(-5, 5), rng.uniform(-1e15, 1e15), 0.49999999999999994))
    )


def _small_float(rng: random.Random) -> str:
    return f"(float){rng.choice((rng.randint(-20, 20) / 2, rng.uniform(-5, 5), rng.uniform(-1e9, 1e9)))!r}"


def _is(text: str) -> Draw:
    return lambda rng: text


_INT, _LONG = _integer(-(2**31) + 1, 2**31 - 1), _integer(-(2**63) + 1, 2**63 - 1)
_EXPONENT = _integer(-1100, 1100)
_UNSIGNED, _NOT_ZERO, _CODE, _COUNT = _integer(0, 2**32 - 1), _integer(1, 2**32 - 1), _integer(-1, 255), _integer(0, 6)
_LETTER = lambda rng: f"'{rng.choice('abcAB.,')}'"  # noqa: E731
_TWO = "char a[16] = {text}, b[16] = {other}; "
_WRITTEN = "({ long long r_ = (CALL) - a; r_ * 1000003 + sum(a, 16); })"
_FOUND = "({ const char *r_ = CALL; r_ ? r_ - a : -1; })"
_COPIED = "({ char *r_ = CALL; sum(r_, strlen(r_)); })"
_SCANNED = "({ errno = 0; long long r_ = CALL; r_ * 31 + (end - a) * 7 + errno; })"
_A, _B = _is("a"), _is("b")


def _specs() -> dict[str, Spec]:
    found: dict[str, Spec] = {}

    def add(names: str, result: str, parameters: str, *arguments: Draw, shown: str = "CALL", before: str = "") -> None:
        for name in names.split():
            found[name] = Spec(result, parameters, arguments, shown, before)

    add("abs ffs __builtin_ffs", "int", "int", _INT)
    add("labs imaxabs", "long", "long", _LONG)
    add("llabs", "long long", "long long", _LONG)
    add("ffsl __builtin_ffsl", "int", "long", _LONG)
    add("ffsll __builtin_ffsll", "int", "long long", _LONG)
    add("htonl ntohl __builtin_bswap32", "unsigned", "unsigned", _UNSIGNED)
    add("htons ntohs __builtin_bswap16", "unsigned short", "unsigned short", _integer(0, 65535))
    add("__builtin_bswap64", "unsigned long", "unsigned long", _LONG)
    add("__builtin_popcount __builtin_parity", "int", "unsigned", _UNSIGNED)
    add("__builtin_popcountl __builtin_parityl", "int", "unsigned long", _LONG)
    add("__builtin_popcountll __builtin_parityll", "int", "unsigned long long", _LONG)
    add("__builtin_clz __builtin_ctz", "int", "unsigned", _NOT_ZERO)
    add("__builtin_clzl __builtin_ctzl", "int", "unsigned long", _NOT_ZERO)
    add("__builtin_clzll __builtin_ctzll", "int", "unsigned long long", _NOT_ZERO)
    add("tolower toupper isascii toascii", "int", "int", _CODE)
    classes = "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit"
    add(classes, "int", "int", _CODE)
    add("__ctype_b_loc", "const unsigned short **", "void", shown="(*CALL)[K]")
    add("__ctype_tolower_loc __ctype_toupper_loc", "const int **", "void", shown="(*CALL)[K]")
    for prefix, kind, values in (("", "int", _INT), ("l", "long", _LONG), ("ll", "long long", _LONG)):
        shown = f"({{ {prefix}div_t r_ = CALL; r_.quot * 1009LL + r_.rem; }})"
        add(f"{prefix}div", f"{prefix}div_t", f"{kind}, {kind}", values, _integer(1, 1000), shown=shown)
    _add_floats(add)
    _add_strings(add)
    _add_wide_strings(add)
    return found


def _add_floats(add: Callable[..., None]) -> None:
    one = "fabs trunc floor ceil round rint nearbyint"
    add(one, "double", "double", _double, shown="bits(CALL)")
    add(" ".join(f"{name}f" for name in one.split()), "float", "float", _float, shown="bits_of_float(CALL)")
    # of a negative number the root is a NaN, but what is written to errno is not modelled
    add("sqrt", "double", "double", lambda rng: _double(rng).removeprefix("-"), shown="bits(CALL)")
    add("sqrtf", "float", "float", lambda rng: _float(rng).replace(")-", ")"), shown="bits_of_float(CALL)")
    two = "fmax fmin fdim"
    add(two, "double", "double, double", _double, _double, shown="bits(CALL)")
    add(
        " ".join(f"{name}f" for name in two.split()),
        "float",
        "float, float",
        _float,
        _float,
        shown="bits_of_float(CALL)",
    )
    _add_exponents(add)
    add("lrint lround", "long", "double", _small_double)
    add("lrintf", "long", "float", _small_float)
    add("llrintf", "long long", "float", _small_float)
    add("llrint llround", "long long", "double", _small_double)
    add("lroundf", "long", "float", _small_float)
    add("llroundf", "long long", "float", _small_float)
    # of NaNs the sign is not modelled
    add("copysign", "double", "double, double", _double, lambda rng: _number(rng, _double), shown="bits(CALL)")
    floats = _float, lambda rng: _number(rng, _float)
    add("copysignf", "float", "float, float", *floats, shown="bits_of_float(CALL)")
    add("__builtin_signbit __signbit", "int", "double", lambda rng: _number(rng, _double), shown="!!(CALL)")
    add("__fpclassify", "int", "double", lambda rng: _number(rng, _double))
    add("__fpclassifyf", "int", "float", lambda rng: _number(rng, _float))
    add("__builtin_signbitf __signbitf", "int", "float", lambda rng: _number(rng, _float), shown="!!(CALL)")
    add("difftime", "double", "long, long", _LONG, _LONG, shown="bits(CALL)")
    add("fegetround", "int", "void")


def _add_exponents(add: Callable[..., None]) -> None:
    """Functions that are computed by doubling and halving."""
    for kind, suffix, bits, draw in (("double", "", "bits", _double), ("float", "f", "bits_of_float", _float)):
        with_number = f"({{ errno = 0; long long r_ = {bits}(CALL); r_ ^ errno; }})"
        for names, parameters, others in (
            ("fmod remainder drem", f"{kind}, {kind}", [draw]),
            ("ldexp scalbn", f"{kind}, int", [_EXPONENT]),
            ("scalbln", f"{kind}, long", [_EXPONENT]),
            ("logb", kind, []),
        ):
            named = " ".join(name + suffix for name in names.split())
            add(named, kind, parameters, draw, *others, shown=with_number)
        add(f"ilogb{suffix}", "int", kind, draw, shown="({ errno = 0; int r_ = CALL; r_ ^ errno; })")
        number = lambda rng, draw=draw: _number(rng, draw)  # noqa: E731
        for name, part in (("modf", kind), ("frexp", "int")):
            shown = f"({{ long long r_ = {bits}(CALL); r_ ^ ({'part' if part == 'int' else bits + '(part)'} >> 1); }})"
            add(
                f"{name}{suffix}", kind, f"{kind}, {part} *", number, _is("&part"), shown=shown, before=f"{part} part; "
            )


def _number(rng: random.Random, draw: Draw) -> str:
    text = draw(rng)
    return text if "NAN" not in text else "1.0"


def _add_strings(add: Callable[..., None]) -> None:
    size = "unsigned long"
    add("strlen", size, "const char *", _A, before=_TWO)
    add("strnlen", size, f"const char *, {size}", _A, _COUNT, before=_TWO)
    add("strcpy stpcpy", "char *", "char *, const char *", _A, _B, shown=_WRITTEN, before=_TWO)
    add("strcat", "char *", "char *, const char *", _A, _B, shown=_WRITTEN, before=_TWO)
    three = f"char *, const char *, {size}"
    add("strncpy stpncpy strncat", "char *", three, _A, _B, _COUNT, shown=_WRITTEN, before=_TWO)
    copies = f"void *, const void *, {size}"
    written = _WRITTEN.replace("(CALL)", "(char *)(CALL)")
    add("memcpy mempcpy", "void *", copies, _A, _B, _COUNT, shown=written, before=_TWO)
    add("memset", "void *", f"void *, int, {size}", _A, _CODE, _COUNT, shown=written, before=_TWO)
    overlapping = (lambda rng: f"a + {rng.randint(0, 5)}", lambda rng: f"a + {rng.randint(0, 5)}", _COUNT)
    add("memmove", "void *", copies, *overlapping, shown=written, before=_TWO)
    voids = "({ CALL; sum(a, 16) * 1000003 + sum(b, 16); })"
    add("bcopy", "void", f"const void *, void *, {size}", *overlapping, shown=voids, before=_TWO)
    add("bzero explicit_bzero", "void", f"void *, {size}", _A, _COUNT, shown=voids, before=_TWO)
    sign = "({ int r_ = CALL; (r_ > 0) - (r_ < 0); })"
    add("strcmp strcoll strcasecmp", "int", "const char *, const char *", _A, _B, shown=sign, before=_TWO)
    add("strncmp strncasecmp", "int", f"const char *, const char *, {size}", _A, _B, _COUNT, shown=sign, before=_TWO)
    add("memcmp", "int", f"const void *, const void *, {size}", _A, _B, _COUNT, shown=sign, before=_TWO)
    add("bcmp", "int", f"const void *, const void *, {size}", _A, _B, _COUNT, shown="!!(CALL)", before=_TWO)
    add("strchr strrchr index rindex", "char *", "const char *, int", _A, _LETTER, shown=_FOUND, before=_TWO)
    add("memchr", "void *", f"const void *, int, {size}", _A, _LETTER, _COUNT, shown=_FOUND, before=_TWO)
    add("strstr strpbrk", "char *", "const char *, const char *", _A, _B, shown=_FOUND, before=_TWO)
    add("strchrnul", "char *", "const char *, int", _A, _LETTER, shown=_FOUND, before=_TWO)
    add("memrchr", "void *", f"const void *, int, {size}", _A, _LETTER, _COUNT, shown=_FOUND, before=_TWO)
    zero = lambda rng: "0"  # noqa: E731
    add("rawmemchr", "void *", "const void *, int", _A, zero, shown=_FOUND, before=_TWO)
    found = f"const void *, {size}, const void *, {size}"
    add("memmem", "void *", found, _A, _COUNT, _B, _integer(0, 2), shown=_FOUND, before=_TWO)
    add("strcasestr", "char *", "const char *, const char *", _A, _B, shown=_FOUND, before=_TWO)
    add("strxfrm", size, three, _A, _B, _COUNT, shown="(CALL) * 1000003 + sum(a, 16)", before=_TWO)
    add("strspn strcspn", size, "const char *, const char *", _A, _B, before=_TWO)
    add("strdup", "char *", "const char *", _A, shown=_COPIED, before=_TWO)
    sizes = lambda rng: rng.choice(("1UL", "7UL", "~0UL"))  # noqa: E731
    is_made = "({ errno = 0; char *r_ = CALL; !r_ * 100 + errno; })"
    add("reallocarray", "void *", f"void *, {size}, {size}", _is("0"), _integer(2, 6), sizes, shown=is_made)
    add("strndup", "char *", f"const char *, {size}", _A, _COUNT, shown=_COPIED, before=_TWO)
    ended = "({ void *r_ = CALL; (r_ ? (char *)r_ - a : -1) * 1000003 + sum(a, 16); })"
    add("memccpy", "void *", f"void *, const void *, int, {size}", _A, _B, _LETTER, _COUNT, shown=ended, before=_TWO)
    tokens = "for (char *p = CALL; p; p = NEXT) r_ = r_ * 31 + (p - a) * 7 + strlen(p);"
    tokens = f"({{ long long r_ = 5; {tokens} r_ + sum(a, 16); }})"
    add("strtok", "char *", "char *, const char *", _A, _is('".,"'), shown=tokens, before=_TWO)
    rest = _TWO + "char *rest; "
    add("strtok_r", "char *", "char *, const char *, char **", _A, _is('".,"'), _is("&rest"), shown=tokens, before=rest)
    before = _TWO + "char *rest = a; "
    add("strsep", "char *", "char **, const char *", _is("&rest"), _is('".,"'), shown=tokens, before=before)
    numbers = "char a[32] = {number}, *end = a; "
    bases = lambda rng: str(rng.choice((0, 0, 8, 10, 16, 36, 2, 1, 37)))  # noqa: E731
    for name, kind in (
        ("strtol", "long"),
        ("strtoll", "long long"),
        ("strtoimax", "long"),
        ("strtoumax", "unsigned long"),
        ("strtoul", size),
        ("strtoull", "unsigned long long"),
    ):
        parameters = "const char *, char **, int"
        add(name, kind, parameters, _A, _is("&end"), bases, shown=_SCANNED, before=numbers)
    written = "({ long long r_ = CALL; r_ * 1000003 + sum(a, 96); })"
    buffer = "char a[96] = {text}; "
    add("sprintf", "int", "char *, const char *, ...", _A, formatted, shown=written, before=buffer)
    limited = f"char *, {size}, const char *, ..."
    add("snprintf", "int", limited, _A, _integer(0, 40), formatted, shown=written, before=buffer)
    decimal = "char a[32] = {decimal}, *end = a; "
    scanned = "({ double r_ = CALL; bits(r_) * 31 + (end - a) * 7; })"
    add("strtod", "double", "const char *, char **", _A, _is("&end"), shown=scanned, before=decimal)
    scanned = "({ float r_ = CALL; bits_of_float(r_) * 31 + (end - a) * 7; })"
    add("strtof", "float", "const char *, char **", _A, _is("&end"), shown=scanned, before=decimal)
    add("atof", "double", "const char *", _A, shown="bits(CALL)", before=decimal)
    small = "char a[32] = {small}; "
    add("atoi", "int", "const char *", _A, before=small)
    add("atol", "long", "const char *", _A, before=small)
    add("atoll", "long long", "const char *", _A, before=small)
    grown = "({ char *r_ = CALL; sum(r_, 8); })"
    block = "char *block = malloc(8); for (int i = 0; i < 8; i++) block[i] = i * 3; "
    add("realloc", "void *", f"void *, {size}", _is("block"), _integer(8, 20), shown=grown, before=block)


def _add_wide_strings(add: Callable[..., None]) -> None:
    wide, read, size = "wchar_t *", "const wchar_t *", "unsigned long"
    two = "wchar_t a[16] = L{text}, b[16] = L{other}; "
    letter = lambda rng: f"L{_LETTER(rng)}"  # noqa: E731
    written, found = _WRITTEN.replace("sum", "wide_sum"), _FOUND.replace("char", "wchar_t")
    sign = "({ int r_ = CALL; (r_ > 0) - (r_ < 0); })"
    add("wcslen", size, read, _A, before=two)
    add("wcsnlen", size, f"{read}, {size}", _A, _COUNT, before=two)
    add("wcscpy wcpcpy wcscat", wide, f"{wide}, {read}", _A, _B, shown=written, before=two)
    copies = f"{wide}, {read}, {size}"
    names = "wcsncpy wcpncpy wcsncat wmemcpy wmempcpy"
    add(names, wide, copies, _A, _B, _COUNT, shown=written, before=two)
    overlapping = (lambda rng: f"a + {rng.randint(0, 5)}", lambda rng: f"a + {rng.randint(0, 5)}", _COUNT)
    add("wmemmove", wide, copies, *overlapping, shown=written, before=two)
    add("wmemset", wide, f"{wide}, wchar_t, {size}", _A, _CODE, _COUNT, shown=written, before=two)
    add("wcscmp wcscoll", "int", f"{read}, {read}", _A, _B, shown=sign, before=two)
    add("wcsncmp wmemcmp", "int", f"{read}, {read}, {size}", _A, _B, _COUNT, shown=sign, before=two)
    add("wcschr wcsrchr", wide, f"{read}, wchar_t", _A, letter, shown=found, before=two)
    add("wmemchr", wide, f"{read}, wchar_t, {size}", _A, letter, _COUNT, shown=found, before=two)
    add("wcsstr wcspbrk", wide, f"{read}, {read}", _A, _B, shown=found, before=two)
    add("wcsspn wcscspn", size, f"{read}, {read}", _A, _B, before=two)
    add("wcsdup", wide, read, _A, shown="({ wchar_t *r_ = CALL; wide_sum(r_, wcslen(r_)); })", before=two)


SPECS = _specs()
# Their results are decided by the environment, they are no functions of the library, or (the last) the interpreter has
# no arithmetic of long double.
_NOT_COMPARED = "rand random lrand48 drand48 time getchar fgetc getc fgets fgetws __errno_location __chcverify_may_fail"
_NOT_COMPARED += " fabsl __chcverify_arguments atexit __chcverify_run_exit_handlers"
_NOT_COMPARED += (
    " read pread recv getrandom getentropy fread getdelim getline getenv strerror fopen fdopen popen pclose"
)
_NOT_COMPARED += " tmpfile getcwd readlink gethostname gettimeofday clock_gettime localtime localtime_r gmtime gmtime_r"
_NOT_COMPARED += " strftime asctime ctime"
_NOT_COMPARED += " setenv unsetenv clearenv getpid __chcverify_text srand srandom srand48 clock getuid geteuid getgid"
_NOT_COMPARED += " getegid setuid setgid getpagesize sysconf"
_NOT_COMPARED += " __chcverify_close __chcverify_is_closed"
_NOT_COMPARED += " mktime strlcpy strlcat secure_getenv arc4random_buf __chcverify_object __chcverify_text_block"
# These are parts of sprintf and snprintf.
_NOT_COMPARED += " __chcverify_put __chcverify_put_text __chcverify_put_character __chcverify_put_end"
_NOT_COMPARED += " __chcverify_put_signed __chcverify_put_unsigned __chcverify_put_real"
_NOT_COMPARED += " vsprintf vsnprintf vasprintf nan nanf nanl"
# These are parts of scanf and its like, of setjmp and longjmp, and of what rounds as fesetround says.
_NOT_COMPARED += " __chcverify_any_characters __chcverify_any_word __chcverify_scan_blanks __chcverify_scan_character"
_NOT_COMPARED += " __chcverify_scan_characters __chcverify_scan_number __chcverify_scan_real __chcverify_scan_set"
_NOT_COMPARED += " __chcverify_scan_word __chcverify_scanned_number __chcverify_scanned_real __chcverify_scanned_text"
_NOT_COMPARED += " __chcverify_begin_jump __chcverify_end_of_jumps __chcverify_jump_target __chcverify_land"
_NOT_COMPARED += " __chcverify_new_jump __chcverify_require_nearest"
# These change what the process does later; the twins (tests/differential/twins) compare them.
_NOT_COMPARED += " fesetround setlocale signal raise posix_memalign"
_NOT_COMPARED += " sigaction sigaddset sigdelset sigemptyset sigfillset sigismember localeconv fmemopen open_memstream"
_NOT_COMPARED += " __chcverify_end_stream __chcverify_use_stream __chcverify_handler __chcverify_reset_handler"
_NOT_COMPARED += " __chcverify_wide_output __chcverify_put_wide_character __chcverify_put_wide_text"
# The program complex.c (tests/differential/programs) and the twins compare these.
_NOT_COMPARED += " cabs cabsf cimag cimagf conj conjf creal crealf"
NOT_COMPARED = frozenset(_NOT_COMPARED.split())


def program(seed: int, names: list[str] | None = None) -> Case:
    """A program with random calls of these functions, whose results go to out_0, ...; some through pointers."""
    rng = random.Random(seed)
    lines, pointers = [], []
    for number in range(CALLS):
        name = rng.choice(names or sorted(SPECS))
        spec, plain = SPECS[name], name.partition("#")[0]
        called = plain
        if not plain.startswith(("__builtin_", "sprintf", "snprintf")) and rng.random() < 0.4:
            called = f"pointer_{number}"
            pointers.append(f"static {spec.result_type} (*{called})({spec.parameters}) = (void *)0;")
            lines.append(f"  {called} = {plain};")
        arguments = [draw(rng) for draw in spec.arguments]
        call = f"{called}({', '.join(arguments)})"
        following = call if plain == "strsep" else call.replace("(a,", "(0,", 1)
        shown = spec.shown.replace("CALL", call).replace("NEXT", following).replace("K", str(rng.randint(-128, 255)))
        lines.append(f"  {{ {_filled(spec.before, rng)}out_{number} = {shown}; }}")
    text = "\n".join((HEADER, *pointers, "int main(void) {", *lines, "  finish();", "  return 0;", "}"))
    return Case(text, CALLS, (0,))


def _filled(before: str, rng: random.Random) -> str:
    number = rng.choice(_NUMBERS.split()) if rng.random() < 0.6 else str(rng.randint(-(1 << 40), 1 << 40))
    small = rng.choice(("", " ", "\\t")) + str(rng.randint(-99999, 99999)) + rng.choice(("", "x", " 1", ".5"))
    return (
        before.replace("{text}", _string(rng))
        .replace("{other}", _string(rng))
        .replace("{number}", f'"{rng.choice(("", "  "))}{number}{rng.choice(("", "q", " 3"))}"')
        .replace("{small}", f'"{small}"')
        .replace("{decimal}", f'"{number_text(rng)}"')
    )


def _string(rng: random.Random) -> str:
    letters = [rng.choice("aabbcAB.,\xe4") for _ in range(rng.randint(0, 7))]
    return '"' + "".join("\\344" if letter == "\xe4" else letter for letter in letters) + '"'


def differences(case: Case, follow: bool) -> list[str]:
    """What differs between gcc's run and the interpreter's; with `follow`, whether the clauses follow the run, too."""
    if follow:
        return list(compare(case, LP64, thorough=False).problems)
    expected, got = outputs(case.text, case.outputs, case.numbers, LP64), run_interpreter(case, LP64)
    if expected is None or got is None:
        return ["the program does not run to its end"]
    calls = [line for line in case.text.splitlines() if line.startswith("  {") and "out_" in line]
    return [
        f"{call.strip()}: gcc {one}, interpreter {other}"
        for call, one, other in zip(calls, expected, got, strict=True)
        if one != other
    ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential.library_calls", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help=f"how many programs of {CALLS} calls each")
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--only", nargs="*", help="names of functions")
    parser.add_argument("--clauses", type=int, default=50, help="the clauses follow one of so many programs")
    arguments = parser.parse_args()
    wrong = 0
    for seed in range(arguments.start, arguments.start + arguments.count):
        case = program(seed, arguments.only)
        problems = differences(case, follow=seed % arguments.clauses == 0)
        if problems:
            wrong += 1
            print(f"seed {seed}: {problems}", flush=True)
    print(f"{arguments.count} programs, {arguments.count * CALLS} calls, {wrong} programs differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
