"""Sizes, alignments, offsets and bit-fields of random records, compared with gcc."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from encoders.c.cfa.ir import Assign, Cast, Constant
from encoders.c.frontend import load_source
from encoders.c.types.c_types import DATA_MODELS, INT, LP64, DataModel
from encoders.c.types.record_layout import RecordLayouts

GCC = shutil.which("gcc")
SCALARS = ["char", "unsigned char", "short", "int", "unsigned", "long", "long long", "_Bool", "float", "double"]
SCALARS += ["long double", "void *", "enum E"]
BIT_TYPES = ["int", "unsigned", "unsigned char", "short", "unsigned long", "long long", "_Bool"]
WIDTHS = {"unsigned char": 8, "short": 16, "_Bool": 1}


def random_record(rng: random.Random, depth: int = 0) -> tuple[str, list[str]]:
    """A record specifier without tag, and the paths of its members whose address may be taken."""
    lines, paths = [], []
    for number in range(rng.randint(1, 7)):
        name, choice = f"m{number}", rng.random()
        if choice < 0.35:
            kind = rng.choice(BIT_TYPES)
            width = rng.randint(0, min(40 if kind == "long long" else 32, WIDTHS.get(kind, 64)))
            lines.append(f"{kind} {name if width else ''} : {width};")
        elif choice < 0.5 and depth < 2:
            specifier, inner = random_record(rng, depth + 1)
            if rng.random() < 0.3:  # anonymous: its members need names of their own
                lines.append(f"{specifier};".replace(" m", f" a{depth}{number}m"))
            else:
                lines.append(f"{specifier} {name};")
                paths += [name, *(f"{name}.{path}" for path in inner)]
        else:
            dimension = rng.choice(["", "", "[3]", "[2][5]"])
            lines.append(f"{rng.choice(SCALARS)} {name}{dimension};")
            paths.append(name)
    packed = " __attribute__((packed))" if rng.random() < 0.15 else ""
    return f"{rng.choice(['struct', 'struct', 'union'])}{packed} {{ {' '.join(lines)} }}", paths


def constants(source: str, model: DataModel, name: str) -> dict[int, int]:
    program = load_source(source, "layout.c", model)
    values = {}
    for edge in program.functions["<init>"].edges:
        operation = edge.operation
        if isinstance(operation, Assign) and edge.text.startswith(f"{name}["):
            value = operation.value.operand if isinstance(operation.value, Cast) else operation.value
            assert isinstance(value, Constant) and isinstance(value.value, int)
            values[int(edge.text[len(name) + 1 : edge.text.index("]")])] = value.value
    return values


def layout_program(seed: int, count: int = 25) -> tuple[str, int]:
    """A program whose array `results` holds sizes, alignments and offsets."""
    rng = random.Random(seed)
    lines, results = ["enum E { E0, E1 };"], []
    for number in range(count):
        specifier, paths = random_record(rng)
        lines.append(f"typedef {specifier} R{number};")
        results += [f"sizeof(R{number})", f"_Alignof(R{number})"]
        results += [f"__builtin_offsetof(R{number}, {path})" for path in paths]
    lines.append(f"unsigned long long results[] = {{ {', '.join(results)} }};")
    return "\n".join(lines), len(results)


def gcc_values(source: str, count: int, mode: str, directory: Path) -> list[int]:
    """What gcc computes, read from its assembler output: nothing is linked or run."""
    text = f"{source}\n"
    file = directory / "layout.c"
    file.write_text(text)
    command = [str(GCC), mode, "-w", "-S", "-O0", "-std=gnu11", "-o", "-", str(file)]
    listing = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout
    values: list[int] = []
    words: list[int] = []
    for line in listing.splitlines():
        parts = line.split()
        if parts[:1] == [".quad"]:
            values.append(int(parts[1]))
        elif parts[:1] == [".long"]:
            words.append(int(parts[1]))
        elif parts[:1] == [".zero"]:
            words += [0] * (int(parts[1]) // 4) if mode == "-m32" else []
            values += [0] * (int(parts[1]) // 8) if mode == "-m64" else []
    if mode == "-m32":
        values = [low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True)]
    assert len(values) == count
    return values


@pytest.mark.skipif(GCC is None, reason="needs gcc")
@pytest.mark.parametrize(("model", "mode"), [("LP64", "-m64"), ("ILP32", "-m32")])
@pytest.mark.parametrize("seed", range(6))
def test_record_layouts_agree_with_gcc(seed: int, model: str, mode: str, tmp_path: Path) -> None:
    source, count = layout_program(seed)
    expected = gcc_values(source, count, mode, tmp_path)
    program = source + "\nint main(void) { return (int)results[0]; }"
    found = constants(program, DATA_MODELS[model], "results")
    assert [found.get(position, 0) for position in range(count)] == expected


@pytest.mark.skipif(GCC is None, reason="needs gcc")
@pytest.mark.parametrize(("model", "mode"), [("LP64", "-m64"), ("ILP32", "-m32")])
def test_bit_field_positions_agree_with_gcc(model: str, mode: str, tmp_path: Path) -> None:
    """gcc stores all ones in one bit-field at a time; our CField says which bits those are."""
    rng = random.Random(7)
    lines, fields, kinds = [], [], []
    for number in range(20):
        members = []
        for position in range(rng.randint(1, 6)):
            kind = rng.choice(["unsigned", "unsigned char", "unsigned short", "unsigned long long"])
            limit = {"unsigned": 32, "unsigned char": 8, "unsigned short": 16}.get(kind, 64)
            width = rng.randint(1, limit)
            members.append(f"{kind} f{position} : {width};" if rng.random() < 0.8 else f"{kind} f{position};")
        kinds.append(members)
        lines.append(f"struct S{number} {{ {' '.join(members)} }};")
        fields += [(number, position) for position in range(len(members))]
    union = " ".join(f"struct S{number} s{number};" for number in range(20))
    lines.append(f"union U {{ {union} unsigned long long words[6]; }};")
    ones = [f"{{ .s{number} = {{ .f{position} = -1 }} }}" for number, position in fields]
    lines.append(f"union U all[] = {{ {', '.join(ones)} }};")
    source = "\n".join(lines)
    (tmp_path / "bits.c").write_text(source)
    subprocess.run(
        [str(GCC), mode, "-w", "-c", "-o", str(tmp_path / "bits.o"), str(tmp_path / "bits.c")], check=True, timeout=600
    )
    raw = subprocess.run(
        ["objcopy", "-O", "binary", "-j", ".data", str(tmp_path / "bits.o"), str(tmp_path / "bits.bin")], timeout=600
    )
    assert raw.returncode == 0
    data = (tmp_path / "bits.bin").read_bytes()
    program = load_source(source + "\nint main(void) { return (int)all[0].words[0]; }", "bits.c", DATA_MODELS[model])
    size = len(data) // len(fields)
    for index, (number, position) in enumerate(fields):
        image = int.from_bytes(data[index * size : (index + 1) * size], "little")
        member = next(item for item in program.records[f"S{number}"] if item.name == f"f{position}")
        width = member.type.width  # type: ignore[union-attr]
        start = 8 * member.offset + (member.bit_offset or 0)
        assert image == ((1 << width) - 1) << start, (kinds[number], member)


def test_the_size_of_a_basic_type():
    assert RecordLayouts(LP64).size(INT) == 4
