"""Compares declarations with gcc: sizes, alignments, offsets, constants, types of expressions, bytes of objects.

`python -m tests.differential.declarations --count N --start K [--model ILP32]` compares N random declarations;
`tests.differential.program_layouts` takes those of programs and headers.
"""

import argparse
import collections
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pycparser import c_ast

from encoders.c.lowering.composition import Lowering, declare_file, file_lowering
from encoders.c.lowering.context import Unit
from encoders.c.lowering.symbols import GlobalVariable, Scope
from encoders.c.source.parser import parse, with_deep_stack
from encoders.c.source.preprocessor import preprocess
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import DATA_MODELS, LP64, CInteger, CRecord, DataModel
from encoders.c.types.record_layout import RecordLayouts

from .declaration_source import Declaration, Source
from .initial_memory import UNKNOWN, initial_bytes
from .native import GCC
from .object_file import ObjectFile

_BATCH = 200  # declarations for each run of gcc
_ANSWERS = "answers_of_gcc"
_FLAGS = ("-std=gnu11", "-w", "-fwrapv", "-O1", "-fdata-sections", "-ffunction-sections", "-fno-common",
          "-fcf-protection=none", "-fno-pic", "-fno-builtin")  # fmt: skip
_ONE = b"\xb8\x01\x00\x00\x00\xc3"  # the code of a function that returns 1, and of those that return 0
_ZERO = (b"\x31\xc0\xc3", b"\xb8\x00\x00\x00\x00\xc3")


_FLOATING = re.compile(r"\.\d|\d\.|\de-?\d|p[-\d]")


@dataclass(frozen=True)
class Mismatch:
    """kind: which comparison; detail: what was asked and what was answered; text: the declaration."""

    kind: str
    detail: str
    text: str


def compare(declarations: Sequence[Declaration], model: DataModel) -> list[Mismatch]:
    """What the front end and gcc answer differently about the declarations, which are taken in one batch."""
    kept, objects = _compiled(list(declarations), model)
    text = "\n".join(line for declaration in kept for line in declaration.text)
    return with_deep_stack(lambda: _ask_all(text, kept, objects, model))


# --- gcc


def _source(declarations: Sequence[Declaration]) -> tuple[str, list[int]]:
    """The program for gcc, and the index of the declaration that each line belongs to."""
    lines: list[str] = []
    owners: list[int] = []
    for index, declaration in enumerate(declarations):
        own = list(declaration.text)
        if declaration.questions:
            answers = ", ".join(f"(long long)({question})" for question in declaration.questions)
            own.append(f"const long long {_ANSWERS}_{index}[] = {{ {answers} }};")
        for number, (record, member) in enumerate(declaration.signs):
            value = f"static const {record} v = {{ .{member} = -1 }};"
            own.append(f"int sign_{index}_{number}(void) {{ {value} return v.{member} < 0; }}")
        lines += own
        owners += [index] * len(own)
    return "\n".join(lines) + "\n", owners


def _compiled(
    declarations: list[Declaration], model: DataModel
) -> tuple[list[Declaration], dict[str, list[int | None]]]:
    """The declarations that gcc accepts, and the bytes of all objects and functions."""
    assert GCC is not None
    mode = "-m64" if model is LP64 else "-m32"
    while True:
        text, owners = _source(declarations)
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "d.o")
            command = [GCC, mode, *_FLAGS, "-fmax-errors=0", "-c", "-o", str(out), "-x", "c", "-"]
            done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return declarations, ObjectFile(out.read_bytes()).objects()
        wrong = {owners[int(line) - 1] for line in re.findall(r"<stdin>:(\d+):\d+: error", done.stderr)}
        if not wrong:
            raise RuntimeError(done.stderr)
        declarations = [part for index, part in enumerate(declarations) if index not in wrong]


# --- the front end


def _ask_all(
    text: str, declarations: Sequence[Declaration], objects: dict[str, list[int | None]], model: DataModel
) -> list[Mismatch]:
    asked = "\n".join(
        f"const long long {_ANSWERS}_{index}[] = {{ {', '.join(declaration.questions)} }};"
        for index, declaration in enumerate(declarations)
        if declaration.questions
    )
    try:
        tree, attributes = parse(preprocess(f"{text}\n{asked}\n", "d.c", model), "d.c", model)
    except (SourceError, Unsupported) as error:
        if len(declarations) == 1:
            return [Mismatch(type(error).__name__, str(error), text)]
        return [mismatch for part in declarations for mismatch in _ask_alone(part, model)]
    lowering = file_lowering(Unit("d.c", RecordLayouts(model), attributes, declare_file), Scope())
    lowering.context.unit.scope = lowering.context.scope
    try:
        lowering.external_declarations.declare_file(tree)
    except SourceError as error:
        if len(declarations) == 1:
            return [Mismatch("SourceError", str(error), text)]
        return [mismatch for part in declarations for mismatch in _ask_alone(part, model)]
    found: list[Mismatch] = []
    for index, declaration in enumerate(declarations):
        asker = _Asker(lowering, declaration, objects, index)
        found += [*asker.questions(), *asker.contents(), *asker.signs()]
    return found


