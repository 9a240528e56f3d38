"""What makes a violation visible in a compiled program: sanitizers of gcc and clang, and valgrind."""

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind


@dataclass(frozen=True)
class Instrument:
    """A compiler with options, and what runs the program that it makes."""

    compiler: str
    options: str
    """{flags} stands for those of the program."""
    runner: tuple[str, ...]
    """The words before the program's name."""
    name: str
    """For people."""
    report: str
    """A regular expression for what it prints about an error; its first line is shown."""

    @property
    def programs(self) -> tuple[str, ...]:
        """The programs that must be installed."""
        return (self.compiler, *self.runner[:1])

    def command(self, flags: str) -> str:
        """The command that compiles, up to the files. flags: of the program."""
        return " ".join(filter(None, (self.compiler, *self.options.format(flags=flags).split())))

    def run(self, binary: str) -> str:
        """The command that runs the program."""
        return " ".join((*self.runner, binary))


_SANITIZED = r"(?:ERROR: \w+Sanitizer: |runtime error: )[^\n(]*"
SANITIZERS = Instrument(
    "gcc",
    "-g -O0 -std=gnu11 -fsanitize=address,undefined,bounds-strict -fno-sanitize-recover=all {flags}",
    (),
    "gcc with sanitizers",
    _SANITIZED,
)
CONVERSIONS = Instrument(
    "clang",
    "-g -O0 -std=gnu11 {flags} -fsanitize=implicit-conversion,float-cast-overflow -fno-sanitize-recover=all",
    (),
    "clang with sanitizers",
    r"runtime error: [^\n]*",
)
VALGRIND = Instrument(
    "gcc",
    "-g -O0 -std=gnu11 {flags} -fno-builtin",
    ("valgrind", "--quiet", "--leak-check=no"),
    "gcc, under valgrind",
    r"(?<== )[^\n]*uninitialised[^\n]*",
)
UNWRITTEN = Instrument(
    "clang",
    "-g -O0 -std=gnu11 {flags} -fno-builtin -fsanitize=memory -fsanitize-memory-param-retval",
    (),
    "clang with its memory sanitizer",
    r"WARNING: MemorySanitizer: [^\n]*",
)


def instruments_of(kind: CheckKind) -> tuple[Instrument, ...]:
    """The instruments that may show a violation of a kind, the one to be tried first in front."""
    if kind is CheckKind.CONVERSION:
        return (CONVERSIONS,)
    if kind is CheckKind.UNINITIALISED:
        return VALGRIND, UNWRITTEN
    return (SANITIZERS,)
