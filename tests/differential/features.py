"""What some programs have: each function adds declarations, statements in main, and lvalues for what follows."""

from collections.abc import Callable, Collection, Sequence

from encoders.c.types.c_types import LP64, DataModel

from .control_features import CONTROL_FEATURES
from .declared_features import DECLARED_FEATURES
from .expressions import TYPES
from .generate import Generator
from .library_features import CALL_FEATURES
from .memory_features import MEMORY_FEATURES
from .standard_features import LIBRARY_FEATURES

Feature = Callable[[Generator], None]
_WIDTHS = {"_Bool": 1, "char": 8, "short": 16, "int": 32, "long long": 64}


def matrix(g: Generator) -> None:
    """Two and three dimensions, rows as parameters, pointers to rows and into them."""
    kind, m, f = g.random.choice(TYPES), g.name("m"), g.name("row")
    g.head.append(f"static int {f}({kind} (*a)[3], int i) {{ a[i][1] += i; return a[i][0] + (*a)[2] + *(a[1] + 1); }}")
    g.emit(f"{kind} {m}[2][3] = {{{{{g.expression(1)}}}, [1][2] = {g.expression(1)}}};")
    g.emit(f"for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) {m}[i][j] += ({g.expression(1)}) * i - j;")
    g.emit(f"int {m}r = {f}({m}, {g.random.randint(0, 1)}); {kind} *{m}p = {m}[1]; {m}p++;")
    g.declared(f"{m}[0][1]", f"{m}[1][({g.expression(1)}) & 1]", f"{m}p[-1]", f"{m}r", f"*(*({m} + 1) + 2)")
    if g.random.random() < 0.5:
        g.emit(f"{kind} {m}c[2][2][2] = {{{g.expression(1)}, 2, 3, 4, 5}}; {m}c[1][0][1] = {m}c[0][1][1];")
        g.declared(f"{m}c[1][0][0]", f"{m}c[1][0][1]")


def bit_fields(g: Generator) -> None:
    """Bit-fields of all declared types, in a global or local record, assigned, stepped, read in expressions."""
    tag, members = g.name("bits"), []
    for number in range(g.random.randint(2, 5)):
        kind = g.random.choice(list(_WIDTHS))
        sign = "" if kind == "_Bool" else g.random.choice(("signed ", "unsigned "))
        members.append(f"{sign}{kind} b{number} : {g.random.randint(1, _WIDTHS[kind])};")
        if g.random.random() < 0.2:
            members.append(f"unsigned : {g.random.choice((0, 3))};")
        if g.random.random() < 0.3:
            members.append(f"{g.random.choice(TYPES)} plain{number};")
    count = sum(" b" in member for member in members)
    g.head.append(f"struct {tag} {{ {' '.join(members)} }} {tag}_global;")
    g.emit(f"struct {tag} {tag} = {{ {', '.join(g.expression(1) for _ in range(count))} }}, *{tag}p = &{tag};")
    g.emit(f"int {tag}size = sizeof(struct {tag});")
    g.declared(*(f"{g.random.choice((tag, tag + '_global'))}.b{i}" for i in range(count)))
    g.scalars += [f"({tag}.b0 - 1 < 0)", f"{tag}size"]
    g.declared(f"{tag}p->b1")


def unions(g: Generator) -> None:
    """Members of one width; copies of the whole."""
    one, two = g.random.choice((("int", "unsigned"), ("char", "unsigned char"), ("long", "unsigned long")))
    u = g.name("u")
    g.emit(f"union {{ {one} a; {two} b; }} {u}, {u}c; {u}.a = {g.expression(2)}; {u}c = {u}; {u}c.b += 1;")
    g.declared(f"{u}.b", f"{u}c.a")


