"""Features of random programs that call more of the library: directly, and through pointers, tables and records."""

from .expressions import TYPES
from .generate import Generator

# All take and return an int; for ASCII.
_CLASSES = (
    "isalpha",
    "isdigit",
    "isalnum",
    "isupper",
    "islower",
    "isspace",
    "isxdigit",
    "ispunct",
    "isprint",
    "iscntrl",
)
_WORDS = ("", "a", "hello", "ab ab", "Zz", "  -42x", "0x1f", "+7", "99999")


def characters(g: Generator) -> None:
    """<ctype.h>"""
    c, kinds = g.name("ch"), g.random.sample(_CLASSES, 3)
    terms = " + ".join(f"{2**i} * ({kind}({c}) != 0)" for i, kind in enumerate(kinds))
    g.emit(f"int {c} = ({g.expression(1)}) & 127, {c}k = {terms}, {c}u = toupper({c}) * 200 + tolower({c});")
    g.emit(
        f'int {c}n = 0; for (const char *p = "{g.random.choice(_WORDS)}"; *p; p++)'
        f" {c}n = {c}n * 3 + (isalpha(*p) != 0);"
    )
    g.declared(c, f"{c}k", f"{c}u", f"{c}n")


def numbers(g: Generator) -> None:
    """<stdlib.h>: absolute values, numbers in strings."""
    n, word = g.name("num"), g.random.choice(_WORDS)
    g.emit(f"int {n} = abs({g.expression(1)}); long {n}l = labs({g.expression(1)});")
    g.emit(f"long long {n}q = llabs({g.expression(2)});")
    base = g.random.choice((0, 8, 10, 16))
    g.emit(
        f'char *{n}e, {n}t[8] = "{word}"; long {n}s = strtol({n}t, &{n}e, {base});'
        f' int {n}a = atoi({n}t) + atol("12 3");'
    )
    g.declared(n, f"{n}l", f"{n}q", f"{n}s", f"{n}a")
    g.scalars.append(f"({n}e - {n}t)")


def searches(g: Generator) -> None:
    """<string.h>: searches, spans, parts."""
    s, one, two = g.name("sea"), g.random.choice(_WORDS), g.random.choice(_WORDS)
    letter = g.random.choice(("'a'", "'l'", "0", "' '", "'b' + 256"))
    g.emit(f'char {s}[16] = "{one}", {s}2[16] = "{two}", *{s}p = strrchr({s}, {letter}); strncat({s}2, {s}, 3);')
    g.emit(f'int {s}n = {s}p ? {s}p - {s} : -1; {s}p = strstr({s}2, "{g.random.choice(("a", "ab", "lo", ""))}");')
    g.emit(f'int {s}m = {s}p ? {s}p - {s}2 : -1, {s}k = strspn({s}, "hab ") * 10 + strcspn({s}2, "ol");')
    g.emit(f'{s}p = strpbrk({s}2, "xzl"); {s}k += {s}p ? ({s}p - {s}2) * 100 : 7000; {s}p = memchr({s}, {letter}, 4);')
    g.emit(f"{s}m += {s}p ? 100 * ({s}p - {s}) : 5000; {s}n += 50 * strnlen({s}, 3) + 1000 * (strcmp({s}, {s}2) > 0);")
    g.declared(f"{s}n", f"{s}m", f"{s}k", f"{s}2[1]")


def moves(g: Generator) -> None:
    """memmove both ways within one object, memcpy and memmove between objects, of elements, records, parts and bytes;
    by computed lengths."""
    kind, m, n = g.random.choice(TYPES), g.name("mv"), g.random.randint(1, 3)
    g.head.append(f"struct {m} {{ {kind} a; short b[3]; char c; }};")
    g.emit(f"{kind} {m}v[6] = {{ {g.expression(1)}, 1, 2, 3, {g.expression(1)}, 5 }}, {m}w[6] = {{ 9 }};")
    g.emit(f"memmove({m}v + {n}, {m}v, (6 - {n}) * sizeof *{m}v); memmove({m}v, {m}v + 1, {n} * sizeof({kind}));")
    g.emit(f"int {m}n = ((({g.expression(1)}) & 3) + 1) * sizeof({kind}); memcpy({m}w + 1, {m}v, {m}n);")
    g.emit(f"struct {m} {m}s[3] = {{ {{ {g.expression(1)}, {{ 1, 2, 3 }}, 4 }}, {{ 5 }} }}, {m}t = {{ 7 }};")
    g.emit(f"memmove({m}s + 1, {m}s, 2 * sizeof *{m}s); memmove(&{m}t, &{m}s[{g.random.randint(0, 2)}], sizeof {m}t);")
    g.emit(f"memmove({m}t.b, {m}s[1].b + 1, 2 * sizeof(short)); memcpy(&{m}s[0].a, &{m}w[1], sizeof({kind}));")
    g.emit(
        f"unsigned char {m}b[8] = {{ 1, 2, 3, 4, 5, 6, 7, 8 }}; memmove({m}b + 1, {m}b, 5); memcpy({m}b, {m}b + 6, 2);"
    )
    g.emit(f"memcpy({m}b + 4, &(int){{ {g.expression(1)} }}, {n}); memset({m}b + 7, {g.expression(1)}, 1);")
    g.declared(f"{m}v[1]", f"{m}v[{n}]", f"{m}w[2]", f"{m}w[4]", f"{m}s[0].a", f"{m}s[1].b[2]", f"{m}t.b[0]", f"{m}t.a")
    g.declared(*(f"{m}b[{i}]" for i in g.random.sample(range(8), 3)), f"{m}n")


