"""Features of random programs that are about control: switches, jumps, recursion."""

from .generate import Generator


def switches(g: Generator) -> None:
    """Ranges, negative and large labels, all controlling types, nested ones, loops that continue from within."""
    s, kind = g.name("sw"), g.random.choice(("char", "unsigned char", "short", "int", "unsigned", "long long", "_Bool"))
    g.emit(
        f"int {s} = 0; for (int i = -2; i < 4; i++) {{"
        f" {kind} v = ({g.expression(1)}) + i * {g.random.choice((1, 60, 90))};"
    )
    g.emit(f"switch (v) {{ case -128 ... -1: {s} += 1; break; case 0: case 1: {s} += 10; if (i > 1) continue;")
    g.emit(
        f"default: {s} += 100; case 2 ... 60: {s} ^= 3;"
        f" switch (i) {{ case 0: {s}++; break; default: {s} += 5; }} break;"
    )
    g.emit(f"case 61 ... 200: {g.assignment()}; break; case 3000000000LL: {s} = 7; }}")
    g.emit(f"{s} = {s} * 3 % 10007; }}")
    g.declared(s)


def devices(g: Generator) -> None:
    """A switch into a loop, and labels inside blocks of one."""
    s, n = g.name("dev"), g.random.randint(1, 9)
    g.emit(f"int {s} = 0, {s}n = {n}; switch ({n} % 3) {{ case 0: do {{ {s} = {s} * 2 + 1;")
    g.emit(f"case 2: {s} += 3; case 1: {{ {s} ^= {s}n; if ({s} > 500) break; }} }} while (({s}n -= 3) > 0); }}")
    g.emit(f"switch ({n & 1}) {{ if (0) {{ case 1: {s} += 7; }} else {{ case 0: {s} -= 7; }} }}")
    g.declared(s, f"{s}n")


def descents(g: Generator) -> None:
    """Recursion with arrays and records of its own, whose addresses are handed down."""
    f, kind = g.name("des"), g.random.choice(("int", "short", "unsigned char", "long"))
    g.head += [
        f"struct {f} {{ struct {f} *up; {kind} v[2]; }};",
        f"static long {f}(struct {f} *up, int n) {{ struct {f} here = {{ up, {{ n, n * 3 }} }}; static int calls;",
        f"  if (n == 0) {{ long s = 0; for (struct {f} *p = &here; p; p = p->up) s = s * 2 + p->v[1];",
        "    return s + calls; }",
        f"  calls++; if (up) up->v[1] += n; long s = {f}(&here, n - 1);",
        f"  if (n & 1) s += {f}(up, n / 2); return s + here.v[1]; }}",
    ]
    g.emit(f"long {f} = ({f})(0, {g.random.randint(0, 4)});".replace(f"long {f} =", f"long {f}r ="))
    g.declared(f"{f}r")


def order(g: Generator) -> None:
    """Operands that calls beside them change: which is first is open; gcc takes the left one, if not narrow."""
    o, kind = g.name("ord"), g.random.choice(("int", "long", "unsigned", "long long"))
    g.head.append(f"static {kind} {o}f({kind} *p) {{ return *p += {g.random.randint(1, 9)}; }}")
    g.emit(f"{kind} {o}[2] = {{ {g.expression(1)}, 3 }}, *{o}p = {o} + {g.random.randint(0, 1)};")
    g.emit(f"long long {o}1 = {o}[0] + {o}f(&{o}[0]), {o}2 = ({o}[1] - 1) * {o}f({o} + 1);")
    g.emit(f"{o}1 += (*{o}p + 2) - {o}f({o}p); {o}2 += ({o}p[0] * 3 ^ {o}f({o}p)) - ({o}p[0] / 2 == {o}f({o}p));")
    g.head.append(f"static {kind} {o}h({kind} a, {kind} b, {kind} c) {{ return a * 5 + b * 3 + c; }}")
    g.emit(f"{o}1 ^= {o}h({o}[0], {o}f({o}), {o}[0] + 1) + {o}h({o}f({o}p), {o}f({o} + 1), {o}[1]);")
    g.declared(f"{o}1", f"{o}2", f"{o}[0]", f"*{o}p")


CONTROL_FEATURES = (switches, devices, descents, order)
