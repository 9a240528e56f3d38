"""Makefiles of CBMC's starter kit: what a proof links, with which flags, and the function where it begins."""

import os
import re
import shlex
from dataclasses import field
from pathlib import Path

from chcverify.effort import MAX_COMPARED
from chcverify.errors import InputError
from chcverify.inputs.compiler_flags import read_call
from chcverify.options import SourceFile
from chcverify.quick_dataclass import dataclass

COMMON = "Makefile.common"  # of the starter kit, in the directory above the proofs
_ASSIGNMENT = re.compile(r"\s*(?:export\s+)?([A-Za-z_][\w-]*)\s*(\?=|\+=|:=|::=|=)\s*(.*)")
_CONDITION = re.compile(r"\s*(ifeq|ifneq|ifdef|ifndef)\b\s*(.*)")


@dataclass(frozen=True)
class Proof:
    """sources: the files with their flags, the proof's own ones first. entry: the function where the proof begins."""

    sources: tuple[SourceFile, ...]
    entry: str


def read_proof(path: str) -> Proof:
    """The proof that the Makefile at `path`, or in that directory, describes. Raises InputError."""
    file = Path(path) / "Makefile" if Path(path).is_dir() else Path(path)
    makefile = _Makefile(file.resolve().parent)
    makefile.read(file)
    if missing := [name for name in ("HARNESS_ENTRY", "PROOF_SOURCES") if not makefile.words(name)]:
        raise InputError(str(file), 0, 0, f"no Makefile of a CBMC proof: it does not define {missing[0]}")
    flags = read_call([*makefile.flags("INCLUDES"), *makefile.flags("DEFINES")], "", str(file)).flags
    removed = tuple(dict.fromkeys(makefile.words("REMOVE_FUNCTION_BODY")))
    own = dict.fromkeys(map(makefile.path, makefile.words("PROOF_SOURCES")))
    project = dict.fromkeys(map(makefile.path, makefile.words("PROJECT_SOURCES")))
    sources = [SourceFile(source, flags) for source in own]
    sources += [SourceFile(source, flags, removed, shadowed=True) for source in project if source not in own]
    for source in sources:
        if not os.path.exists(source.path):
            raise InputError(str(file), 0, 0, f"names {source.path}, which does not exist")
    return Proof(tuple(sources), makefile.words("HARNESS_ENTRY")[0])