def floats(g: Generator) -> None:
    """Arithmetic in both precisions, conversions both ways, comparisons."""
    kind, d, e = g.random.choice(("double", "float")), g.name("d"), g.name("d")
    operator, other = g.random.choice("+-*/"), g.random.choice(("double", "float", "int", "unsigned", "long long"))
    g.emit(f"{kind} {d} = __VERIFIER_nondet_{g.random.choice(('double', 'float'))}(), {e} = {g.expression(2)};")
    addend = g.random.choice(("0.1", "1.5f", "3", "1e3"))
    g.emit(f"{d} = {d} {operator} (({e} >= 0 && {e} < 2e9 ? ({other}){e} : 3) + {addend});")
    g.emit(f"{e} *= {g.random.choice(('0.25', '1e-3', '3', '1.1f'))}; {d} += {g.expression(1)};")
    g.emit(f"if ({d} < {e}) {{ {e} = -{d}; {g.assignment()}; }}")
    for value in (d, e):
        whole = g.name("n")
        g.emit(f"long long {whole} = {value} > -1e15 && {value} < 1e15 ? (long long)({value} * 256) : -7;")
        g.declared(whole)
    g.scalars += [f"({d} == {e})", f"({d} != {d})", f"(!{e})", f"({d} >= {e})"]
    g.emit(f"unsigned char {d}u = {e} >= 0 && {e} < 256 ? {e} : 3; _Bool {d}b = {d}; float {d}f = {e};")
    g.scalars += [f"{d}u", f"{d}b", f"({d}f == {e})"]


def jumps(g: Generator) -> None:
    """goto: out of loops, backwards, and into a block past a condition."""
    n, out, back, into = (g.name(prefix) for prefix in ("n", "out", "back", "into"))
    g.emit(f"int {n} = 0; if ({g.condition()}) goto {into};", f"{back}: {g.assignment()};")
    g.emit(f"for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) if (i * j + {n} > {g.random.randint(0, 9)})")
    g.emit(f"goto {out}; else {g.assignment()};")
    g.emit(f"if ({g.condition()}) {{ {g.assignment()};", f"{into}: {g.assignment()}; }} else {g.assignment()};")
    g.emit(f"{out}: if ({n}++ < {g.random.randint(1, 3)}) goto {back};")
    g.declared(n)


def wide(g: Generator) -> None:
    """128 bits (on 64-bit targets only)."""
    x = g.name("x")
    g.emit(
        f"__int128 {x} = (__int128)({g.expression(1)}) * ({g.expression(1)}) + ((__int128)({g.expression(1)}) << 70);"
    )
    g.emit(f"unsigned __int128 {x}u = {x}; {x}u /= {g.divisor()}; {x} >>= {g.random.randint(1, 40)};")
    g.emit(f"long long {x}h = (long long)({x}u >> 64), {x}l = (long long){x}; int {x}c = {x} < (__int128){x}u;")
    g.declared(f"{x}h", f"{x}l", f"{x}c")


def effects(g: Generator) -> None:
    """Values of assignments and steps, in operands, conditions, subscripts and arguments."""
    a, b, z = g.name("a"), g.name("b"), g.name("z")
    kind = g.random.choice(TYPES)
    g.emit(f"{kind} {a} = {g.expression(1)}, {z}[4] = {{1, 2, 3, 4}}; int {b} = 0;")
    g.emit(f"long long {a}1 = ({a} = {g.expression(1)}) + {g.random.choice((1, '2u'))};")
    g.emit(f"{z}[{b}++] = {g.expression(1)}; {z}[++{b}] += {a}1; {a}1 -= {b}-- > 1 && {a}++ < 9;")
    g.emit(f"int {a}2 = ({g.condition()}) || {b}++ ? {b} : ({b} += 2, {a} -= 3);")
    step = g.random.choice(("^=", "|=")) if g.bits else "+="
    g.emit(f"for (int i = 0, j = 3; i < j; i++, j--) {z}[i] {step} {z}[j] + {a}2;")
    g.emit(f"{a} = {g.random.choice(g.targets)} = {g.expression(1)};")
    g.declared(f"{a}", f"{a}1", f"{a}2", b, f"{z}[0]", f"{z}[2]", f"{z}[3]")


def calls(g: Generator) -> None:
    """Function pointers in tables and records; functions with static locals and out-parameters; call chains."""
    kind, f, t = g.random.choice(TYPES), g.name("fn"), g.name("table")
    bodies = []
    for number in range(3):
        with g.scope("x", "y"):
            bodies.append(f"{kind} {f}_{number}(long x, {kind} y) {{ return {g.expression(2)}; }}")
    g.head += bodies
    g.head.append(f"{kind} (*const {t}[3])(long, {kind}) = {{{f}_0, {f}_1, &{f}_2}};")
    g.head.append(f"int {f}_count({kind} *to) {{ static int n = 5; n += *to > 3; *to = *to + n; return n; }}")
    g.emit(f"{kind} {f}c = {g.expression(1)}; int {f}n = {f}_count(&{f}c); {f}n += {f}_count(&{f}c);")
    g.emit(f"struct {{ {kind} (*f)(long, {kind}); }} {f}s = {{ {g.condition()} ? {f}_0 : {f}_2 }};")
    g.emit(f"{kind} {f}r = {t}[({g.expression(1)}) & 1]({g.expression(1)}, {f}s.f({f}n, {g.expression(1)}));")
    g.emit(f"for (int i = 0; i < 3; i++) {f}r += {t}[i] == {f}s.f ? i : {t}[i](i, {f}r);")
    g.declared(f"{f}c", f"{f}n", f"{f}r")
    g.calls.append(f"{f}_1({{}}, 2)")