_EXACT = {
    1: ("floor", "ceil", "trunc", "round", "rint", "fabs", "nearbyint"),
    2: ("fmin", "fmax", "copysign", "fdim"),
}


def mathematics(g: Generator) -> None:
    """<math.h>, where the result is exact or correctly rounded, and with zeros, infinities and NaN."""
    d = g.name("ma")
    special = g.random.choice(("0.0", "-0.0", "1 / 0.0", "0.5", "-2.5", "1e300", "4503599627370497.5"))
    g.emit(f"double {d} = ({g.expression(1)}) / {g.random.choice(('4.0', '10.0', '-3.0'))}, {d}2 = {special};")
    g.emit(
        f"float {d}f = ({g.expression(1)}) / 8.0f;"
        f" {d}f = {g.random.choice(('floorf', 'ceilf', 'fabsf', 'roundf'))}({d}f);"
    )
    for letter, (one, two) in zip("ab", (g.random.sample(_EXACT[1], 2) for _ in range(2)), strict=True):
        g.emit(f"double {d}{letter} = {one}({d}) + {two}({d}2 < 1e9 ? {d}2 : {d});")
    one, two = g.random.sample(_EXACT[2], 2)
    g.emit(f"double {d}c = {one}({d}, {d}2), {d}d = {two}({d}2, {d}a), {d}e = sqrt(fabs({d}));")
    for letter in ("a", "b", "c", "d", "e", "f"):
        whole = g.name("w")
        g.emit(f"long long {whole} = {d}{letter} > -1e15 && {d}{letter} < 1e15 ? {d}{letter} * 64 : -7;")
        g.declared(whole)
    g.scalars += [f"(1 / {d}c > 0)", f"(__builtin_signbit({d}a) != 0)", f"(__builtin_isnan({d}d) != 0)"]


def pointed_library(g: Generator) -> None:
    """Library functions through pointers, tables, parameters and hooks in records mean what they mean by name."""
    h = g.name("hook")
    g.head += [
        f"struct {h} {{ void *(*allocate)(__SIZE_TYPE__); void (*release)(void *);"
        " __SIZE_TYPE__ (*length)(const char *); };",
        f"static struct {h} {h} = {{ malloc, free, strlen }};",
        f"static int (*const {h}t[3])(int) = {{ abs, toupper, isdigit }};",
        f'static int {h}f(int f(const char *, const char *), const char *a) {{ return f(a, "m") < 0; }}',
        f"static void *(*volatile_free_{h}(void))(void *, const void *, __SIZE_TYPE__) {{ return memcpy; }}",
    ]
    kind = g.random.choice(TYPES)
    g.emit(f"{kind} *{h}p = {h}.allocate(3 * sizeof *{h}p); {h}p[0] = {g.expression(1)}; {h}p[1] = {h}p[0];")
    g.emit(f'int {h}n = {h}.length("{g.random.choice(_WORDS)}") + 10 * {h}f(strcmp, "{g.random.choice(_WORDS)}");')
    g.emit(f"for (int i = 0; i < 2; i++) {h}n = {h}n * 7 + {h}t[i]({g.expression(1)} & 127); {h}n += !!{h}t[2]('7');")
    g.emit(
        f"{kind} {h}v[2]; volatile_free_{h}()({h}v, {h}p, 2 * sizeof *{h}p); {kind} {h}w = {h}v[1]; {h}.release({h}p);"
    )
    g.declared(f"{h}n", f"{h}w", f"{h}v[0]")


CALL_FEATURES = (characters, numbers, searches, moves, mathematics, pointed_library)