@dataclass
class _Makefile:
    """The variables of a Makefile and of those that it includes. directory: of the proof.

    Rules are not read. Of functions `abspath`, `dir` and `strip` are known; others give nothing, as `shell` does: the
    numbers of unwindings, which the kit computes with it, are not needed.
    """

    directory: Path
    variables: dict[str, str] = field(default_factory=dict)
    fixed: dict[str, str] = field(default_factory=dict)  # what the kit computes from the names of its own files
    includes: int = 0

    def __post_init__(self) -> None:
        self.fixed["PROOFDIR"] = str(self.directory)

    def read(self, file: Path) -> None:
        """Reads the variables of a file. Raises InputError if that is not possible."""
        self.includes += 1
        if self.includes > MAX_COMPARED:
            raise InputError(str(file), 0, 0, "includes itself, or too many files")
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(str(file), 0, 0, f"cannot be read: {error}") from error
        if file.name == COMMON:
            root = file.resolve().parent
            self.fixed |= {"PROOF_ROOT": str(root), "CBMC_ROOT": str(root.parent)}
        taken: list[bool] = []  # of each open conditional: does its present branch count?
        done: list[bool] = []  # has one of its branches counted?
        for line in re.sub(r"\\\n", " ", text).splitlines():
            if line.startswith("\t"):
                continue
            line = _without_comment(line)
            if self._conditional(line, taken, done) or not all(taken):
                continue
            if match := re.match(r"\s*(-|s)?include\s+(.*)", line):
                for name in self.expand(match[2]).split():
                    if (file.parent / name).exists() or match[1] is None:
                        self.read(self._included(file, name))
            elif match := _ASSIGNMENT.fullmatch(line):
                self._assign(*match.groups())

    def _included(self, file: Path, name: str) -> Path:
        """Names of included files are relative to the proof's directory; those of the kit's own files, to theirs."""
        return self.directory / name if (self.directory / name).exists() else file.parent / name

    def _conditional(self, line: str, taken: list[bool], done: list[bool]) -> bool:
        """Is the line one of a conditional? Keeps the branches that are open."""
        words = line.split(None, 1)
        if not words or words[0] not in ("ifeq", "ifneq", "ifdef", "ifndef", "else", "endif"):
            return False
        if words[0] == "endif":
            if taken:
                taken.pop()
                done.pop()
        elif words[0] == "else":
            if taken:
                rest = words[1] if len(words) > 1 else ""
                taken[-1] = not done[-1] and (not rest or self._holds(rest))
                done[-1] |= taken[-1]
        else:
            taken.append(all(taken) and self._holds(line))
            done.append(taken[-1])
        return True

    def _holds(self, condition: str) -> bool:
        match = _CONDITION.fullmatch(condition)
        if match is None:
            return False
        word, rest = match.groups()
        if word in ("ifdef", "ifndef"):
            return bool(self.value(rest.strip())) == (word == "ifdef")
        inner = rest.strip().removeprefix("(").removesuffix(")")
        one, other = _split(inner)
        return (self.expand(one).strip() == self.expand(other).strip()) == (word == "ifeq")

    def _assign(self, name: str, operator: str, text: str) -> None:
        if name in self.fixed:
            return
        if operator == "+=":
            before = self.variables.get(name)
            self.variables[name] = text if before is None else f"{before} {text}"
        elif operator != "?=" or name not in self.variables:
            self.variables[name] = self.expand(text) if operator in (":=", "::=") else text

    def value(self, name: str) -> str:
        """The expanded value of a variable, "" if it has none."""
        return self.fixed[name] if name in self.fixed else self.expand(self.variables.get(name, ""))

    def words(self, name: str) -> list[str]:
        """The words of a variable's value."""
        return self.value(name).split()

    def flags(self, name: str) -> list[str]:
        """The words of a variable's value as a shell takes them."""
        try:
            return shlex.split(self.value(name))
        except ValueError as error:
            raise InputError(str(self.directory), 0, 0, f"{name} of its Makefile: {error}") from error

    def path(self, word: str) -> str:
        """The name of a file that stands in the Makefile."""
        return os.path.normpath(self.directory / word)

    def expand(self, text: str, depth: int = 0) -> str:
        """The text with the values of variables and of known functions."""
        if depth > MAX_COMPARED:
            return ""
        found = []
        position = 0
        while (start := text.find("$", position)) >= 0 and start + 1 < len(text):
            found.append(text[position:start])
            if text[start + 1] not in "({":
                found.append("$" if text[start + 1] == "$" else "")
                position = start + 2
                continue
            end = _closing(text, start + 1)
            found.append(self._reference(text[start + 2 : end], depth + 1))
            position = end + 1
        return "".join(found) + text[position:]

    def _reference(self, inner: str, depth: int) -> str:
        """The value of `$(inner)`."""
        name, _, arguments = inner.partition(" ")
        if not arguments:
            known = self.fixed.get(name)
            return self.expand(self.variables.get(name, ""), depth) if known is None else known
        words = self.expand(arguments, depth).split()
        if name == "abspath":
            return " ".join(self.path(word) for word in words)
        if name == "dir":
            return " ".join(os.path.dirname(word) + "/" for word in words)
        return " ".join(words) if name == "strip" else ""


def _without_comment(line: str) -> str:
    return re.sub(r"(^|[^\\])#.*", r"\1", line).rstrip()


def _closing(text: str, start: int) -> int:
    """The position of the bracket that closes the one at `start`; the end of the text if there is none."""
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] in "({") - (text[position] in ")}")
        if depth == 0:
            return position
    return len(text)


def _split(text: str) -> tuple[str, str]:
    """The parts before and after the first comma outside of brackets."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character in "({") - (character in ")}")
        if character == "," and depth == 0:
            return text[:position], text[position + 1 :]
    return text, ""