def records(g: Generator) -> None:
    """Nested records by value: parameters, results, assignments, arrays of them."""
    tag, one, two = g.name("rec"), g.random.choice(TYPES), g.random.choice(TYPES)
    g.head.append(f"struct {tag} {{ {one} a; struct {{ {two} x, y[2]; }} in; struct {tag} *next; }};")
    g.head.append(f"struct {tag} {tag}_f(struct {tag} v, {two} k) {{ v.in.x += k; v.in.y[1] = v.a; v.a--; return v; }}")
    g.emit(
        f"struct {tag} {tag}[2] = {{ {{ {g.expression(1)}, .in.y = {{ 7, 8 }} }}, [1].in = {{ {g.expression(1)} }} }};"
    )
    g.emit(f"{tag}[1] = {tag}_f({tag}[0], {g.expression(1)}); struct {tag} {tag}c = {tag}[{g.random.randint(0, 1)}];")
    g.emit(f"{tag}[0].next = &{tag}[1]; {tag}[1].next = &{tag}c; {tag}c.next = 0;")
    g.emit(f"for (struct {tag} *p = {tag}; p; p = p->next) p->in.y[0] += p->a;")
    g.emit(f"{tag}c = {g.condition()} ? {tag}[0] : {tag}_f(*{tag}[0].next, 3);")
    g.declared(f"{tag}[0].in.y[0]", f"{tag}[1].a", f"{tag}c.in.x", f"{tag}c.in.y[1]", f"{tag}[0].next->in.y[0]")


def pointers(g: Generator) -> None:
    """Arithmetic, differences, comparisons, pointers to pointers, steps while reading and writing."""
    kind, a, p = g.random.choice(TYPES), g.name("v"), g.name("p")
    size = g.random.choice((5, 12))
    g.emit(f"{kind} {a}[{size}] = {{{g.expression(1)}, 1, 2, {g.expression(1)}}}, *{p} = {a}, **{p}p = &{p};")
    g.emit(f"while ({p} < {a} + {size} - 1) {{ int at = {p} - {a}; *{p}++ += at; }}")
    g.emit(f"long {p}d = {p} - {a}; *--{p} = {g.expression(1)}; (**{p}p)--; *{p}p -= {g.random.randint(0, 2)};")
    g.emit(f"int {p}c = (&{a}[2] == {p}) + 2 * ({p} > {a}) + 4 * ({p} != 0) + 8 * !{p};")
    g.declared(f"*{p}", f"{p}[1]", f"{p}d", f"{p}c", f"{a}[2]", f"(*{p}p)[-1]")


def statics(g: Generator) -> None:
    """Initialisers with designators, strings, enumerations, constants computed from sizes; storage that persists."""
    kind, s, e = g.random.choice(TYPES), g.name("s"), g.name("E")
    g.head.append(f"enum {e} {{ {e}_a, {e}_b = {g.random.randint(-5, 300)}, {e}_c, {e}_d = 'x' - {e}_a }};")
    g.head.append(f"static const {kind} {s}[] = {{ [3] = 9, 4, [1] = {e}_b, {e}_c }};")
    g.head.append(f'char {s}t[] = "a\\tb" "c\\x41", {s}u[3] = "xyz", *{s}p = "pq";')
    g.head.append(f"int {s}f(int x) {{ static {kind} n = {g.random.randint(0, 99)}; static int *at; int k = x;")
    g.head.append("  if (!at) { static int cell; at = &cell; } *at += k; n++; return *at + n; }")
    g.emit(f"enum {e} {e} = {e}_c; int {s}1 = sizeof {s} / sizeof *{s} + sizeof {s}t + {s}t[4] + {s}u[2] + {s}p[1];")
    g.emit(f"{s}f({g.expression(1)}); int {s}2 = {s}f({s}[1] + {e}) + {s}f(2); {e} -= {g.expression(1)};")
    g.emit(
        f"{kind} {s}3 = (({kind}[]){{ {g.expression(1)}, 5 }})[1] + (struct pair){{ 3, {{ {g.expression(1)} }} }}.b[0];"
    )
    g.declared(f"{s}1", f"{s}2", f"{s}3", f"{e}")
    g.scalars.append(f"{s}[2]")


