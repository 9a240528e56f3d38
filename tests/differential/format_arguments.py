"""Random formats with arguments for sprintf and snprintf, and texts of numbers for strtod."""

import random

_WIDTHS = ("", "", "1", "5", "12", "*")
_PRECISIONS = ("", "", ".", ".0", ".3", ".10", ".*")
_SIZES = {
    "": ("int", (0, 1, -1, 9, -10, 255, 2147483647, -2147483648)),
    "l": ("long", (0, -1, 1 << 40, -(1 << 62))),
    "ll": ("long long", (0, 7, (1 << 63) - 1)),
    "z": ("unsigned long", (0, 12, 1 << 33)),
    "hh": ("int", (0, 255, -129, 65)),
    "h": ("int", (0, 65535, -70000, 8)),
}


def formatted(rng: random.Random) -> str:
    """A format and its arguments, as they stand in a call."""
    text, arguments = "", []
    for _ in range(rng.randint(0, 3)):
        text += rng.choice(("", "x", " = ", "%%", "\\n"))
        flags = "".join(rng.sample("-+ #0", rng.choice((0, 0, 1, 2))))
        width, precision = rng.choice(_WIDTHS), rng.choice(_PRECISIONS)
        arguments += [str(rng.randint(-8, 8)) for part in (width, precision) if "*" in part]
        letter = rng.choice("ddiuxXocs")
        if letter == "s":
            flags = flags.replace("#", "").replace("0", "").replace("+", "").replace(" ", "")
            text += f"%{flags}{width}{precision}s"
            arguments.append(rng.choice(('""', '"a"', '"word"', '"several words"')))
        elif letter == "c":
            flags = "-" if "-" in flags else ""
            text += f"%{flags}{width}c"
            if "*" in precision:
                arguments.pop()
            arguments.append(rng.choice(("'a'", "0", "'%'")))
        else:
            size = rng.choice(list(_SIZES))
            kind, values = _SIZES[size]
            text += f"%{flags}{width}{precision}{size}{letter}"
            arguments.append(f"({kind}){rng.choice(values)}ll".replace("(int)-2147483648ll", "(-2147483647 - 1)"))
    return ", ".join((f'"{text}."', *arguments))


def number_text(rng: random.Random) -> str:
    """A decimal number that the models of strtod and strtof convert exactly, perhaps with something around it."""
    digits = str(rng.randint(0, 10 ** rng.randint(1, 7) - 1))
    point = rng.randint(0, len(digits))
    text = digits[:point] + rng.choice((".", "", ".")) + digits[point:] if rng.random() < 0.7 else digits
    power = rng.choice(("", "", f"e{rng.randint(-3, 3)}", f"E+{rng.randint(0, 3)}", "e", "e+", "e-x"))
    return rng.choice(("", " ", "\\t-", "+", "-", "")) + text + power + rng.choice(("", "x", " 1", ".", "-"))
