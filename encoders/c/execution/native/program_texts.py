"""The texts of a program's files as the compiler gets them for a native run."""

import os
import re
from pathlib import Path

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.source.preprocessor import read_source

MAIN_OF_PROGRAM = "chcverify_main_of_program"


@dataclass(frozen=True)
class ProgramText:
    """The text of one file, its name, and the flags of the compiler for it."""

    text: str
    file: str
    flags: tuple[str, ...] = ()


def program_texts(program: ir.Program) -> tuple[ProgramText, ...]:
    """The files' texts; where the program begins with a harness, that has the name main. Raises SourceError."""
    sources = program.sources
    if not sources:
        return (ProgramText(read_source(Path(program.file)), program.file),)
    found = []
    for source in sources:
        text, flags = read_source(Path(source.path)), source.flags
        if program.harness is not None:
            flags = (*flags, f"-Dmain={MAIN_OF_PROGRAM}")
            if source.path == program.harness.file:
                gives = program.functions[program.harness.entry].result is not None
                text = f"{text}\n#undef main\n{_as_main(program.harness, gives)}"
        found.append(ProgramText(text, source.path, flags))
    return tuple(found)


def absolute(flag: str) -> str:
    """A flag of the preprocessor with its path from the root, since gcc runs elsewhere."""
    for option in ("-iquote", "-isystem", "-idirafter", "-include", "-imacros", "-I"):
        if flag.startswith(option) and os.path.exists(flag.removeprefix(option)):
            return option + os.path.abspath(flag.removeprefix(option))
    return flag


def _as_main(harness: ir.HarnessCode, gives: bool) -> str:
    """The harness with main around it.

    gives: has the entry a result? It is kept: gcc leaves out calls of functions with the attribute const or pure whose
    results are not used.
    """
    text = harness.text
    if gives:
        call = rf"^(\s*)({re.escape(harness.entry)}\(.*\));$"
        text = re.sub(call, r"\1__typeof__(\2) chcverify_result = \2;", text, flags=re.MULTILINE)
    return f"{text}\nint main(void) {{ {harness.function}(); return 0; }}\n"