def _ask_alone(declaration: Declaration, model: DataModel) -> list[Mismatch]:
    kept, objects = _compiled([declaration], model)
    return _ask_all("\n".join(declaration.text), kept, objects, model)


class _Asker:
    """Puts the questions of one declaration to the front end."""

    def __init__(
        self, lowering: Lowering, declaration: Declaration, objects: dict[str, list[int | None]], index: int
    ) -> None:
        self.lowering, self.declaration, self.objects, self.index = lowering, declaration, objects, index

    def _mismatch(self, kind: str, detail: str) -> Mismatch:
        return Mismatch(kind, detail, "\n".join(self.declaration.text))

    def questions(self) -> list[Mismatch]:
        if not self.declaration.questions:
            return []
        found = []
        byte_offsets = self.objects[f"{_ANSWERS}_{self.index}"]
        symbol = self.lowering.context.scope.names.get(f"{_ANSWERS}_{self.index}")
        if not isinstance(symbol, GlobalVariable) or not isinstance(symbol.initialiser, c_ast.InitList):
            return [self._mismatch("declaration", str(symbol))]
        for number, node in enumerate(symbol.initialiser.exprs):
            question = self.declaration.questions[number]
            expected = int.from_bytes(
                bytes(octet or 0 for octet in byte_offsets[8 * number : 8 * number + 8]), "little", signed=True
            )
            try:
                answer = self.lowering.types.constant_or_none(node)
                answer = None if answer is None else (answer + (1 << 63)) % (1 << 64) - (1 << 63)
            except (SourceError, Unsupported) as error:
                found.append(self._mismatch(f"{type(error).__name__}: {_kind(question)}", f"{question}: {error}"))
                continue
            if answer is None and _FLOATING.search(question):
                continue  # left to the run
            if answer != expected:
                found.append(self._mismatch(_kind(question), f"{question}: gcc {expected}, front end {answer}"))
        return found

    def contents(self) -> list[Mismatch]:
        found = []
        for name in self.declaration.objects:
            symbol = self.lowering.context.scope.names.get(name)
            if not isinstance(symbol, GlobalVariable):
                found.append(self._mismatch("declaration", f"{name}: {symbol}"))
                continue
            try:
                byte_offsets = initial_bytes(self.lowering, symbol)
            except (SourceError, Unsupported, ValueError) as error:
                found.append(self._mismatch(f"{type(error).__name__}: contents", f"{name}: {error}"))
                continue
            expected = self.objects.get(name, [])
            size = len(byte_offsets)
            wrong = any(octet not in (UNKNOWN, other) for octet, other in zip(byte_offsets, expected, strict=False))
            if wrong or size > len(expected) or any(expected[size:]):
                found.append(
                    self._mismatch("contents", f"{name}: gcc {_hex(expected)}, front end {_hex(byte_offsets)}")
                )
        return found

    def signs(self) -> list[Mismatch]:
        found = []
        for number, (record, member) in enumerate(self.declaration.signs):
            code = bytes(octet or 0 for octet in self.objects[f"sign_{self.index}_{number}"])
            if code not in (*_ZERO, _ONE):
                raise RuntimeError(f"unknown code {code.hex()}")
            tag = self.lowering.context.scope.find_tag(record.split()[1]) if " " in record else None
            if not isinstance(tag, CRecord):
                continue
            try:
                kind = self.lowering.lvalues.member_path(tag, member, c_ast.ID(member))[-1].type
            except (SourceError, Unsupported):
                continue  # told by the questions
            if isinstance(kind, CInteger) and kind.signed != (code == _ONE):
                found.append(self._mismatch("signedness", f"{record}.{member}: front end {kind}"))
        return found


def _kind(question: str) -> str:
    return re.split(r"[ (]", question.replace("(long long)", "value "), maxsplit=1)[0] or "expression"


def _hex(byte_offsets: Sequence[int | None]) -> str:
    return "".join("--" if octet is None else "??" if octet < 0 else f"{octet:02x}" for octet in byte_offsets)


# --- the command


def generated(start: int, count: int, model: DataModel) -> list[Declaration]:
    """The declarations of `count` seeds."""
    return [Source(seed, model).generate() for seed in range(start, start + count)]


def main(arguments: Sequence[str] | None = None) -> int:
    """1 if anything was answered differently."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=1000)
    options.add_argument("--start", type=int, default=1)
    options.add_argument("--model", choices=sorted(DATA_MODELS), default="LP64")
    options.add_argument("--show", type=int, default=3, help="mismatches of each kind to print")
    chosen = options.parse_args(arguments)
    model = DATA_MODELS[chosen.model]
    kinds: collections.Counter[str] = collections.Counter()
    for start in range(chosen.start, chosen.start + chosen.count, _BATCH):
        count = min(_BATCH, chosen.start + chosen.count - start)
        for mismatch in compare(generated(start, count, model), model):
            kinds[mismatch.kind] += 1
            if kinds[mismatch.kind] <= chosen.show:
                print(f"{mismatch.kind}: {mismatch.detail}\n{mismatch.text}\n", flush=True)
    for kind, count in kinds.most_common():
        print(f"{count:6} {kind}")
    print(f"{chosen.count} declarations, {model.name}: {sum(kinds.values())} mismatches")
    return int(bool(kinds))


if __name__ == "__main__":
    sys.exit(main())
