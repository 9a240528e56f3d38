"""Memory under several shapes: unions, bytes of objects, buffers as records, pointers to links and to members."""

from .expressions import TYPES
from .generate import Generator

_FILLED = ("char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long long")


def shapes(g: Generator) -> None:
    """Unions of scalars, arrays and records, alone and in records; all members written and read; copies."""
    u, kinds = g.name("un"), g.random.sample(_FILLED, 3)
    g.head.append(
        f"union {u} {{ {kinds[0]} a; {kinds[1]} b[3]; struct {{ {kinds[2]} x; unsigned y : 5, z : 9; }} c;"
        f" unsigned long long all[3]; }}; struct {u}s {{ char t; union {u} u; }};"
    )
    g.emit(f"union {u} {u} = {{ .all = {{ {g.expression(1)}, 7 }} }}, {u}c; struct {u}s {u}s[2] = {{ {{ 1 }} }};")
    g.emit(f"{u}.b[{g.random.randint(0, 2)}] = {g.expression(1)}; {u}.c.z = {g.expression(1)}; {u}c = {u};")
    g.emit(f"{u}s[1].u = {u}c; {u}s[0] = {u}s[1]; {u}s[0].u.c.x -= {u}.a; {u}c.c.y++;")
    g.declared(f"{u}.a", f"{u}.b[1]", f"{u}c.c.x", f"{u}s[0].u.b[{g.random.randint(0, 2)}]", f"{u}s[1].u.c.z")


def bytes_of(g: Generator) -> None:
    """Bytes of scalars, arrays and records, by constant and variable indices; records in buffers."""
    kind, other, v = g.random.choice(_FILLED), g.random.choice(_FILLED), g.name("by")
    g.emit(f"{kind} {v} = {g.expression(2)}, {v}a[8] = {{ {g.expression(1)}, 5 }}; unsigned char *{v}p = (void *)&{v};")
    g.emit(f"for (unsigned i = 0; i < sizeof {v}; i++) {v}p[i] ^= {g.random.randint(0, 255)} + i;")
    g.emit(f"(({other} *){v}a)[0] = {g.expression(1)}; char *{v}q = (char *){v}a + {g.random.randint(0, 2)};")
    g.emit(f"*{v}q++ += 3; struct {{ {other} m; char n; {kind} o; }} {v}r = {{ 0 }}, *{v}b;")
    g.emit(f"unsigned char {v}u[sizeof {v}r] = {{ 0 }}; {v}b = (void *){v}u; {v}b->o = {g.expression(1)}; {v}u[0] = 9;")
    g.emit(f"memcpy(&{v}r, {v}u, sizeof {v}r); {v}u[sizeof {v}r - 1] += 1;")
    g.declared(v, f"{v}a[{g.random.randint(0, 2)}]", f"{v}r.m", f"{v}r.o", f"{v}b->m", f"{v}u[1]", f"*{v}q", f"{v}p[0]")


def links(g: Generator) -> None:
    """Pointers to the variable or member that holds a pointer or number, members of several records, containers."""
    kind, n = g.random.choice(TYPES), g.name("nd")
    g.head.append(f"struct {n} {{ {kind} v; struct {n} *next; int w; }}; struct {n}h {{ int id; struct {n} in; }};")
    g.head.append(
        f"static void {n}_put(struct {n} **at, struct {n} *x) {{"
        f" while (*at && (*at)->v < x->v) at = &(*at)->next; x->next = *at; *at = x; }}"
    )
    g.emit(f"struct {n} {n}[3] = {{ {{ {g.expression(1)} }}, {{ {g.expression(1)} }}, {{ 3 }} }}, *{n}l = 0;")
    g.emit(f"for (int i = 0; i < 3; i++) {n}_put(&{n}l, &{n}[i]); {n}l->w = {n}l->next->v;")
    g.emit(f"int {n}s = {g.expression(1)}, *{n}p = {g.condition()} ? &{n}s : &{n}[1].w; *{n}p += 2;")
    if g.random.random() < 0.5:
        g.emit(f"struct {n}h {n}c = {{ {g.expression(1)} }}; struct {n} *{n}m = &{n}c.in; {n}m->w = 4;")
        g.emit(f"((struct {n}h *)((char *){n}m - __builtin_offsetof(struct {n}h, in)))->id -= 1;")
        g.declared(f"{n}c.id", f"{n}m->w")
    g.declared(f"{n}l->v", f"{n}l->next->w", f"{n}s", f"*{n}p", f"{n}[1].w")


