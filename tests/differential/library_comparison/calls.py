"""Random calls: objects of any kind, size and contents, pointers into them, counts."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from .functions import FUNCTIONS, Function, Role, Shown

_TYPES = """
typedef unsigned long size_t; typedef long ssize_t, off_t, time_t; typedef struct _IO_FILE FILE;
typedef unsigned mode_t, uid_t, gid_t, wint_t, useconds_t, uint32_t, socklen_t; typedef unsigned short uint16_t;
typedef int wchar_t, pid_t; typedef long clock_t;
"""
_LARGEST = 9  # elements of an object
INPUT_CHARACTER = 98  # all characters that are read
_LETTERS = "abbA1 ,-0"


class Storage(Enum):
    """Where an object is."""

    HEAP = "heap"
    STACK = "stack"
    STATIC = "static"
    FREED = "freed"


@dataclass(frozen=True)
class RandomObject:
    """An object. size: its elements; contents: of the first ones, the others are not written (static ones are zero)."""

    name: str
    storage: Storage
    size: int
    contents: tuple[int, ...]
    is_wide: bool

    @property
    def known(self) -> range:
        """The elements that have a value."""
        if self.storage is Storage.FREED:
            return range(0)
        return range(self.size if self.storage is Storage.STATIC else len(self.contents))

    def text(self) -> str:
        """Its declaration and contents."""
        kind = "int" if self.is_wide else "char"
        made = f"{kind} *{self.name} = malloc({self.size} * sizeof({kind}));"
        if self.storage in (Storage.STACK, Storage.STATIC):
            made = f"{'static ' if self.storage is Storage.STATIC else ''}{kind} {self.name}[{self.size}];"
        stores = "".join(f" {self.name}[{i}] = {value};" for i, value in enumerate(self.contents))
        return made + stores + (f" free({self.name});" if self.storage is Storage.FREED else "")


@dataclass(frozen=True)
class Call:
    """A call. number: in its program; text: of the C function that makes it; inputs: that it reads.

    everywhere: can valgrind see all accesses outside of its objects, which are blocks or null?
    """

    number: int
    function: Function
    text: str
    inputs: tuple[int, ...]
    everywhere: bool


@dataclass
class _Drawn:
    """What has been drawn for a call."""

    rng: random.Random
    number: int
    lines: list[str] = field(default_factory=list)
    objects: list[RandomObject] = field(default_factory=list)
    count: int = 0

    def argument(self, role: Role) -> str:
        rng = self.rng
        if role is Role.HOLDER:
            self.lines.append(f"char *holder = {self.pointer(role)};")
            return "&holder"
        if role.is_object:
            return self.pointer(role)
        match role:
            case Role.COUNT:
                self.count = rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12))
                return str(self.count)
            case Role.CHARACTER:
                return str(ord(rng.choice(_LETTERS))) if rng.random() < 0.8 else "0"
            case Role.BASE:
                return str(rng.choice((10, 10, 0, 16, 2, 36, 1, 37)))
            case Role.REAL:
                return rng.choice(("0.0", "1.5", "-2.25", "1e10", "0.5"))
            case Role.PLACE:
                self.lines.append("char *place = 0;")
                return "&place" if rng.random() < 0.7 else "(char **)0"
            case Role.FORMAT:
                return self.format()
        return {
            Role.STREAM: "stdout",
            Role.FILE: "1",
            Role.INPUT: "0",
            Role.INPUT_STREAM: "stdin",
            Role.ONE: "1",
            Role.ORDER: "order",
        }[role]

    def pointer(self, role: Role) -> str:
        """A pointer to a new object, into an older one, or a null pointer."""
        rng = self.rng
        if rng.random() < 0.04 or (role is Role.BLOCK and rng.random() < 0.15):
            return "0"
        same = [made for made in self.objects if made.is_wide == role.is_wide]
        if same and rng.random() < 0.2:
            made = same[0]
        else:
            made = self._object(role)
            self.objects.append(made)
            self.lines.append(made.text())
        exact = rng.random() < (0.75 if role is Role.BLOCK else 0.5)
        return f"{made.name} + {0 if exact else rng.randint(0, made.size)}"

    def _object(self, role: Role) -> RandomObject:
        rng = self.rng
        kinds = (Storage.HEAP,) * 5 + (Storage.STACK,) * 2 + (Storage.STATIC,) * 2 + (Storage.FREED,)
        storage, size = rng.choice(kinds), rng.randint(1, _LARGEST)
        length = rng.randint(0, size)
        contents = [ord(rng.choice(_LETTERS)) for _ in range(length)]
        if contents and rng.random() < 0.8:
            contents[rng.choice((-1, -1, -1, rng.randrange(length)))] = 0
        if rng.random() < 0.6:
            contents += [rng.choice((0, 98)) for _ in range(size - length)]
        if role is Role.BLOCK and rng.random() < 0.7:
            storage = Storage.HEAP
        return RandomObject(f"o{len(self.objects)}", storage, size, tuple(contents), role.is_wide)

    def format(self) -> str:
        """A format of output and what it asks for."""
        rng = self.rng
        text, given = "", list[str]()
        for _ in range(rng.randint(0, 3)):
            text += rng.choice(("", "a", " ", "%%", "\\n"))
            kind = rng.choice("ssssdduxcS")
            width = rng.choice(("", "", "3", "-4", "*"))
            given += [str(rng.randint(-3, 6))] if width == "*" else []
            if kind in "sS":
                precision = rng.choice(
                    ("", "", ".2", ".5", ".*")
                )  # of .0 sanitizers read a byte if kind == "s" else ""
                given += [rng.choice(("-1", "1", "2", "3", "6"))] if precision == ".*" else []
                is_wide = kind == "S" and rng.random() < 0.5
                text += f"%{width}{precision}{'ls' if is_wide else 's'}"
                given.append(self.pointer(Role.WIDE_READ if is_wide else Role.READ))
                if given[-1] == "0":
                    given[-1] = '"z"'
            else:
                text += f"%{width}{kind}"
                given.append(str(rng.randint(0, 127)))
        return ", ".join((f'"{text}"', *given))


def make(number: int, seed: int, names: Sequence[str]) -> Call:
    """The call of a seed."""
    rng = random.Random(seed)
    several = [name for name in names if any(role.is_object for role in FUNCTIONS[name].roles)]
    function = FUNCTIONS[rng.choice(several if several and rng.random() < 0.85 else names)]
    drawn = _Drawn(rng, number)
    arguments = [drawn.argument(role) for role in function.roles]
    call = f"{function.name}({', '.join(arguments)})"
    inputs = ((drawn.count,) if function.counts_input else ()) + (INPUT_CHARACTER,) * 40
    after = _hash(drawn.objects) if not {Role.BLOCK, Role.ORDER} & set(function.roles) else ""
    body = " ".join(
        (*drawn.lines, _shown(function.shown, call, drawn.objects), after, _frees(rng, function, drawn.objects))
    )
    blocks = all(made.storage in (Storage.HEAP, Storage.FREED) for made in drawn.objects)
    return Call(number, function, f"static void call_{number}(void) {{ {body} }}", inputs, blocks)


def _shown(shown: Shown, call: str, objects: Sequence[RandomObject]) -> str:
    if shown is Shown.VALUE:
        return f"out_0 = {call};"
    if shown is Shown.SIGN:
        return f"int r = {call}; out_0 = (r > 0) - (r < 0);"
    if shown is Shown.TRUTH:
        return f"out_0 = !!({call});"
    if shown is Shown.TEXT:
        return (
            f"char *r = {call}; for (unsigned long i = 0; i == 0 || r[i - 1]; i++) out_0 = out_0 * 31 + r[i]; free(r);"
        )
    if shown is Shown.POSITION and objects and objects[0].storage is not Storage.FREED:
        kind = "int" if objects[0].is_wide else "char"
        first, size = objects[0].name, objects[0].size
        found = f"for (long i = 0; i <= {size}; i++) if (r == {first} + i) out_0 = i;"
        return f"{kind} *r = {call}; out_0 = r ? -1 : -2; {found}"
    return f"{call};"


def _frees(rng: random.Random, function: Function, objects: Sequence[RandomObject]) -> str:
    """The blocks that are released at last, so that not every call loses some."""
    if {Role.BLOCK, Role.HOLDER} & set(function.roles):
        return ""
    blocks = [made for made in objects if made.storage is Storage.HEAP]
    return " ".join(f"free({made.name});" for made in blocks if rng.random() < 0.6)


def _hash(objects: Sequence[RandomObject]) -> str:
    """What is left in the objects' elements that had a value before."""
    parts = []
    for made in objects:
        if made.known:
            parts.append(
                f"for (int i = 0; i < {len(made.known)}; i++) out_1 = (out_1 * 31 + {made.name}[i]) % 1000003;"
            )
    return " ".join(parts)


def program(calls: Sequence[Call]) -> str:
    """A program that makes the call whose number it reads."""
    prototypes = sorted({call.function.prototype for call in calls})
    common = {"malloc", "free"}
    declared = [text for text in prototypes if not any(f" *{n}(" in text or f" {n}(" in text for n in common)]
    cases = " ".join(f"case {call.number}: call_{call.number}(); break;" for call in calls)
    return "\n".join(
        (
            _TYPES,
            "struct _IO_FILE; extern struct _IO_FILE *stdout, *stdin; extern int __VERIFIER_nondet_int(void);",
            "void *malloc(unsigned long); void free(void *); long long out_0, out_1;",
            "static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }",
            *(f"{text};" for text in declared),
            *(call.text for call in calls),
            f"int main(void) {{ switch (__VERIFIER_nondet_int()) {{ {cases} }} return 0; }}",
        )
    )