def layout(g: Generator) -> None:
    """Sizes and offsets of random records."""
    tag, members = g.name("lay"), []
    for number in range(g.random.randint(2, 6)):
        kind = g.random.choice((*TYPES, "float", "double", "void *", "struct pair", "long double"))
        shape = g.random.choice(("", "", "[3]", ":5"))
        fits = kind.startswith("unsigned") or kind in ("int", "long", "short", "char", "long long")
        members.append(f"{kind} m{number}{shape if shape != ':5' or fits else ''};")
    whole = g.random.choice(("struct", "union"))
    packed = g.random.choice(("", "", "__attribute__((packed))"))
    g.head.append(f"{whole} {packed} {tag} {{ {' '.join(members)} char last; }};")
    inner = [
        f"__builtin_offsetof({whole} {tag}, {m.split()[-1].partition('[')[0].rstrip(';')})"
        for m in members
        if ":" not in m
    ]
    g.emit(f"int {tag} = sizeof({whole} {tag}) * 16 + _Alignof({whole} {tag});")
    g.scalars += [tag, *inner[:3], f"__builtin_offsetof({whole} {tag}, last)"]


def nested_calls(g: Generator) -> None:
    """Mutual recursion over an array that a caller owns, and values that come back through it."""
    kind, f = g.random.choice(TYPES), g.name("mut")
    g.head.append(f"int {f}_b({kind} *a, int n);")
    g.head.append(
        f"int {f}_a({kind} *a, int n) {{ if (n < 0) return 1; a[n] += n; return {f}_b(a, n - 1) + (a[n] > 3); }}"
    )
    g.head.append(
        f"int {f}_b({kind} *a, int n) {{ int k = n; if (n < 0) return 2; a[n] -= k; {f}_a(a, k - 1); return k; }}"
    )
    g.emit(f"{kind} {f}[4] = {{ {g.expression(1)}, {g.expression(1)} }}; int {f}r = {f}_a({f}, 3);")
    g.declared(f"{f}r", f"{f}[0]", f"{f}[3]")


def variable_length(g: Generator) -> None:
    """Arrays whose length is computed."""
    kind, v = g.random.choice(TYPES), g.name("vla")
    g.emit(f"int {v}n = (({g.expression(1)}) & 3) + 2; {kind} {v}[{v}n]; {kind} {v}2[2][{v}n];")
    g.emit(f"for (int i = 0; i < {v}n; i++) {{ {v}[i] = i - 1; {v}2[i & 1][i] = {v}[i]; }}")
    g.emit(f"{v}2[0][1] = 0; {v}2[1][0] = {g.expression(1)}; int {v}s = sizeof {v} / sizeof *{v} + sizeof {v}2[0];")
    g.declared(f"{v}[1]", f"{v}2[0][1]", f"{v}2[1][0]", f"{v}s")


_EVERYWHERE: tuple[Feature, ...] = (
    matrix,
    bit_fields,
    unions,
    floats,
    jumps,
    effects,
    calls,
    records,
    pointers,
    statics,
    layout,
    nested_calls,
    variable_length,
    *MEMORY_FEATURES,
    *LIBRARY_FEATURES,
    *DECLARED_FEATURES,
    *CALL_FEATURES,
    *CONTROL_FEATURES,
)
FEATURES = {feature.__name__: feature for feature in (*_EVERYWHERE, wide)}
# Drawn only where --features names them: the encoder refuses them, or gives them another meaning than gcc.
OFF: frozenset[str] = frozenset()


def chosen(model: DataModel, names: Sequence[str] = (), without: Collection[str] = ()) -> tuple[Feature, ...]:
    """The features that programs for a data model draw from. names: () for all that are not off.

    Raises KeyError where there is no feature of a name.
    """
    wanted = [FEATURES[name] for name in names or [name for name in FEATURES if name not in OFF]]
    barred = {FEATURES[name] for name in without} | ({wide} if model is not LP64 else set())
    return tuple(feature for feature in wanted if feature not in barred)
