"""Makes random programs with pointers, most of them with one fault or a few.

Names of the file's scope begin with `@`, which is replaced, so that many programs fit into one file.
"""

import random
from dataclasses import dataclass, field

HELPERS = """\
static int @pick(int n) { int v = __VERIFIER_nondet_int(); if (v < 0) v = -(v + 1); return n > 0 ? v % n : 0; }
struct @node { struct @node *next; int value; };
struct @box { int n; int *data; char tag[4]; };
static int @ga[5] = {1, 2, 3, 4, 5};
static int *@gp; static int @gpn;
static struct @node *@gh;
static unsigned @acc;
static void @fill(int *p, int n, int v) { for (int i = 0; i < n; i++) p[i] = v + i; }
static int @sum(const int *p, int n) { unsigned s = 0; while (n-- > 0) s += *p++; return s % 1000; }
static int *@make(int n) { int *p = malloc(n * sizeof *p); @fill(p, n, 1); return p; }
static unsigned long @word(int n) { int *p = @make(n); return (unsigned long)p; }
static void @drop(int **p) { free(*p); *p = 0; }
static int *@again(int *p, int n) { int *q = p; return q + (n > 1); }
static int *@local(int v) { int x = v; int *p = &x; return p; }
static int @shift(int *p, int n) { for (int i = n - 1; i > 0; i--) p[i] = p[i - 1]; return n; }
static struct @node *@cons(struct @node *next, int v) {
  struct @node *p = malloc(sizeof *p);
  p->next = next;
  p->value = v;
  return p;
}
static void @free_all(struct @node *p) { while (p) { struct @node *q = p->next; free(p); p = q; } }
static int @on_stack(int n, int extra) {
  char *a = alloca(n);
  for (int i = 0; i < n + extra; i++) a[i] = i;
  return a[0];
}
static int @variable(int n, int extra) { int v[n]; for (int i = 0; i < n + extra; i++) v[i] = i; return v[n - 1]; }
"""


@dataclass(frozen=True)
class MemoryProgram:
    """A program: its text, with `@` before names of the file's scope, and the values of its inputs."""

    text: str
    inputs: tuple[int, ...]

    def named(self, prefix: str) -> str:
        """The text with a prefix in front of names of the file's scope."""
        return self.text.replace("@", prefix)


def make(seed: int, fault_rate: float = 0.05) -> MemoryProgram:
    """The program of a seed. fault_rate: how often a statement is wrong."""
    rng = random.Random(seed)
    text = _Generator(rng, fault_rate if rng.random() < 0.8 else 0.0).text()
    return MemoryProgram(text, tuple(rng.choice((rng.randint(0, 9), rng.randint(-50, 50))) for _ in range(200)))


