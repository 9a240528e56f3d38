"""The flags of a compiler's command line: those that the preprocessor needs, and those that change C's meaning."""

import os
import re
from collections.abc import Sequence

from chcverify.errors import InputError
from chcverify.quick_dataclass import dataclass

_PATHS = ("-I", "-iquote", "-isystem", "-idirafter", "-include", "-imacros")  # with a path, joined or apart
_MACROS = ("-D", "-U")
# Flags with an argument of their own that have no influence on what is verified.
_SKIPPED_WITH_ARGUMENT = frozenset(
    ["-o", "-MF", "-MT", "-MQ", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-L", "-l", "-T", "-u", "-z", "-aux-info",
     "--param", "-arch", "-target", "--target", "-G", "-wrapper", "-e", "-Xclang", "-mllvm"]
)  # fmt: skip
_KEPT = ("-nostdinc", "-undef", "-pthread", "-ansi")
# The patterns are compiled at their first use: most runs have no such flags.
# Of -m: instruction sets, which define macros. The others describe machines that this compiler may not know.
_INSTRUCTIONS = r"-m(?:no-)?(?:sse|avx|aes|fma|bmi|popcnt|pclmul|sha|adx|rdrnd|rdseed|lzcnt)[\w.=-]*"
# What changes the meaning of programs, and is not modelled.
_REFUSED = (
    r"-f(?:unsigned-char|no-signed-char|unsigned-bitfields|no-signed-bitfields|short-enums|short-double|short-wchar|"
    r"pack-struct.*|ms-extensions|plan9-extensions|trapv|openmp|openacc|cilkplus|gnu-tm|leading-underscore)|"
    r"-m(?:ms-bitfields|no-align-double|align-double|x32|16|long-double-64|long-double-128|96bit-long-double|"
    r"sysv-abi|ms-abi|be|big-endian)|-traditional(?:-cpp)?|--sysroot.*|-isysroot.*|-iwithprefix.*|-iprefix.*|"
    r"-finput-charset.*|-fexec-charset.*|-fwide-exec-charset.*|-B.+"
)
_STANDARDS = r"-std=(?:c|gnu|iso9899:)(?:89|90|99|11|17|18|23|2x|1x|9x|1990|199409|1999|199x|2011|2017|2018|2024)"


@dataclass(frozen=True)
class CompilerCall:
    """What a compiler is called with."""

    flags: tuple[str, ...]
    """Of the preprocessor, an option and its argument in one word."""
    files: tuple[str, ...]
    data_model: str | None = None
    """That the flags choose, None if they choose none."""
    language: str = ""
    """Of -x, "" without it."""


def read_call(arguments: Sequence[str], directory: str, where: str, native: bool = True) -> CompilerCall:
    """The call with these arguments, the compiler's name excepted.

    directory: that relative paths are in, "" for the present one. where: named in errors. native: is
    it a compiler for this kind of machine? Else its instruction sets are left out. Raises InputError for a flag
    that lacks its argument, or that changes the meaning of programs in a sense that is not modelled.
    """
    flags: list[str] = []
    files: list[str] = []
    model, language = None, ""
    words = list(arguments)
    position = 0
    while position < len(words):
        word = words[position]
        position += 1
        option = next((name for name in (*_PATHS, *_MACROS, "-x") if _is_option(word, name)), None)
        if option is not None:
            value = word[len(option) :]
            if not value:
                if position == len(words):
                    raise InputError(where, 0, 0, f"the flag {option} needs an argument")
                value = words[position]
                position += 1
            if option == "-x":
                language = value
            else:
                flags.append(option + (_located(value, directory, option) if option in _PATHS else value))
        elif word in _SKIPPED_WITH_ARGUMENT:
            position += 1
        elif word in ("-m32", "-m64"):
            model = {"-m32": "ILP32", "-m64": "LP64"}[word]
        elif not word.startswith("-") or word == "-":
            files.append(word)
        else:
            flags += _plain(word, where, native)
    return CompilerCall(tuple(flags), tuple(files), model, language)


def _is_option(word: str, name: str) -> bool:
    """Is it the option, alone or with its argument joined? (`-include-pch` is another option.)"""
    return word == name or (word.startswith(name) and word[len(name)] != "-")


def _located(path: str, directory: str, option: str) -> str:
    """The path from here. What -include names without a directory may be anywhere on the search path."""
    if not directory or os.path.isabs(path) or path.startswith("="):
        return path
    joined = os.path.join(directory, path)
    if option in ("-include", "-imacros") and not os.path.exists(joined):
        return path
    return joined


def _plain(word: str, where: str, native: bool) -> list[str]:
    """The flag if the preprocessor is to get it; InputError if it is not modelled."""
    if word.startswith("-std="):
        if not re.fullmatch(_STANDARDS, word):
            raise InputError(where, 0, 0, f"the flag {word} is no standard of C that is supported")
        return [word]
    if re.fullmatch(_REFUSED, word):
        raise InputError(where, 0, 0, f"the flag {word} changes the meaning of programs and is not modelled")
    if word in _KEPT or (native and (re.fullmatch(_INSTRUCTIONS, word) or word.startswith("-march="))):
        return [word]
    return []
