"""Compares the layouts of the records, and the enumerators, of whole programs and of the system's headers with gcc.

`python -m tests.differential.program_layouts [--model ILP32] DIRECTORY...` takes the C files below the directories;
`--headers` takes the headers of <...> that the system has.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from encoders.c.lowering.composition import declare_file, file_lowering
from encoders.c.lowering.context import Unit
from encoders.c.lowering.symbols import EnumConstant, Scope, TypeName
from encoders.c.source.parser import parse, with_deep_stack
from encoders.c.source.preprocessor import preprocess, read_source
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import DATA_MODELS, LP64, CInteger, CRecord, CType, DataModel
from encoders.c.types.record_layout import IncompleteType, RecordLayouts, is_unnamed

from .native import GCC
from .object_file import ObjectFile

_HEADERS = """
aio arpa/inet assert complex ctype dirent dlfcn errno fcntl fenv float fnmatch ftw getopt glob grp iconv ifaddrs
inttypes langinfo limits locale math mqueue net/if netdb netinet/in netinet/ip netinet/tcp poll pthread pwd regex
resolv sched search semaphore setjmp signal spawn stdatomic stdbool stddef stdint stdio stdlib string strings
sys/epoll sys/ioctl sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm sys/socket sys/stat sys/statvfs
sys/sysinfo sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog termios time uchar ucontext
unistd utime utmpx wchar wctype wordexp linux/input linux/fs linux/if_packet linux/videodev2 linux/usb/ch9
linux/netlink linux/perf_event elf
"""
_SECONDS = 120
_OURS = frozenset({"__chcverify_argument", "__CPROVER_size_t"})  # names that the parser declares in every file


def compare(text: str, file: str, model: DataModel) -> list[str]:
    """What gcc and the front end answer differently, a line for each; [] too where one of them cannot read the text."""
    clean = preprocess(text, file, model)
    questions = with_deep_stack(lambda: dict(_questions(clean, file, model)))
    if not questions:
        return []
    answers = ", ".join(f"(long long)({question})" for question in questions)
    whole = f"{clean}\nconst long long answers_of_gcc[] = {{ {answers} }};\n"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "p.o")
        mode = "-m64" if model is LP64 else "-m32"
        command = [str(GCC), mode, "-std=gnu11", "-w", "-O0", "-c", "-o", str(out), "-x", "c", "-"]
        done = subprocess.run(
            command,
            input=whole,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=_SECONDS,
            check=False,
        )
        if done.returncode:
            return [f"{file}: {line}" for line in re.findall(r".*error: .*", done.stderr)[:3]]
        byte_offsets = bytes(octet or 0 for octet in ObjectFile(out.read_bytes()).objects()["answers_of_gcc"])
    found = []
    for number, (question, own) in enumerate(questions.items()):
        gcc = int.from_bytes(byte_offsets[8 * number : 8 * number + 8], "little", signed=True)
        if gcc != own:
            found.append(f"{file}: {question}: gcc {gcc}, front end {own}")
    return found


def _questions(text: str, file: str, model: DataModel) -> Iterator[tuple[str, int]]:
    """C expressions about the types at file scope, with the front end's answers."""
    tree, attributes = parse(text, file, model)
    lowering = file_lowering(Unit(file, RecordLayouts(model), attributes, declare_file), Scope())
    lowering.context.unit.scope = lowering.context.scope
    lowering.external_declarations.declare_file(tree)
    layout = lowering.context.unit.layout
    named: dict[str, CType] = {}
    for tag, kind in lowering.context.scope.tags.items():
        if tag == "__va_list_tag" or tag in _OURS:  # the compiler's own, and the front end's
            continue
        word = "enum" if isinstance(kind, CInteger) else "union" if kind.is_union else "struct"
        named[f"{word} {tag}"] = kind
    for name, symbol in lowering.context.scope.names.items():
        if name in _OURS:
            continue
        if isinstance(symbol, TypeName) and isinstance(symbol.type, CRecord | CInteger):
            named[name] = symbol.type
        elif isinstance(symbol, EnumConstant):
            yield name, (symbol.value + (1 << 63)) % (1 << 64) - (1 << 63)
    for name, kind in named.items():
        try:
            yield f"sizeof({name})", layout.size(kind)
        except IncompleteType:
            continue
        symbol = lowering.context.scope.names.get(name)
        align = symbol.align if isinstance(symbol, TypeName) else 0
        yield f"_Alignof({name})", align or layout.align(kind)
        if isinstance(kind, CRecord):
            for member in layout.record(kind).fields:
                if member.bit_offset is None and not is_unnamed(member.name):
                    yield f"__builtin_offsetof({name}, {member.name})", member.offset
        elif not kind.is_bool:
            yield f"({name})-1 < 0", int(kind.signed)


def main(arguments: Sequence[str] | None = None) -> int:
    """1 if anything was answered differently."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("directories", nargs="*", type=Path)
    options.add_argument("--headers", action="store_true")
    options.add_argument("--model", choices=sorted(DATA_MODELS), default="LP64")
    chosen = options.parse_args(arguments)
    model = DATA_MODELS[chosen.model]
    headers = _HEADERS.split() if chosen.headers else []
    texts = {f"<{name}.h>": f"#define _GNU_SOURCE\n#include <{name}.h>\n" for name in headers}
    for directory in chosen.directories:
        for path in sorted((*directory.rglob("*.c"), *directory.rglob("*.i"))):
            texts[str(path)] = ""
    wrong = unread = 0
    for file, text in texts.items():
        try:
            found = compare(text or read_source(Path(file)), file, model)
        except (SourceError, Unsupported) as error:
            unread += 1
            print(f"not read: {error}")
            continue
        wrong += len(found)
        print("".join(f"{line}\n" for line in found), end="", flush=True)
    print(f"{len(texts)} files, {unread} not read, {model.name}: {wrong} mismatches")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