@dataclass
class _Generator:
    """ints: pointers to int with their length and whether they own a block, in variables of the program."""

    rng: random.Random
    fault_rate: float
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    loops: int = 0
    names: int = 0
    ints: tuple[str, ...] = ("p", "q", "r")
    texts: tuple[str, ...] = ("s", "t")
    lists: tuple[str, ...] = ("h", "k")

    def text(self) -> str:
        self.emit("int *p = 0, *q = 0, *r = 0, *w = 0; int pn = 0, qn = 0, rn = 0, wn = 0, po = 0, qo = 0, ro = 0;")
        self.emit("char *s = 0, *t = 0; int sn = 0, tn = 0, so = 0, to = 0;")
        self.emit("struct @node *h = 0, *k = 0, *c = 0; struct @box *b = 0; int x = 1;")
        self.statements(self.rng.randint(6, 24))
        self.epilogue()
        body = "\n".join(self.lines)
        return f"{HELPERS}int @main(void) {{\n{body}\n}}\n"

    def emit(self, *lines: str) -> None:
        self.lines += ["  " * self.depth + line for line in lines]

    def faulty(self, times: int = 1) -> bool:
        """True for a wrong statement. times: as often as others."""
        return self.rng.random() < times * self.fault_rate

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def statements(self, count: int) -> None:
        makers = (
            *(self.allocation,) * 3, *(self.access,) * 5, *(self.release,) * 2, self.alias, self.reallocation,
            self.block, self.loop, self.choice, *(self.string,) * 4, *(self.linked,) * 5, self.boxed, self.call,
            self.table, self.global_access, self.jump, self.copy,
        )  # fmt: skip
        for _ in range(count):
            self.rng.choice(makers)()

    # --- blocks of ints ---------------------------------------------------------------------------------------------

    def allocation(self) -> None:
        p = self.rng.choice(self.ints)
        count = self.rng.choice((str(self.rng.randint(1, 6)), "1 + @pick(5)"))
        n = self.fresh()
        self.emit(f"int {n} = {count};")
        if not self.faulty():
            self.emit(f"if ({p}o) free({p});")
            self.clear_alias()
        size = "sizeof(short)" if self.faulty() else f"sizeof *{p}"
        make = self.rng.choice((f"malloc({n} * {size})", f"calloc({n}, {size})", f"@make({n})", f"(int *)@word({n})"))
        self.emit(f"{p} = {make}; {p}n = {n}; {p}o = 1;")
        self.emit(f"for (int i = 0; i {self.less()} {n}; i++)", f"  {p}[i] = i + {self.rng.randint(0, 9)};")

    def less(self) -> str:
        return "<=" if self.faulty() else "<"

    def clear_alias(self) -> None:
        if not self.faulty():
            self.emit("w = 0; wn = 0; @gp = 0; @gpn = 0;")

    def access(self) -> None:
        p = self.rng.choice((*self.ints, "w", "w"))
        guard = "" if self.faulty() else f"if ({p}n > 0) "
        index = f"@pick({p}n)" if guard else "0"
        if guard and self.faulty():
            index = self.rng.choice((f"@pick({p}n + 1)", f"{p}n", "-1", f"{p}n - 1 - @pick({p}n + 1)"))
        element = self.rng.choice((f"{p}[{index}]", f"(*({p} + {index}))", f"(*&{p}[{index}])"))
        self.emit(
            guard + self.rng.choice((f"{element} = x;", f"@acc += {element};", f"x = {element} % 7;", f"{element}++;"))
        )

    def release(self) -> None:
        p = self.rng.choice(self.ints)
        freed = (
            p if not self.faulty(3) else self.rng.choice((f"{p} + 1", "w", "&x", "@ga", f"({p} ? {p} + {p}n : {p})"))
        )
        guard = "" if self.faulty(3) else f"if ({p}o) "
        if self.rng.random() < 0.2:
            self.emit(f"{guard}@drop(&{p});")
        else:
            self.emit(f"{guard}free({freed});")
        if not self.faulty(3):
            self.emit(f"if ({p}o) {{ {p} = 0; {p}n = 0; {p}o = 0; }}")
            self.clear_alias()

    def alias(self) -> None:
        p, d = self.rng.choice(self.ints), self.fresh()
        self.emit(f"if ({p}n > 0) {{ int {d} = @pick({p}n); w = {p} + {d}; wn = {p}n - {d}; }}")
        if self.rng.random() < 0.3:
            self.emit("@gp = w; @gpn = wn;")

    def reallocation(self) -> None:
        p, n = self.rng.choice(self.ints), self.fresh()
        into = "w" if self.faulty() else p
        self.emit(f"if ({p}o) {{ int {n} = 1 + @pick(6);")
        self.emit(f"  {into} = realloc({p}, {n} * sizeof *{p});")
        self.emit(f"  for (int i = {p}n; i {self.less()} {n}; i++)", f"    {p}[i] = i;")
        self.emit(f"  {p}n = {n}; }}")
        self.clear_alias()

    def copy(self) -> None:
        p, q = self.rng.sample(self.ints, 2)
        n = f"({p}n < {q}n ? {p}n : {q}n)"
        if self.faulty():
            n = self.rng.choice((f"({p}n > {q}n ? {p}n : {q}n)", f"{p}n", f"{q}n + 1"))
        name = self.rng.choice(("memcpy", "memmove"))
        self.emit(f"if ({p} != {q} && {p}o && {q}o) {name}({p}, {q}, {n} * sizeof *{p});")

    def global_access(self) -> None:
        bound = "6" if self.faulty() else "5"
        self.emit(
            self.rng.choice(
                (
                    f"@ga[@pick({bound})] = x;",
                    f"@acc += @sum(@ga, {bound});",
                    "if (@gpn > 0) *@gp = x;",
                    f"w = @ga + @pick(5); wn = 1{' + 5' if self.faulty() else ''};",
                )
            )
        )

    # --- control ----------------------------------------------------------------------------------------------------

    def nested(self, count: int) -> None:
        self.depth += 1
        if self.depth < 5:
            self.statements(count)
        self.depth -= 1

    def block(self) -> None:
        name, n = self.fresh(), self.rng.randint(1, 4)
        kind = self.rng.choice(("array", "scalar", "record"))
        # In the next iteration of a loop the block has the same address, and the sanitizer sees nothing wrong.
        self.emit("{ @gp = 0; @gpn = 0;")
        if kind == "array":
            self.emit(f"  int {name}[{n}] = {{1}}; w = {name}; wn = {n};")
        elif kind == "scalar":
            self.emit(f"  int {name} = 3; w = &{name}; wn = 1;")
        else:
            self.emit(f"  struct {{ int a; int d[{n}]; }} {name} = {{0}}; w = {name}.d; wn = {n};")
        self.nested(self.rng.randint(1, 4))
        self.clear_alias()
        self.emit("}")

    def loop(self) -> None:
        if self.loops >= 2:
            return self.access()
        i = self.fresh()
        self.loops += 1
        self.emit(f"for (int {i} = 0; {i} < {self.rng.randint(1, 3)}; {i}++) {{")
        self.nested(self.rng.randint(1, 4))
        if self.rng.random() < 0.4:
            y = self.fresh()
            self.emit(
                "  @gp = 0; @gpn = 0;",
                f"  int {y} = {i}; w = &{y}; wn = 1; {self.rng.choice(('*w = x;', 'x += *w % 3;'))}",
            )
            if not self.faulty():
                self.emit("  w = 0; wn = 0; @gp = 0; @gpn = 0;")
            if self.rng.random() < 0.5:
                self.emit(f"  if (@pick(3) == 0) {self.rng.choice(('break', 'continue'))};")
        self.emit("}")
        self.loops -= 1
        return None

    def choice(self) -> None:
        self.emit(f"if (@pick({self.rng.randint(2, 4)}) == 0) {{")
        self.nested(self.rng.randint(1, 3))
        if self.rng.random() < 0.5:
            self.emit("} else {")
            self.nested(self.rng.randint(1, 3))
        self.emit("}")

    def jump(self) -> None:
        y, label = self.fresh(), self.fresh()
        self.emit(f"{{ @gp = 0; @gpn = 0; int {y} = 2; w = &{y}; wn = 1;")
        if not self.faulty():
            self.emit("  *w = x; w = 0; wn = 0; @gp = 0; @gpn = 0;")
        self.emit(f"  if (@pick(2)) goto {label};", f"  x = {y};", "}", f"{label}: ;")

    # --- strings ----------------------------------------------------------------------------------------------------

    def string(self) -> None:
        s, t = self.rng.sample(self.texts, 2)
        which = self.rng.randrange(7)
        if which <= 1:
            literal = '"' + "abcdefgh"[: self.rng.randint(0, 7)] + '"'
            if not self.faulty():
                self.emit(f"if ({s}o) free({s});")
            extra = "" if self.faulty() and literal != '""' else " + 1"
            self.emit(f"{s} = malloc(strlen({literal}){extra}); {s}n = strlen({literal}) + 1; {s}o = 1;")
            self.emit(f"strcpy({s}, {literal});")
        elif which == 2:
            comparison = "<=" if self.faulty() else "<"
            self.emit(f"if ({s}n > 0 && {t}n > 0 && (int)strlen({t}) {comparison} {s}n) strcpy({s}, {t});")
        elif which == 3:
            bound = f"strlen({s}) + 1" if self.faulty() else f"strlen({s})"
            self.emit(f"if ({s}n > 0 && {s}[0]) {s}[@pick((int)({bound}))] = 'x';")
        elif which == 4:
            extra = " + 1" if self.faulty() else ""
            self.emit(f"if ({s}n > 0) {{ memset({s}, 'y', {s}n{extra});", f"  {s}[{s}n - 1] = 0; }}")
        elif which == 5:
            c = self.fresh()
            self.emit(f"if ({s}n > 0) {{ const char *{c} = {s}; while (*{c}) {c}++; x = {c} - {s}; }}")
        else:
            self.emit(f"if ({s}n > 0) @acc += strlen({s});")

    # --- records ----------------------------------------------------------------------------------------------------

    def linked(self) -> None:
        """Complexity: one branch for each operation on lists."""
        h, v = self.rng.choice(self.lists), self.fresh()
        which = self.rng.randrange(8)
        if which <= 1:
            next_ = "0" if self.faulty() else h
            self.emit(f"{h} = @cons({next_}, x);")
        elif which == 2:
            guard = "" if self.faulty() else f"if ({h}) "
            keep = f"struct @node *{v} = {h}->next; free({h}); {h} = {v};"
            if self.faulty():
                keep = self.rng.choice((f"free({h}); {h} = {h}->next;", f"free({h});", f"{h} = {h}->next;"))
            self.emit(f"{guard}{{ {keep} }}")
        elif which == 3:
            start = f"if ({h}) " if not self.faulty() else ""
            self.emit(f"{start}{{ c = {h}; while (c->next) c = c->next;", "  c->next = @cons(0, x); c = 0; }")
        elif which == 4:
            guard = f"if ({h} && {h}->next) " if not self.faulty() else f"if ({h}) "
            self.emit(f"{guard}{{ c = {h}->next;", f"  {h}->next = c->next;")
            self.emit("  free(c);" if not self.faulty() else "  x = c->value;", "  c = 0; }")
        elif which == 5:
            self.emit(f"for (c = {h}; c; c = c->next) @acc += c->value;")
        elif which == 6:
            self.emit(f"@free_all({h});")
            if not self.faulty():
                self.emit(f"{h} = 0;")
        else:
            self.emit(
                f"{{ struct @node *{v} = 0; while ({h}) {{ c = {h}->next; {h}->next = {v}; {v} = {h}; {h} = c; }}"
            )
            self.emit(f"  {h} = {v}; }}" if not self.faulty() else f"  if (!{h}) c = 0; }}")

    def boxed(self) -> None:
        if not self.faulty():
            self.emit("if (b) { free(b->data);", "  free(b); }")
        n = self.rng.randint(1, 4)
        self.emit(f"b = malloc(sizeof *b); b->n = {n}; b->data = malloc({n} * sizeof(int)); memset(b->tag, 0, 4);")
        self.emit(f"for (int i = 0; i {self.less()} b->n; i++)", "  b->data[i] = i;")
        if self.rng.random() < 0.5:
            copy = self.fresh()
            self.emit(f"{{ struct @box {copy} = *b; {copy}.data[{copy}.n - 1] = x; b->tag[@pick(4)] = 1; }}")
        if self.rng.random() < 0.4:
            first, second = "free(b->data);", "free(b);"
            if self.faulty():
                first, second = second, first
            self.emit(first, second, "b = 0;")

    def call(self) -> None:
        p = self.rng.choice(self.ints)
        extra = " + 1" if self.faulty() else ""
        choices = [
            f"if ({p}n > 0) @fill({p}, {p}n{extra}, x);",
            f"@acc += @sum({p}, {p}n{extra});",
            f"if ({p}n > 0) @shift({p}, {p}n{extra});",
            f"x = @on_stack({self.rng.randint(1, 6)}, {int(self.faulty())});",
            f"x = @variable({self.rng.randint(1, 6)}, {int(self.faulty())});",
            f"if ({p}n > 0) {{ int *{self.fresh()} = @again({p}, {p}n); *v{self.names} = x; }}",
            f"@acc += @sum(@again(@ga, 2), {5 if self.faulty() else 4});",
        ]
        if self.faulty():
            choices = ["w = @local(x);", "x = *@local(x) % 5;", f"@make({self.rng.randint(1, 3)});"]
        self.emit(self.rng.choice(choices))

    def table(self) -> None:
        tab, n = self.fresh(), self.rng.randint(1, 3)
        on_heap = self.rng.random() < 0.5
        if on_heap:
            self.emit(f"{{ int **{tab} = malloc({n} * sizeof *{tab});")
        else:
            self.emit(f"{{ int *{tab}[{n}];")
        self.emit(f"  for (int i = 0; i {self.less()} {n}; i++) {{", f"    {tab}[i] = @make(2); }}")
        self.emit(f"  for (int i = 0; i < {n}; i++)", f"    @acc += {tab}[i][{2 if self.faulty() else 1}];")
        if not self.faulty():
            start = 1 if self.faulty() else 0
            self.emit(f"  for (int i = {start}; i < {n}; i++)", f"    free({tab}[i]);")
        if on_heap and not self.faulty():
            self.emit(f"  free({tab});")
        self.emit("}")

    def epilogue(self) -> None:
        for p in (*self.ints, *self.texts):
            if not self.faulty():
                self.emit(f"if ({p}o) free({p});")
        for h in self.lists:
            if not self.faulty():
                self.emit(f"@free_all({h});")
        if not self.faulty():
            self.emit("if (b) { free(b->data);", "  free(b); }")
        self.emit("return 0;")
