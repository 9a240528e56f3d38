"""Flags of compilers, compilation databases, lists of arguments and settings; errors are one line."""

import json
import re
from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.inputs import settings_file
from chcverify.inputs.argument_files import expanded
from chcverify.inputs.compilation_database import read_database
from chcverify.inputs.compiler_flags import CompilerCall, read_call
from chcverify.options import SourceFile


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("-I inc -Iother a.c", CompilerCall(("-Id/inc", "-Id/other"), ("a.c",))),
        ("-D A -DB=2 -U C -UD", CompilerCall(("-DA", "-DB=2", "-UC", "-UD"), ())),
        ("-isystem /sys -iquote q -idirafter x", CompilerCall(("-isystem/sys", "-iquoted/q", "-idirafterd/x"), ())),
        ("-std=c99 -ansi -std=gnu17", CompilerCall(("-std=c99", "-ansi", "-std=gnu17"), ())),
        ("-O2 -g -Wall -Wl,-z,now -c -o a.o -MD -MF a.d -MT a.o a.c", CompilerCall((), ("a.c",))),
        ("-m32 -x c -pthread", CompilerCall(("-pthread",), (), "ILP32", "c")),
        ("-mavx2 -msse4.2 -march=native -mthumb", CompilerCall(("-mavx2", "-msse4.2", "-march=native"), ())),
        ("-include-pch x.pch", CompilerCall((), ("x.pch",))),
        ("-include config.h", CompilerCall(("-includeconfig.h",), ())),
    ],
)
def test_a_call(command: str, expected: CompilerCall) -> None:
    assert read_call(command.split(), "d", "where") == expected


@pytest.mark.parametrize("word", ["-funsigned-char", "-fshort-enums", "-std=c++17", "-mms-bitfields", "-I", "-D"])
def test_flags_that_are_refused(word: str) -> None:
    with pytest.raises(InputError, match=word.replace("+", r"\+")):
        read_call([word], "", "where")


def test_instruction_sets_of_other_machines_are_left_out() -> None:
    assert read_call(["-march=armv7-m", "-mavx"], "", "w", native=False).flags == ()


def database(folder: Path, entries: object) -> str:
    path = folder / "compile_commands.json"
    path.write_text(entries if isinstance(entries, str) else json.dumps(entries))
    return str(path)


