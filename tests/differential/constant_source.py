"""Random constant expressions, literals and strings."""

import random

from encoders.c.types.c_types import DataModel

_TYPES = (
    "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long",
    "long long", "unsigned long long", "float", "double", "long double", "_Bool", "void *", "char *", "int *",
)  # fmt: skip
GENERIC = f"_Generic(({{}}), {', '.join(f'{name}: {n + 1}' for n, name in enumerate(_TYPES))}, default: 0)"
_CASTS = (*_TYPES[:11], "_Bool")
_SUFFIXES = ("", "", "", "u", "U", "l", "L", "ul", "LU", "ll", "LL", "ull", "LLU")
_CHARACTERS = (
    "a",
    "\\n",
    "\\0",
    "\\377",
    "\\xff",
    "\\x7f",
    "\\'",
    "\\\\",
    "~",
    "\\e",
    "\\?",
    "\\12",
    "ab",
    "abcd",
    "\\0\\1",
)


def literal(source: random.Random, model: DataModel) -> str:
    """An integer or character constant."""
    choice = source.randrange(10)
    if choice == 0:
        return f"'{source.choice(_CHARACTERS)}'"
    if choice == 1:
        return f"{source.choice('LuU')}'{source.choice(_CHARACTERS[:8])}'"
    bits = source.choice((3, 8, 15, 16, 31, 32, 33, 62, 63))
    value = source.choice(((1 << bits) - 1, 1 << bits, source.randrange(1 << bits)))
    suffix = source.choice(_SUFFIXES)
    forms = (str(value), hex(value), f"0{value:o}", f"0b{value:b}", f"0X{value:X}")
    text = source.choice(forms)
    if value >= 1 << 63 and "u" not in suffix.lower() and text[0] != "0":
        suffix += "u"
    return text + suffix


def floating(source: random.Random) -> str:
    """A floating constant that an int can hold."""
    text = source.choice(
        ("1.5", "0.1", ".25", "3.", "1e3", "1.25e-2", "0x1.8p3", "0x.1p4", "0xAp-1", "16777217.0", "0.3", "123456.789",
         "1e-40", "4.9e-324", "0x1.000002p0", "2147483647.0")
    )  # fmt: skip
    return text + source.choice(("", "", "f", "F", "l", "L"))


def constant(source: random.Random, model: DataModel, depth: int) -> str:
    """An arithmetic constant expression without undefined behaviour."""
    if depth == 0 or source.randrange(5) == 0:
        return literal(source, model) if source.randrange(5) else floating(source)
    choice = source.randrange(8)
    left = constant(source, model, depth - 1)
    whole = f"({source.choice(_CASTS)})({_small(source, model, depth - 1)})"
    if choice == 0:
        return f"({source.choice('+-!')}({left}))"
    if choice == 1:
        return f"(~{whole})"
    if choice == 2:
        return f"({whole} {source.choice(('<<', '>>'))} {source.randrange(8)})"
    if choice == 3:
        return f"({whole} {source.choice(('/', '%'))} {source.randrange(1, 90)}{source.choice(_SUFFIXES)})"
    if choice == 4:
        return f"({left} ? {constant(source, model, depth - 1)} : {constant(source, model, depth - 1)})"
    if choice == 5:
        return f"({left} {source.choice(('<', '<=', '==', '!=', '>', '>=', '&&', '||'))} {whole})"
    if choice == 6:
        return f"({whole} {source.choice('&|^')} {literal(source, model)})"
    return f"({left} {source.choice('+-*')} {constant(source, model, depth - 1)})"


def _small(source: random.Random, model: DataModel, depth: int) -> str:
    return literal(source, model) if depth == 0 or source.randrange(2) else f"1 + {literal(source, model)}"


def string(source: random.Random, prefix: str) -> str:
    """A string literal, or several beside each other."""
    pieces = [
        "abc",
        "",
        "\\0x",
        "\\x41",
        "\\1",
        "23",
        "\\377",
        "é",
        "\\u00e9",
        "€",
        "\\U0001F600",
        "tab\\t",
        "a\\\\",
        '\\"',
    ]
    parts = ["".join(source.sample(pieces, source.randrange(3))) for _ in range(source.randrange(1, 3))]
    return " ".join([f'{prefix}"{parts[0]}"', *(f'{source.choice((prefix, ""))}"{part}"' for part in parts[1:])])
