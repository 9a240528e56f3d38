"""Random C programs without undefined behaviour. Each ends by storing what it computed in out_0, out_1, ... and
calling finish(). What every program has is here, what some have is in features.py."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from .expressions import TYPES, Expressions

NONDET = {
    "char": "char",
    "unsigned char": "uchar",
    "short": "short",
    "unsigned short": "ushort",
    "int": "int",
    "unsigned int": "uint",
    "long": "long",
    "unsigned long": "ulong",
    "long long": "longlong",
    "_Bool": "bool",
    "double": "double",
    "float": "float",
}
_CLASSES = "alpha digit alnum upper lower space xdigit punct print cntrl"
_ONE = "floor ceil trunc round rint nearbyint fabs sqrt"
_TWO = "fmin fmax copysign fdim"
_DECLARED = [
    *(f"int is{name}(int);" for name in _CLASSES.split()),
    "int toupper(int); int tolower(int);",
    *(f"double {name}(double);" for name in _ONE.split()),
    *(f"double {name}(double, double);" for name in _TWO.split()),
    *(f"float {name}f(float);" for name in ("floor", "ceil", "fabs", "round")),
    *(f"extern {kind} __VERIFIER_nondet_{name}(void);" for kind, name in NONDET.items()),
]
HEADER = """extern void abort(void);
void *malloc(__SIZE_TYPE__); void *calloc(__SIZE_TYPE__, __SIZE_TYPE__); void *realloc(void *, __SIZE_TYPE__);
void free(void *); void *memcpy(void *, const void *, __SIZE_TYPE__); void *memset(void *, int, __SIZE_TYPE__);
void *memmove(void *, const void *, __SIZE_TYPE__); int memcmp(const void *, const void *, __SIZE_TYPE__);
__SIZE_TYPE__ strlen(const char *); char *strcpy(char *, const char *); char *strcat(char *, const char *);
char *strncpy(char *, const char *, __SIZE_TYPE__); int strcmp(const char *, const char *);
int strncmp(const char *, const char *, __SIZE_TYPE__); char *strchr(const char *, int); int abs(int);
char *strrchr(const char *, int); char *strstr(const char *, const char *); char *strpbrk(const char *, const char *);
__SIZE_TYPE__ strspn(const char *, const char *); __SIZE_TYPE__ strcspn(const char *, const char *);
__SIZE_TYPE__ strnlen(const char *, __SIZE_TYPE__); char *strncat(char *, const char *, __SIZE_TYPE__);
void *memchr(const void *, int, __SIZE_TYPE__); long labs(long); long long llabs(long long);
int atoi(const char *); long atol(const char *);
long strtol(const char *, char **, int);
void reach_error(){}
""" + "\n".join([*_DECLARED, ""])
OUTPUTS = 14


@dataclass
class Generator(Expressions):
    """bits: general bit operations and variable shifts occur (then only bit-vectors can express the program).
    features: each adds declarations, statements in main, and lvalues for what follows; some are drawn."""

    seed: int
    features: Sequence[Callable[["Generator"], None]]
    bits: bool = False
    depth: int = 2
    head: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    scalars: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.fresh = self.outputs = 0
        self.calls: list[str] = []
        self.functions: list[tuple[str, int]] = []
        self.parameters = "void"  # of main

    def program(self) -> str:
        """The text up to (not including) finish(); the caller adds that function and the outputs' declarations."""
        types = [self.random.choice(TYPES) for _ in range(3)]
        self.head = [f"{kind} g{i} = {self.random.randint(0, 100)};" for i, kind in enumerate(types)]
        self.head.append(f"struct pair {{ {self.random.choice(TYPES)} a; {self.random.choice(TYPES)} b[2]; }};")
        for number in range(self.random.randint(0, 2)):
            self.function(number)
        main = self.main()
        return HEADER + "\n".join(self.head) + "\n" + "\n".join(main) + "\n"

    # --- names --------------------------------------------------------------------------------------------------------

    def name(self, prefix: str) -> str:
        """A name that is not used elsewhere."""
        self.fresh += 1
        return f"{prefix}{self.fresh}_"

    def declared(self, *names: str) -> None:
        """From now on expressions may read these lvalues, and statements write them."""
        self.scalars += names
        self.targets += names

    def emit(self, *lines: str) -> None:
        self.lines += [f"  {line}" for line in lines]

    @contextmanager
    def scope(self, *names: str) -> Iterator[list[str]]:
        """A function's body, with parameters or other names of its own; its lines."""
        saved = self.lines, self.scalars, self.targets, self.calls
        self.lines, self.scalars, self.calls = [], [*names, "g0", "g1"], []
        self.targets = list(self.scalars)
        yield self.lines
        self.lines, self.scalars, self.targets, self.calls = saved

    # --- functions ----------------------------------------------------------------------------------------------------

    def function(self, number: int) -> None:
        arity = self.random.randint(1, 3)
        parameters = [f"{self.random.choice(TYPES)} p{i}" for i in range(arity)]
        recursive, pointer = self.random.random() < 0.3, self.random.random() < 0.4
        kind, name = self.random.choice(TYPES), f"f{number}"
        with self.scope(*(f"p{i}" for i in range(arity))) as lines:
            if recursive:
                parameters.insert(0, "int n")
                self.emit(f"if (n <= 0) return {self.expression(1)};")
                if self.random.random() < 0.3:
                    self.emit("int *self = &n; *self -= 1;")
            self.statements(2, 1)
            if pointer:
                parameters.insert(0, "int *to")
                self.declared("*to")
                self.emit("int local = *to; int *at = &local;")
                self.declared("*at", "local")
                self.statements(2, 1)
            result = self.expression(2)
            if recursive:
                where = [self.random.choice(("to", "at"))] if pointer else []
                arguments = [*where, "n - 1", *(self.expression(1) for _ in range(arity))]
                self.emit(f"{kind} r = {name}({', '.join(arguments)});")
                result = f"(r + {result})"
        self.head += [f"{kind} {name}({', '.join(parameters)}) {{", *lines, f"  return {result};", "}"]
        self.functions.append((f"{name}({', '.join([*['&cell'] * pointer, *['3'] * recursive, '{}'])})", arity))

    def call(self) -> str:
        """A call of one of the program's functions with simple arguments."""
        text, arity = self.random.choice(self.functions)
        return text.format(", ".join(self.expression(1) for _ in range(arity)))

    def main(self) -> list[str]:
        self.lines, self.scalars, self.targets = [], ["g0", "g1", "g2"], ["g0", "g1", "g2"]
        for i in range(self.random.randint(2, 5)):
            kind = self.random.choice(list(NONDET)[:-2])
            self.emit(f"{kind} v{i} = __VERIFIER_nondet_{NONDET[kind]}();")
            self.declared(f"v{i}")
        for i in range(2):
            self.emit(f"{self.random.choice(TYPES)} w{i} = {self.expression(2)};")
            self.declared(f"w{i}")
        self.emit(f"int cell = {self.expression(1)};")
        self.declared("cell")
        self.aggregates()
        if self.functions:
            self.emit(f"w0 = {self.call()};")
        features = self.random.sample(self.features, min(len(self.features), self.random.randint(0, 4)))
        for feature in features:
            feature(self)
            self.statements(1, 1)
        self.statements(5 - len(features), self.depth)
        if self.functions:
            self.emit(f"w1 = {self.call()};")
        outputs = self.scalars if len(self.scalars) <= OUTPUTS else self.random.sample(self.scalars, OUTPUTS)
        self.outputs = len(outputs)
        ends = [f"  out_{i} = {name};" for i, name in enumerate(outputs)]
        return [f"int main({self.parameters}) {{", *self.lines, *ends, "  finish();", "  return 0;", "}"]

    def aggregates(self) -> None:
        kind = self.random.choice(TYPES)
        size = self.random.choice((3, 4, 9, 70))
        self.emit(f"{kind} arr[{size}] = {{{self.expression(1)}, {self.expression(1)}}};")
        self.emit(f"struct pair s = {{{self.expression(1)}, {{{self.expression(1)}}}}}, t = s;")
        index = f"arr[({self.expression(1)}) & 1]" if self.bits else "arr[1]"
        self.declared("arr[0]", index, "s.a", "s.b[1]", "t.b[0]")
        if self.random.random() < 0.6:
            self.emit(f"{kind} *q = &arr[{self.random.randint(0, size - 1)}];")
            self.declared("*q")
        if self.random.random() < 0.5:
            self.emit("struct pair *r = &s;")
            self.declared("r->a", "r->b[1]")

    # --- statements ---------------------------------------------------------------------------------------------------

    def statements(self, count: int, depth: int) -> None:
        for _ in range(count):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        choice = self.random.random()
        if depth == 0 or choice < 0.5:
            self.emit(f"{self.assignment()};")
        elif choice < 0.6:
            step, target = self.random.choice(("++", "--")), self.random.choice(self.targets)
            self.emit(f"({target}){step};" if self.random.random() < 0.5 else f"{step}({target});")
        elif choice < 0.75:
            self.emit(f"if ({self.condition()}) {{")
            self.statements(2, depth - 1)
            self.emit("} else {")
            self.statements(1, depth - 1)
            self.emit("}")
        elif choice < 0.9:
            self.loop(depth)
        else:
            self.switch(depth)

    def loop(self, depth: int) -> None:
        counter, bound, way = self.name("i"), self.random.randint(1, 5), self.random.random()
        if way < 0.6:
            self.emit(f"for (int {counter} = 0; {counter} < {bound}; {counter}++) {{")
        elif way < 0.8:
            self.emit(f"int {counter} = 0;", f"while ({counter}++ < {bound}) {{")
        else:
            self.emit(f"unsigned {counter} = {bound};", "do {")
        if self.random.random() < 0.4:
            self.emit(f"if ({self.condition()}) {self.random.choice(('break', 'continue'))};")
        self.statements(2, depth - 1)
        self.emit("}" if way < 0.8 else f"}} while (--{counter} > 0);")

    def switch(self, depth: int) -> None:
        """Fall-through, and a default anywhere."""
        self.emit(f"switch ((int)({self.expression(1)}) % 4) {{")
        labels = [f"case {case}:" for case in range(self.random.randint(1, 3))] + ["default:"]
        if self.random.random() < 0.3:
            labels.insert(0, "case -3 ... -1:")
        self.random.shuffle(labels)
        for label in labels:
            self.emit(f"{label};")
            self.statements(1, depth - 1)
            if self.random.random() < 0.6:
                self.emit("break;")
        self.emit("}")
