"""Features of random programs that are about declarations: tables of functions, enumerations, attributes, initialisers,
qualifiers, arguments of main."""

from .expressions import TYPES
from .generate import Generator

_WHOLE = ("char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "long long")


def tables(g: Generator) -> None:
    """Pointers to functions in arrays, records and constant tables; as parameters and results; compared, and absent."""
    kind, f = g.random.choice(TYPES), g.name("ft")
    g.head.append(f"typedef {kind} (*{f})({kind}, int);")
    for letter in "abc":
        with g.scope("x", "n"):
            g.head.append(f"static {kind} {f}{letter}({kind} x, int n) {{ return {g.expression(2)}; }}")
    g.head += [
        f"static {f} {f}pick(int n) {{ return n % 2 ? {f}a : n % 3 ? &{f}b : {f}c; }}",
        f"static {kind} {f}apply({kind} h({kind}, int), {kind} x) {{ return h(x, 2) + (*h)(x, 1); }}",
        f"struct {f}o {{ short tag; {f} call[2]; struct {{ {f} inner; int k; }} in; }};",
        f"static const struct {f}o {f}os[] = {{ {{ 1, {{ {f}a, {f}b }}, {{ {f}c, 3 }} }},"
        f" {{ .in = {{ .inner = {f}b }}, .call[1] = {f}c }} }};",
        f"static {kind} {f}twice(const struct {f}o *o, {kind} x) {{"
        f" return o->call[1](o->call[0] ? o->call[0](x, o->in.k) : o->in.inner(x, o->tag), 4); }}",
    ]
    g.emit(f"{f} {f}v[3] = {{ [2] = {f}pick(({g.expression(1)}) & 3), [0] = {f}b }}, *{f}w = {f}v + 2;")
    g.emit(f"{kind} {f}1 = (*{f}w)({g.expression(1)}, 1), {f}2 = {f}apply({f}pick({g.random.randint(0, 5)}), {f}1);")
    g.emit(f"{kind} {f}3 = {f}twice(&{f}os[({g.expression(1)}) & 1], {g.expression(1)});")
    g.emit(f"struct {f}o {f}l = {f}os[{g.random.randint(0, 1)}]; {f}l.call[0] = {f}v[0]; {f}l.in.k += 2;")
    g.emit(f"int {f}n = ({f}v[1] == 0) + 2 * ({f}l.call[0] == {f}b) + 4 * ({f}l.in.inner != {f}pick(1)) + 8 * !*{f}w;")
    g.emit(f"{f} (*{f}p)(int) = {f}pick; {kind} {f}4 = {f}p(3)({f}2, 1) - {f}twice(&{f}l, 3);")
    g.emit(f"for (int i = 0; i < 3; i++) if ({f}v[i]) {f}4 += {f}v[i]({f}3, i);")
    g.declared(*(f"{f}{i}" for i in range(1, 5)), f"{f}n", f"{f}l.in.k")


def enumerations(g: Generator) -> None:
    """Values by counting and by constant expressions, all widths; in records, bit-fields, arrays, switches, calls."""
    e, low = g.name("en"), g.random.choice((-3, 0, 7))
    large = g.random.choice(("0x7fffffff", "0x80000000", "0xffffffff", "1 << 20", "-2147483647 - 1"))
    g.head += [
        f"enum {e} {{ {e}a = {low}, {e}b, {e}c = 'x' + sizeof(short), {e}d = {e}c * 2 - 1, {e}e, }};",
        f"enum {e}l {{ {e}la = {large}, {e}lb = 3 }}; enum {{ {e}z = {e}la == {large} }};",
        f"static int {e}f(enum {e} v, enum {e}l *to) {{ switch (v) {{ case {e}a: return 1; case {e}b ... {e}c: *to = v;"
        f" case {e}d: return 2; default: return v; }} }}",
    ]
    width = g.random.randint(9, 20)
    g.emit(f"enum {e} {e}1 = {g.random.choice('abcde').join((e, ''))}; enum {e}l {e}2 = {e}la;")
    g.emit(f"struct {{ char c; enum {e}l l; unsigned bits : {width}; enum {e} v; }} {e}r = {{ 1, {e}la, {e}c, {e}b }};")
    g.emit(f"int {e}n = {e}f({e}1, &{e}r.l) + {e}f({e}b, &{e}2) * 3 + sizeof {e}r * 64 + sizeof({e}la) + {e}z;")
    g.emit(f"{e}r.v += {g.random.randint(1, 9)}; {e}1 = {e}d - 1; {e}1++;")
    g.emit(f"int {e}s = ({e}2 < 0) + 2 * ({e}la > -1) + 4 * ({e}1 > -1) + 8 * ((enum {e}l)-1 < 0); {e}2 = {e}lb;")
    g.declared(f"{e}n", f"{e}s", f"{e}r.bits")
    g.scalars += [f"{e}1", f"{e}r.v", f"(long long){e}r.l", f"{e}e", f"(long long){e}la"]


def wide_enumerations(g: Generator) -> None:
    """Enumerators beyond int, and enumerations that are packed into fewer bytes."""
    e, k = g.name("ew"), g.random.randint(-2, 300)
    g.head += [
        f"enum {e} {{ {e}a = 1, {e}b = 0x100000001LL, {e}c }};",
        f"enum __attribute__((packed)) {e}p {{ {e}pa = {k}, {e}pb }};",
    ]
    g.emit(f"enum {e} {e}1 = {e}c; struct {{ enum {e}p p; char c; enum {e} e; }} {e}r = {{ {e}pa, 2, {e}b }};")
    g.emit(f"long long {e}n = {e}1 + {e}r.p; int {e}s = sizeof(enum {e}) + 16 * sizeof(enum {e}p) + 256 * sizeof {e}r;")
    g.emit(f"{e}r.p = {e}pb; {e}r.e += 3; {e}s += sizeof {e}a * 10000;")
    g.declared(f"{e}n", f"{e}s")
    g.scalars += [f"{e}r.p", f"{e}r.e"]


def packed_records(g: Generator) -> None:
    """Records without padding, alone, nested and in arrays; members at odd offsets; copies."""
    p, one, two = g.name("pk"), g.random.choice(_WHOLE), g.random.choice(_WHOLE)
    g.head += [
        f"struct __attribute__((packed)) {p} {{ char c; {one} a; {two} b[2]; }};",
        f"struct {p}n {{ char t; struct {p} in; {one} last; }} {p}g = {{ 1, {{ 2, 3, {{ 4, 5 }} }}, 6 }};",
        f"struct {p}m {{ char t; {two} odd __attribute__((packed)); {one} even; }};",
    ]
    g.emit(f"struct {p} {p}[2] = {{ {{ 1, {g.expression(1)}, {{ {g.expression(1)}, 2 }} }} }}; {p}[1] = {p}[0];")
    g.emit(f"struct {p}m {p}k = {{ 9, {g.expression(1)}, 3 }}; {p}[1].b[0] += {p}k.odd; {p}g.in = {p}[1];")
    g.emit(f"int {p}s = sizeof(struct {p}) + 32 * sizeof(struct {p}n) + 1024 * sizeof(struct {p}m);")
    g.emit(f"{p}s += 32768 * __builtin_offsetof(struct {p}n, last) + 1000000 * _Alignof(struct {p}m);")
    g.emit(f"unsigned char {p}b[sizeof {p}[0]]; memcpy({p}b, &{p}[1], sizeof {p}b);")
    g.declared(f"{p}[0].a", f"{p}[1].b[0]", f"{p}g.in.b[1]", f"{p}g.last", f"{p}k.odd", f"{p}k.even", f"{p}s")
    g.declared(f"{p}b[{g.random.randint(0, 3)}]")


def aligned_and_modes(g: Generator) -> None:
    """aligned on members, types and variables; _Alignas; types by mode."""
    a, kind, n = g.name("al"), g.random.choice(_WHOLE), g.random.choice((2, 4, 8, 16))
    mode, sign = g.random.choice(("QI", "HI", "SI", "DI")), g.random.choice(("", "unsigned "))
    g.head += [
        f"struct {a} {{ char c; {kind} m __attribute__((aligned({n}))); char e; }};",
        f"struct {a}w {{ char c; struct {a} in[2]; _Alignas({max(n, 8)}) short t; }} __attribute__((aligned(32)));",
        f"typedef {sign}int {a}t __attribute__((mode({mode})));",
    ]
    g.emit(f"struct {a}w {a}w = {{ 1, {{ {{ 2, {g.expression(1)}, 3 }} }}, 4 }}; {a}t {a}v = {g.expression(1)};")
    g.emit(f"struct {{ char c; {a}t v; }} {a}u = {{ 1, {g.expression(1)} }}; {a}u.v += {a}v;")
    g.emit(f"int {a}s = sizeof(struct {a}) + 100 * sizeof(struct {a}w) + 100000 * sizeof {a}u + _Alignof({a}t);")
    g.emit(f"{a}s += 1000000 * __builtin_offsetof(struct {a}w, t); {a}w.in[1] = {a}w.in[0]; {a}w.in[1].m--;")
    g.declared(f"{a}s", f"{a}v", f"{a}u.v", f"{a}w.in[1].m", f"{a}w.t")
    g.scalars.append(f"(({a}t)-1 < 0)")


def initialisers(g: Generator) -> None:
    """Compound literals, ranges and paths of designators, what is not named is zero; static ones of constants."""
    kind, i, low = g.random.choice(TYPES), g.name("in"), g.random.randint(0, 2)
    g.head += [
        f"struct {i} {{ {kind} a; struct {{ {kind} x, y[3]; }} in[2]; int z; }};",
        f"static struct {i} {i}g[3] = {{ [0 ... 1] = {{ 1, {{ {{ 2, {{ 3 }} }} }} }}, "
        f" [2].in[1].y[1] = 7, 8, [2].z = 9 }};",
        f"static {kind} {i}r[] = {{ 5, [{low + 1} ... {low + 3}] = {g.random.randint(-9, 300)}, 6, [0] = 4 }};",
        f"static struct {i} *{i}q = &(struct {i}){{ .z = 3, .in[1] = {{ 4 }} }};",
        f"static {kind} {i}sum(const {kind} *v, int n) {{ return n ? *v + {i}sum(v + 1, n - 1) : 0; }}",
    ]
    g.emit(f"struct {i} {i}l = {{ .in[0].y = {{ [1] = {g.expression(1)} }}, .a = {g.expression(1)}, {{ {{ 3 }} }} }};")
    g.emit(f"struct {i} *{i}p = {g.condition()} ? &(struct {i}){{ {g.expression(1)} }} : &{i}g[{low}];")
    g.emit(
        f"{kind} {i}s = {i}sum({i}r, sizeof {i}r / sizeof *{i}r), {i}t = {i}sum((const {kind}[4]){{ 1, [3] = 2 }}, 4);"
    )
    g.emit(f"{i}l = (struct {i}){{ {i}l.a, .z = {i}q->z }}; {i}p->in[1].y[2] += 5; {i}g[1] = *{i}p;")
    g.emit(
        f'char {i}c[2][4] = {{ "ab", {{ "cdef" }} }}; int {i}n = {i}c[0][2] + {i}c[1][3] + sizeof (char[]){{ "xyz" }};'
    )
    g.declared(f"{i}s", f"{i}t", f"{i}n", f"{i}l.in[0].y[1]", f"{i}p->a", f"{i}p->in[1].y[2]", f"{i}g[2].in[1].y[1]")
    g.declared(f"{i}g[2].in[1].y[2]", f"{i}g[0].in[0].y[0]", f"{i}g[1].z", f"{i}l.z", f"{i}q->in[1].x")


def inline_functions(g: Generator) -> None:
    """inline, const and register; parameters that are written; a static local in each of two functions."""
    kind, f = g.random.choice(TYPES), g.name("inl")
    with g.scope("a", "b") as lines:
        g.statements(2, 1)
        result = g.expression(2)
    g.head += [f"static inline {kind} {f}({kind} a, register int b) {{", *lines, f"  return {result};", "}"]
    g.head.append(f"static inline int {f}n(const {kind} *const p) {{ static int n = 3; return n += *p > n; }}")
    g.head.append(f"static int {f}m(void) {{ static int n; return ++n * {f}n(&(const {kind}){{ n }}); }}")
    g.emit(f"const {kind} {f}c = {g.expression(1)}; {kind} {f}1 = {f}({f}c, {g.expression(1)});")
    g.emit(f"int {f}2 = {f}n(&{f}c); {f}2 += {f}m() * 100; {f}2 += {f}m() * 10000; {f}2 += {f}n(&{f}1);")
    g.declared(f"{f}1", f"{f}2")
    g.scalars.append(f"{f}c")


def volatile_objects(g: Generator) -> None:
    """volatile locals, globals, members and targets of pointers, which nothing else changes."""
    kind, v = g.random.choice(TYPES), g.name("vol")
    g.head.append(f"volatile {kind} {v}g = 3; struct {v} {{ volatile {kind} m; int n; }};")
    g.emit(f"volatile {kind} {v} = {g.expression(1)}, *{v}p = &{v}; struct {v} {v}s = {{ {g.expression(1)} }};")
    g.emit(f"{v}g += {v}; *{v}p = {v}s.m + 1; {v}s.m--; while ({v}s.n < 3) {v}s.n++;")
    g.declared(v, f"{v}g", f"*{v}p", f"{v}s.m", f"{v}s.n")


def arguments(g: Generator) -> None:
    """main takes arguments; it uses their number only, which here is 1."""
    g.parameters = "int argc, char **argv"
    a = g.name("arg")
    g.emit(f"int {a} = argc > 0 ? argc * 2 : -1; argc += {g.expression(1)};")
    g.declared(a, "argc")


def argument_strings(g: Generator) -> None:
    """The vector of main's arguments ends with a null pointer, and its strings may be written."""
    g.parameters = "int argc, char *argv[]"
    a = g.name("args")
    g.emit(f"int {a} = 0; for (char **p = argv; *p; p++) {a} += 10; {a} += (argv[argc] == 0) + 2 * !argv;")
    g.emit(f"argv[0][0] = 'x'; {a} += argv[0][0];")
    g.declared(a)


DECLARED_FEATURES = (
    tables,
    enumerations,
    wide_enumerations,
    packed_records,
    aligned_and_modes,
    initialisers,
    inline_functions,
    volatile_objects,
    arguments,
    argument_strings,
)
