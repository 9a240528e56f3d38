"""Features of random programs that use the library: strings, memory, the heap."""

from .expressions import TYPES
from .generate import Generator


def strings(g: Generator) -> None:
    """Copies, lengths, comparisons, searches in small buffers."""
    s, word = g.name("str"), g.random.choice(("", "a", "hello", "ab\\0c", "zz top"))
    g.emit(f'char {s}[24] = "{word}", {s}2[24]; strcpy({s}2, {s}); strcat({s}2, "xy");')
    g.emit(f"{s}[({g.expression(1)}) & 7] = 'a' + (({g.expression(1)}) & 15);")
    g.emit(f"int {s}n = strlen({s}2) * 100 + strlen({s}), {s}c = strcmp({s}, {s}2) < 0;")
    g.emit(f"char *{s}p = strchr({s}2, {g.random.choice(('120', '108', '0'))}); int {s}d = {s}p ? {s}p - {s}2 : -1;")
    g.emit(f"{s}c += 2 * (strncmp({s}, {s}2, 2) > 0) + 4 * (memcmp({s}, {s}2, 3) == 0); strncpy({s}2, {s}, 5);")
    g.emit(f"for (char *p = {s}2; *p; p++) {s}n = {s}n * 3 + *p;")
    g.declared(f"{s}n", f"{s}c", f"{s}d", f"{s}2[2]", f"{s}[1]")


def memory(g: Generator) -> None:
    """memcpy, memmove, memset over elements and over bytes of arrays."""
    kind, a = g.random.choice(TYPES), g.name("mem")
    g.emit(f"{kind} {a}[5] = {{ {g.expression(1)}, 2, 3, {g.expression(1)} }}, {a}2[5]; memcpy({a}2, {a}, sizeof {a});")
    g.emit(f"memmove({a} + 1, {a}, 3 * sizeof *{a}); memset({a}2 + 1, 0, 2 * sizeof({kind}));")
    g.emit(f"struct pair {a}s[2] = {{ s, t }}, {a}t; memcpy(&{a}t, &{a}s[1], sizeof {a}t); memcpy({a}s, &s, sizeof s);")
    g.emit(f"unsigned char {a}b[4]; memset({a}b, {g.random.choice((1, 255, -1, 300))}, sizeof {a}b);")
    g.declared(f"{a}[1]", f"{a}[3]", f"{a}2[1]", f"{a}2[3]", f"{a}t.a", f"{a}s[0].b[1]", f"{a}b[2]")


def heap(g: Generator) -> None:
    """A list, an array that grows, and cleared memory."""
    kind, h = g.random.choice(TYPES), g.name("heap")
    g.head.append(f"struct {h} {{ {kind} v; struct {h} *next; }};")
    g.emit(f"struct {h} *{h} = 0; long {h}sum = 0;")
    g.emit(f"for (int i = 0; i < {g.random.randint(1, 4)}; i++) {{ struct {h} *n = malloc(sizeof *n);")
    g.emit(f"n->v = {g.expression(1)}; n->v += i; n->next = {h}; {h} = n; }}")
    g.emit(f"for (struct {h} *p = {h}; p != 0; p = p->next) {h}sum = {h}sum * 2 + p->v;")
    g.emit(f"{kind} *{h}a = calloc(3, sizeof({kind})), *{h}m = malloc(4 * sizeof *{h}m);")
    g.emit(f"for (int i = 0; i < 4; i++) {h}m[i] = i * 3; {h}a[1] = {h}m[2];")
    g.emit(f"{h}m = realloc({h}m, 6 * sizeof *{h}m); {h}m[5] = {h}m[3]; free({h}->next);")
    g.declared(f"{h}->v", f"{h}sum", f"{h}a[0]", f"{h}a[1]", f"{h}m[3]", f"{h}m[5]")


LIBRARY_FEATURES = (strings, memory, heap)
