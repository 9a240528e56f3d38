"""Random declarations, each with questions about it that gcc and the front end must answer alike."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from encoders.c.types.c_types import DataModel

from .constant_source import GENERIC, constant, literal, string

_INTEGERS = (
    "_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
    "unsigned long", "long long", "unsigned long long",
)  # fmt: skip
_WIDTHS = {"_Bool": 1, "char": 8, "short": 16, "int": 32, "long long": 64}
_MODES = ("QI", "HI", "SI", "DI", "byte", "word", "pointer", "__QI__")


@dataclass(frozen=True)
class Type:
    """before and after: the text around a declared name. members: of a record, with the paths that reach them."""

    before: str
    after: str = ""
    integer: int = 0  # width in bits where it is an integer
    array: bool = True  # may it be the element of an array?
    members: tuple["Member", ...] = ()
    element: "Type | None" = None
    length: int = 0
    is_union: bool = False
    pointer: bool = False
    fragile: bool = False  # a flexible array member ends it

    def named(self, name: str) -> str:
        return f"{self.before} {name}{self.after}"


@dataclass(frozen=True)
class Member:
    path: str  # "" for unnamed bit-fields
    type: Type
    width: int | None = None


@dataclass
class Declaration:
    """One test: text, constant expressions to compare, names of objects whose bytes to compare, and
    (structure, bit-field) pairs whose signedness to compare."""

    text: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)
    signs: list[tuple[str, str]] = field(default_factory=list)


class Source:
    """Generates one declaration; `number` makes its names unlike those of others."""

    def __init__(self, seed: int, model: DataModel) -> None:
        self.random, self.model, self.number = random.Random(seed), model, seed
        self.result = Declaration()
        self.names = 0
        self.types = [Type(name, integer=self._width(name)) for name in _INTEGERS]
        self.types += [Type(name) for name in ("float", "double", "long double")]
        self.types += [Type("void *", pointer=True), Type("char *", pointer=True)]
        self.types.append(Type("int (*", ")(int)", pointer=True, array=False))
        if model.pointer == 8:
            self.types += [Type("__int128"), Type("unsigned __int128")]

    def _width(self, name: str) -> int:
        if name in ("long", "unsigned long"):
            return 8 * self.model.long
        return _WIDTHS[name.replace("unsigned ", "").replace("signed ", "")]

    def name(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.number}_{self.names}"

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def generate(self) -> Declaration:
        """The declaration with its questions."""
        kinds: list[tuple[int, Callable[[], None]]] = [
            (10, self._enumeration_alone), (15, self._typedef), (12, self._expression), (8, self._string),
            (3, self._linkage),
        ]  # fmt: skip
        for percent, kind in kinds:
            if self.chance(percent):
                kind()
        if not self.result.questions or self.chance(60):
            self._record_alone()
        return self.result

    # --- attributes

    def _aligned(self, largest: int = 6) -> str:
        if self.chance(8):
            return "aligned"
        number = 1 << self.random.randrange(largest)
        return self.random.choice((f"aligned({number})", f"__aligned__({number})", f"aligned({number} * sizeof(char))"))

    def _attribute(self, percent: int, packed: bool = True) -> str:
        if not self.chance(percent):
            return ""
        names = [self._aligned()] if not packed or self.chance(50) else []
        if packed and (not names or self.chance(30)):
            names.append(self.random.choice(("packed", "__packed__")))
        if self.chance(20):
            names.append("unused")
        return f" __attribute__(({', '.join(names)}))"

    # --- enumerations and typedefs

    def enumeration(self) -> Type:
        """An enumeration with values at the ends of ranges."""
        tag, attribute, bits = self.name("e"), "", self.random.choice((3, 7, 8, 15, 16, 31, 31, 31, 32, 62))
        if self.chance(30):
            attribute = " __attribute__((packed))"
        elif self.chance(20):
            mode = self.random.choice(_MODES[:4])
            bits = min(bits, {"QI": 7, "HI": 15, "SI": 31, "DI": 62}[mode])
            attribute = f" __attribute__((mode({mode})))"
        low = self.random.choice((0, 0, 1, -1, -(1 << bits)))
        high = self.random.choice(((1 << bits) - 1, (1 << bits) - 2, 0, 5 % (1 << bits)))
        values = self.random.sample([low, high, 0, 1], self.random.randrange(1, 5))
        names = [self.name("V") for _ in values]
        body = ", ".join(f"{name} = {_spelled(value)}" for name, value in zip(names, values, strict=True))
        if abs(values[-1]) < 1 << (bits - 1):
            names.append(self.name("V"))
            body += f", {names[-1]}"
        before, after = (attribute, "") if self.chance(50) else ("", attribute)
        self.result.text.append(f"enum{before} {tag} {{ {body} }}{after};")
        kind = f"enum {tag}"
        self.result.questions += [
            f"sizeof({kind})",
            f"_Alignof({kind})",
            f"({kind})-1 < 0",
            GENERIC.format(f"({kind})0"),
        ]
        for name in names:
            self.result.questions += [f"(long long){name}", f"sizeof({name})", GENERIC.format(name)]
        return Type(kind, integer=3)

    def _enumeration_alone(self) -> None:
        self.types.append(self.enumeration())

    def _typedef(self) -> None:
        for _ in range(self.random.randrange(1, 4)):
            base, name = self.random.choice(self.types), self.name("t")
            attribute, kept = "", base
            if base.integer and base.before in _INTEGERS[6:10] and self.chance(25):
                mode = self.random.choice(_MODES)
                attribute = f" __attribute__((mode({mode})))"
                kept = Type(base.before, integer=8)
            elif self.chance(60):
                attribute = f" __attribute__(({self._aligned(5)}))"
                kept = Type(base.before, base.after, base.integer, False, base.members, base.element, base.length,
                            base.is_union, base.pointer, base.fragile)  # fmt: skip
            if self.chance(50) and attribute:
                self.result.text.append(f"typedef{attribute} {base.named(name)};")
            else:
                self.result.text.append(f"typedef {base.named(name)}{attribute};")
            self.types.append(
                Type(name, "", kept.integer, kept.array, kept.members, kept.element, kept.length, kept.is_union,
                     kept.pointer, kept.fragile)
            )  # fmt: skip
            self.types.append(self.types[-1])
            self.result.questions += [f"sizeof({name})", f"_Alignof({name})", f"__alignof__({name})"]

    # --- records

    def _record_alone(self) -> None:
        for _ in range(self.random.randrange(1, 3)):
            if self.chance(15):
                self.types.append(self.enumeration())
            kind = self.record()
            self.types.append(kind)
            self._ask(kind)

    def record(self) -> Type:
        """A structure or union with a tag."""
        tag, is_union = self.name("s"), self.chance(25)
        members, body, fragile = self._members(is_union, 0)
        word = "union" if is_union else "struct"
        before, after = self._attribute(20), self._attribute(20)
        lines = [f"{word}{before} {tag} {{ {body} }}{after};"]
        if self.chance(15):
            push = f"#pragma pack(push, {1 << self.random.randrange(5)})"
            lines = [push, *lines, "#pragma pack(pop)"]
        self.result.text += lines
        return Type(f"{word} {tag}", members=tuple(members), is_union=is_union, array=not fragile, fragile=fragile)

    def _members(self, is_union: bool, depth: int) -> tuple[list[Member], str, bool]:
        members: list[Member] = []
        parts: list[str] = []
        count, fragile = self.random.randrange(1, 7), False
        for position in range(count):
            choice = self.random.randrange(100)
            if choice < 35:
                self._bit_field(members, parts)
            elif choice < 45 and depth < 2:
                inner_union = self.chance(50)
                inner, body, broken = self._members(inner_union, depth + 1)
                if broken:
                    continue
                word = "union" if inner_union else "struct"
                before, after = self._attribute(15), self._attribute(15)
                if self.chance(60):
                    members += inner if not inner_union else inner[:1]
                    parts.append(f"{word}{before} {{ {body} }}{after};")
                else:
                    name = self.name("m")
                    members.append(Member(name, Type("", members=tuple(inner), is_union=inner_union)))
                    parts.append(f"{word}{before} {{ {body} }}{after} {name};")
            elif choice < 50:
                nothing = ("int;", f"enum {{ {self.name('V')} }};", f"struct {self.name('s')} {{ int a; }};")
                parts.append(self.random.choice(nothing))
            else:
                last = position == count - 1 and depth == 0 and bool(members) and not is_union
                fragile |= self._plain_member(members, parts, last)
        return members, " ".join(parts), fragile

    def _bit_field(self, members: list[Member], parts: list[str]) -> None:
        base = self.random.choice([kind for kind in self.types if kind.integer])
        width = self.random.randrange(1, base.integer + 1)
        if self.chance(10):
            width = base.integer
        attribute = self._attribute(20)
        if self.chance(20):
            width = 0 if self.chance(50) else width
            parts.append(f"{base.before} : {width}{attribute};")
            members.append(Member("", base, width))
        else:
            name = self.name("b")
            parts.append(f"{base.before} {name} : {width}{attribute};")
            members.append(Member(name, base, width))

    def _plain_member(self, members: list[Member], parts: list[str], last: bool) -> bool:
        """Is it a flexible array?"""
        base, name = self.random.choice([kind for kind in self.types if not kind.fragile]), self.name("m")
        kind, flexible = base, False
        if base.array and not base.after and self.chance(25):
            flexible = last and self.chance(40)
            length = self.random.randrange(1, 4)
            kind = Type(base.before, "[]" if flexible else f"[{length}]", element=base, length=length)
        before, after = self._attribute(10), self._attribute(15)
        if not after and self.chance(5):
            before = " _Alignas(32)"
        parts.append(f"{before} {kind.named(name)}{after};")
        if not flexible:
            members.append(Member(name, kind))
        elif flexible:
            self.flexible = name
        return flexible

    def _ask(self, kind: Type) -> None:
        result, name = self.result, kind.before
        result.questions += [f"sizeof({name})", f"_Alignof({name})", f"__alignof__({name})"]
        variable = self.name("v")
        attribute = self._attribute(30, packed=False)
        result.text.append(f"{name} {variable}{attribute};")
        result.questions.append(f"_Alignof({variable})" if self.chance(50) else f"__alignof__ {variable}")
        for member in kind.members:
            if member.width is None:
                result.questions += [
                    f"__builtin_offsetof({name}, {member.path})", f"sizeof((({name} *)0)->{member.path})",
                    f"__alignof__({variable}.{member.path})",
                ]  # fmt: skip
            elif member.path:
                self._ask_bits(name, member)
        if self.chance(70):
            data = self.name("x")
            value = self.initialiser(kind, 0) if self.chance(60) else self._flat(kind)
            literal_of = f"({name}) " if self.chance(15) and not kind.fragile else ""
            result.text.append(f"{name} {data} = {literal_of}{value};")
            result.objects.append(data)

    def _ask_bits(self, record: str, member: Member) -> None:
        data = self.name("x")
        self.result.text.append(f"{record} {data} = {{ .{member.path} = -1 }};")
        self.result.objects.append(data)
        self.result.signs.append((record, member.path))
        access = f"(({record} *)0)->{member.path}"
        self.result.questions += [GENERIC.format(f"+{access}"), GENERIC.format(f"{access} + 1u")]

    # --- initialisers

    def initialiser(self, kind: Type, depth: int) -> str:
        """With braces, designators, ranges, or less than all of that."""
        if kind.element is not None:
            return self._array_initialiser(kind, depth)
        if not kind.members or kind.pointer:
            return self._scalar(kind)
        named = [member for member in kind.members if member.path]
        if not named:
            return "{ }"
        parts = []
        chosen = named[: self.random.randrange(len(named) + 1)] if not kind.is_union else named[:1]
        designated = self.chance(50) or kind.is_union
        if designated and not kind.is_union:
            chosen = self.random.sample(named, self.random.randrange(len(named) + 1))
        for member in chosen:
            value = (
                self.initialiser(member.type, depth + 1) if member.width is None else literal(self.random, self.model)
            )
            parts.append(f".{member.path} = {value}" if designated else value)
        if not designated and any(m.type.members for m in chosen):
            parts = parts[:1]
        return f"{{ {', '.join(parts)} }}"

    def _array_initialiser(self, kind: Type, depth: int) -> str:
        assert kind.element is not None
        parts = []
        for _ in range(self.random.randrange(kind.length + 1)):
            value = self.initialiser(kind.element, depth + 1)
            choice = self.random.randrange(4)
            low = self.random.randrange(kind.length)
            if choice == 0:
                value = f"[{low}] = {value}"
            elif choice == 1:
                value = f"[{low} ... {self.random.randrange(low, kind.length)}] = {value}"
            parts.append(value)
        text, plain = ", ".join(parts), [part for part in parts if not part.startswith("[")]
        if len(plain) != len(parts) and plain:
            text = ", ".join(part for part in parts if part.startswith("["))
        return f"{{ {text} }}"

    def _flat(self, kind: Type) -> str:
        """One pair of braces for all: the values of the first scalars, as many as it happens."""
        values = list(self._leaves(kind))
        parts = values[: self.random.randrange(len(values) + 1)]
        return f"{{ {', '.join(parts)} }}"

    def _leaves(self, kind: Type) -> Iterator[str]:
        if kind.element is not None:
            if kind.element.before in ("char", "unsigned char", "signed char") and self.chance(30):
                yield string(self.random, "")
                return
            for _ in range(kind.length):
                yield from self._leaves(kind.element)
        elif not kind.members or kind.pointer:
            yield self._scalar(kind)
        else:
            named = [member for member in kind.members if member.path]
            for member in named[:1] if kind.is_union else named:
                if member.width is not None:
                    yield literal(self.random, self.model)
                else:
                    yield from self._leaves(member.type)

    def _scalar(self, kind: Type) -> str:
        if kind.pointer:
            return "0"
        return constant(self.random, self.model, 1)

    # --- expressions, strings, linkage

    def _expression(self) -> None:
        for _ in range(4):
            text = constant(self.random, self.model, 3)
            self.result.questions += [f"(long long)({text})", GENERIC.format(text), f"sizeof({text})"]
        for kind in self.random.sample((*_INTEGERS, "float", "double", "long double"), 3):
            data = self.name("x")
            self.result.text.append(f"{kind} {data} = {constant(self.random, self.model, 2)};")
            self.result.objects.append(data)

    def _string(self) -> None:
        prefix, element = self.random.choice(
            (
                ("", "char"),
                ("", "unsigned char"),
                ("L", "int"),
                ("u", "unsigned short"),
                ("U", "unsigned"),
                ("u8", "char"),
            )
        )
        text, data = string(self.random, prefix), self.name("x")
        self.result.questions.append(f"sizeof({text})")
        length = self.random.choice(("", "", "3", "40"))
        self.result.text.append(f"{element} {data}[{length}] = {self.random.choice(('{}', '{{ {} }}')).format(text)};")
        self.result.questions.append(f"sizeof({data})")
        self.result.objects.append(data)

    def _linkage(self) -> None:
        data = self.name("x")
        forms = [f"extern int {data}[];", f"int {data}[3];", f"extern int {data}[3];", f"int {data}[];"]
        self.random.shuffle(forms)
        forms.insert(self.random.randrange(5), f"int {data}[3] = {{ 1, [2] = 7 }};")
        self.result.text += forms
        self.result.questions.append(f"sizeof({data})")
        self.result.objects.append(data)


def _spelled(value: int) -> str:
    if value < -(1 << 31):
        return f"({value + 1}LL - 1)"
    return f"({value})" if value < 0 else str(value)