def embedded(g: Generator) -> None:
    """Circular lists through members of larger records, the head in another record; containers of members."""
    kind, n = g.random.choice(_FILLED), g.name("em")
    g.head.append(
        f"struct {n}l {{ struct {n}l *next, *prev; }}; struct {n}h {{ int count; struct {n}l items; }};"
        f" struct {n} {{ char t; {kind} v; struct {n}l a; int w : 5; struct {n}l b; }};"
        f" static void {n}_put(struct {n}l *x, struct {n}l *at) {{"
        f" x->next = at->next; x->prev = at; at->next->prev = x; at->next = x; }}"
        f" static void {n}_cut(struct {n}l *x) {{ x->prev->next = x->next; x->next->prev = x->prev; x->next = 0; }}"
    )
    g.emit(f"struct {n} {n}[3] = {{ {{ 1, {g.expression(1)} }}, {{ 2, {g.expression(1)} }}, {{ 3, 4 }} }};")
    g.emit(f"struct {n}h {n}h = {{ 0, {{ &{n}h.items, &{n}h.items }} }}; struct {n}l *{n}p; long long {n}s = 0;")
    for i in range(3):
        at = g.random.choice((f"&{n}h.items", f"{n}h.items.prev"))
        g.emit(f"if ({g.condition()}) {{ {n}_put(&{n}[{i}].a, {at}); {n}h.count++; }}")
    member = g.random.choice(("v", "w", "t"))
    around = f"((struct {n} *)((char *){n}p - __builtin_offsetof(struct {n}, a)))"
    g.emit(f"for ({n}p = {n}h.items.next; {n}p != &{n}h.items; {n}p = {n}p->next) {{")
    g.emit(f"{n}s = 3 * {n}s + {around}->{member}; {around}->w += {n}s; }}")
    g.emit(f"if ({n}h.count > 1) {{ {n}p = {n}h.items.prev; {n}_cut({n}p); {around}->t = 9; }}")
    if g.random.random() < 0.5:
        g.emit(f"{n}[1].b.next = {n}[0].a.next ? &{n}[0].a : 0; struct {n} {n}c = {n}[1];")
        g.emit(f"if ({n}c.b.next) {{ {n}p = {n}c.b.next; {around}->v += 2; }}")
        g.declared(f"{n}c.v", f"{n}[0].v")
    g.declared(f"{n}s", f"{n}h.count", f"{n}[0].w", f"{n}[1].w", f"{n}[2].t", f"{n}[1].t")


def cleared(g: Generator) -> None:
    """Blocks of calloc whose size is computed, among those of malloc: of scalars, of records, of bytes."""
    kind, c, size = g.random.choice(_FILLED), g.name("cl"), g.random.choice((3, 90))
    g.head.append(f"struct {c} {{ char t; {kind} v[{size}]; struct {c} *next; }};")
    unit, v, count = kind, "", 7 if size > 3 else g.random.choice((7, 511))
    if g.random.random() < 0.5:
        unit, v = f"struct {c}", f".v[{g.random.randint(0, 2)}]"
    g.emit(f"int {c}n = (({g.expression(1)}) & {count}) + 4; {unit} *{c}m = malloc(4 * sizeof *{c}m), *{c};")
    g.emit(f"for (int i = 0; i < 4; i++) {c}m[i]{v} = i + {g.expression(1)};")
    g.emit(f"{c} = calloc({c}n, sizeof *{c}); {unit} *{c}t = {g.condition()} ? {c}m : {c}; {c}t[1]{v} += 3;")
    if g.random.random() < 0.3:
        g.emit(f"unsigned char *{c}b = (unsigned char *){c}; {c}b[{g.random.randint(0, 9)}]++;")
    if v:
        g.emit(f"if ({c}n > {g.random.randint(4, 9)}) {c}[{c}n - 2].next = {c}m; if (!{c}[{c}n - 2].next) {c}->t++;")
        g.declared(f"{c}->t", f"{c}[{c}n - 1].t")
    g.declared(f"{c}[0]{v}", f"{c}[3]{v}", f"{c}[{c}n - 1]{v}", f"{c}t[1]{v}", f"{c}m[1]{v}")


MEMORY_FEATURES = (shapes, bytes_of, links, embedded, cleared)