def test_a_database(tmp_path: Path) -> None:
    for name in ("a.c", "b.c", "c.cpp"):
        (tmp_path / name).write_text("")
    entries = [
        {"directory": str(tmp_path), "file": "a.c", "command": "ccache gcc -Iinc -DNAME='\"x y\"' -c a.c"},
        {"directory": ".", "file": str(tmp_path / "b.c"), "arguments": ["arm-none-eabi-gcc", "-mthumb", "-c", "b.c"]},
        {"directory": str(tmp_path), "file": "c.cpp", "arguments": ["g++", "-std=c++17", "c.cpp"]},
        {"directory": str(tmp_path), "file": "a.c", "command": "gcc -DOTHER -c a.c"},
    ]
    for path in (database(tmp_path, entries), str(tmp_path)):
        project = read_database(path)
        assert [(Path(s.path).name, s.flags) for s in project.sources] == [
            ("a.c", (f"-I{tmp_path}/inc", '-DNAME="x y"')),
            ("b.c", ()),
        ]
        assert project.skipped == ("c.cpp",)
    assert [Path(source.path).name for source in read_database(str(tmp_path), [str(tmp_path / "b.c")]).sources] == [
        "b.c"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", r"compile_commands.json:1:2: not JSON"),
        ("{}", "no list at its top"),
        ('[{"directory": "."}]', "entry 1 names no file"),
        ('[{"file": "a.c"}]', "entry 1: has neither arguments nor a command"),
        ('[{"file": "a.c", "command": "gcc \'a.c"}]', "entry 1: its command cannot be read: no closing quotation"),
        ('[{"file": "a.c", "command": ""}]', "entry 1: its command is empty"),
        ('[{"file": "a.c", "arguments": [1]}]', "its arguments are not texts"),
        ('[{"file": "a.c", "directory": 1, "command": "gcc a.c"}]', "its directory is not a text"),
        ('[{"file": "a.c", "command": "gcc -funsigned-char a.c"}]', "-funsigned-char"),
        ('[{"file": "a.c", "command": "gcc -m32 a.c"}, {"file": "b.c", "command": "gcc -m64 b.c"}]', "ILP32"),
        ("[]", "names no C file"),
        ("[" * 100_000, "nested too deep"),
    ],
)
def test_broken_databases(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as raised:
        read_database(database(tmp_path, text))
    assert "\n" not in str(raised.value)


def test_a_file_that_the_database_does_not_have(tmp_path: Path) -> None:
    path = database(tmp_path, [{"file": "a.c", "command": "gcc a.c"}])
    with pytest.raises(InputError, match=r"other\.c: is not in "):
        read_database(path, ["other.c"])
    with pytest.raises(InputError, match="no such file"):
        read_database(str(tmp_path / "nowhere"))


def test_lists_of_arguments(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("a.c  'b c.c' # comment\n-DX=1\n")
    (tmp_path / "outer").write_text(f"-I inc @{tmp_path}/list")
    assert expanded(["verify", f"@{tmp_path}/outer"]) == ["verify", "-I", "inc", "a.c", "b c.c", "-DX=1"]
    (tmp_path / "cycle").write_text(f"@{tmp_path}/cycle")
    for name, message in (
        ("cycle", "nested too deep"),
        ("nowhere", "no such file"),
        ("quote", "not a list of arguments"),
    ):
        (tmp_path / "quote").write_text("'a")
        with pytest.raises(InputError, match=message):
            expanded([f"@{tmp_path}/{name}"])


def test_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src" / "deep").mkdir(parents=True)
    for name in ("b.c", "a.c"):
        (tmp_path / "src" / name).write_text("")
    (tmp_path / "chcverify.toml").write_text('files = ["src/*.c"]\ninclude = ["inc"]\ntimeout = 5\nentry-null = true\n')
    monkeypatch.chdir(tmp_path)
    path = settings_file.find("src/deep/x.c")
    assert path == tmp_path / "chcverify.toml"
    assert settings_file.read(path) == {
        "files": ("src/a.c", "src/b.c"),
        "include_directories": ("inc",),
        "timeout": 5,
        "entry_null": True,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("timeout = ", r"chcverify.toml:1:\d+: not TOML"),
        ("\nnonsense = 1", r"chcverify.toml:2:1: no such setting: nonsense"),
        ("files = 'a.c'", "files is not a list of texts"),
        ("files = [1]", "files is not a list of texts"),
        ("timeout = 'x'", "timeout is not a number"),
        ("timeout = true", "timeout is not a number"),
        ("timeout = -1", "timeout is too small"),
        ("timeout = nan", "timeout is too small"),
        ("jobs = 1.5", "jobs is not a whole number"),
        ("entry-null = 1", "entry-null is not true or false"),
        ("data-model = 'LP32'", "data-model is not one of ILP32, LP64"),
        ("[files]", "files is not a list of texts"),
    ],
)
def test_broken_settings(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "chcverify.toml").write_text(text)
    with pytest.raises(InputError, match=message):
        settings_file.read(tmp_path / "chcverify.toml")


def test_the_template_has_every_setting(tmp_path: Path) -> None:
    path = tmp_path / "chcverify.toml"
    path.write_text(settings_file.template())
    assert settings_file.read(path) == {}
    path.write_text(re.sub(r"(?m)^#(?=[a-z])", "", settings_file.template()))
    assert len(settings_file.read(path)) == len(settings_file.SETTINGS)


def test_sources_are_plain_values() -> None:
    assert SourceFile("a.c") == SourceFile("a.c", ())
