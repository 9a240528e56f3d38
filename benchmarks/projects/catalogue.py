"""The public C projects of benchmarks/results/projects.md: their files, in the projects' own directories, and flags."""

from dataclasses import dataclass, replace
from pathlib import Path

AWS = (
    "array_list", "byte_buf", "string", "hash_table", "priority_queue", "ring_buffer",
    "error", "assert", "common", "math", "allocator",
)  # fmt: skip
CRYPTO = (
    "aes", "arcfour", "base64", "blowfish", "des", "md2", "md5", "rot-13", "sha1", "sha256",
)  # fmt: skip
FREERTOS = (
    "event_groups", "list", "queue", "stream_buffer", "tasks", "timers",
)  # fmt: skip
STB = (
    "stb_divide", "stb_c_lexer", "stb_ds", "stb_dxt", "stb_rect_pack", "stb_sprintf",
)  # fmt: skip


@dataclass(frozen=True)
class Project:
    """A project's directory, with patterns of its C files and the compiler flags."""

    name: str
    directory: str
    files: tuple[str, ...]
    flags: tuple[str, ...] = ()

    def paths(self, root: Path) -> tuple[str, ...]:
        """The files that the patterns fit, relative to the project's directory, in the order of the patterns.

        root: the directory of the projects. Raises FileNotFoundError for a pattern that fits none.
        """
        home = root / self.directory
        found: list[str] = []
        for pattern in self.files:
            paths = sorted(home.glob(pattern))
            if not paths:
                raise FileNotFoundError(f"{home}: no file {pattern}")
            found += [str(path.relative_to(home)) for path in paths]
        return tuple(found)

    def only(self, files: list[str]) -> "Project":
        """The project with these files, if any are given; they keep its flags."""
        return replace(self, files=tuple(files)) if files else self


def _project(name: str, files: list[str], flags: str = "", directory: str = "") -> Project:
    return Project(name, directory or name, tuple(files), tuple(flags.split()))


PROJECTS = (
    _project("cJSON", ["cJSON.c", "cJSON_Utils.c"]),
    _project("jsmn", ["jsmn.h"]),
    _project("tinyexpr", ["tinyexpr.c"]),
    _project("inih", ["ini.c"]),
    _project("heatshrink", ["heatshrink_decoder.c", "heatshrink_encoder.c"]),
    _project("libfixmath", ["libfixmath/*.c"]),
    _project("tiny-AES-c", ["aes.c"]),
    _project("crypto-algorithms", [f"{name}.c" for name in CRYPTO]),
    _project("FreeRTOS-Kernel", [f"{name}.c" for name in FREERTOS], "-I include -I config -I portable_template"),
    _project("littlefs", ["lfs.c", "lfs_util.c"]),
    _project("stb", [f"{name}.h" for name in STB], " ".join(f"-D{name.upper()}_IMPLEMENTATION" for name in STB)),
    _project("vec", ["vec.c"]),
    _project("aws-c-common", [f"source/{name}.c" for name in AWS], "-I verification/cbmc/include -I include"),
)


def chosen(names: list[str]) -> list[Project]:
    """The projects with these names, in this order; all without names. Raises SystemExit for an unknown name."""
    known = {project.name: project for project in PROJECTS}
    for name in names:
        if name not in known:
            raise SystemExit(f"no project '{name}'; there are {', '.join(known)}")
    return [known[name] for name in names] or list(PROJECTS)
