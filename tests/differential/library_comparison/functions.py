"""The functions that are called, with what their arguments stand for."""

import re
import subprocess
from dataclasses import dataclass
from enum import Enum
from functools import cache

from encoders.c.library.function_table import FormatFamily, Trait
from encoders.c.library.table_reader import all_names, find


class Role(Enum):
    """What an argument stands for."""

    READ = "s"  # characters that are read
    WRITTEN = "d"  # characters that are written
    WIDE_READ = "S"
    WIDE_WRITTEN = "D"
    COUNT = "n"
    CHARACTER = "c"
    BASE = "b"  # of a number
    PLACE = "p"  # of a pointer that is written, or null
    STREAM = "f"  # an open one
    FILE = "o"  # the standard output's number
    INPUT = "0"  # a file of many characters
    INPUT_STREAM = "z"
    BLOCK = "x"  # what is released
    ONE = "1"  # the number
    HOLDER = "P"  # the address of a pointer to characters that are written
    ORDER = "q"  # a function that compares characters
    REAL = "r"
    FORMAT = "%"  # of output, with its arguments

    @property
    def is_object(self) -> bool:
        """Is it a pointer to a random object?"""
        return self in (Role.READ, Role.WRITTEN, Role.WIDE_READ, Role.WIDE_WRITTEN, Role.BLOCK, Role.HOLDER)

    @property
    def is_wide(self) -> bool:
        """Are its characters wide?"""
        return self in (Role.WIDE_READ, Role.WIDE_WRITTEN)


class Shown(Enum):
    """What of a result is compared."""

    VALUE = "value"
    SIGN = "sign"
    TRUTH = "truth"
    POSITION = "position"  # in the first or second object
    TEXT = "text"  # a new string
    NOTHING = "nothing"


_OPEN = frozenset({"recv", "pread", "getrandom", "getentropy", "gethostname", "getcwd", "readlink", "arc4random_buf"})


@dataclass(frozen=True)
class Function:
    """A function. prototype: its declaration; roles: of its arguments. input: does it read zeros of a file?"""

    name: str
    prototype: str
    roles: tuple[Role, ...]
    shown: Shown

    @property
    def counts_input(self) -> bool:
        """Is its first input the number of bytes?"""
        return self.name in ("read", "fread", "recv", "pread", "getrandom")

    @property
    def is_outside(self) -> bool:
        """Does the environment decide what it returns? Then the interpreter's run may be one that ends there."""
        entry = find(self.name)
        return entry is not None and entry.outside

    @property
    def is_open(self) -> bool:
        """Does the environment decide what it writes? Then one run of the interpreter is one of many."""
        return self.name in _OPEN


_TABLE = """
unsigned long strlen(const char *) : s : value
unsigned long strnlen(const char *, unsigned long) : sn : value
char *strcpy(char *, const char *) : ds : position
char *stpcpy(char *, const char *) : ds : position
char *strcat(char *, const char *) : ds : position
char *strncpy(char *, const char *, unsigned long) : dsn : position
char *stpncpy(char *, const char *, unsigned long) : dsn : position
char *strncat(char *, const char *, unsigned long) : dsn : position
int strcmp(const char *, const char *) : ss : sign
int strcoll(const char *, const char *) : ss : sign
int strncmp(const char *, const char *, unsigned long) : ssn : sign
int strcasecmp(const char *, const char *) : ss : sign
int strncasecmp(const char *, const char *, unsigned long) : ssn : sign
char *strchr(const char *, int) : sc : position
char *strrchr(const char *, int) : sc : position
char *index(const char *, int) : sc : position
char *rindex(const char *, int) : sc : position
char *strchrnul(const char *, int) : sc : position
char *strstr(const char *, const char *) : ss : position
char *strcasestr(const char *, const char *) : ss : position
char *strpbrk(const char *, const char *) : ss : position
unsigned long strspn(const char *, const char *) : ss : value
unsigned long strcspn(const char *, const char *) : ss : value
unsigned long strxfrm(char *, const char *, unsigned long) : dsn : value
char *strdup(const char *) : s : text
char *strndup(const char *, unsigned long) : sn : text
char *strtok(char *, const char *) : ds : position
char *strtok_r(char *, const char *, char **) : dsp : position
char *strsep(char **, const char *) : Ps : position
void *memcpy(void *, const void *, unsigned long) : dsn : position
void *memmove(void *, const void *, unsigned long) : dsn : position
void *mempcpy(void *, const void *, unsigned long) : dsn : position
void *memset(void *, int, unsigned long) : dcn : position
int memcmp(const void *, const void *, unsigned long) : ssn : sign
int bcmp(const void *, const void *, unsigned long) : ssn : truth
void *memchr(const void *, int, unsigned long) : scn : position
void *memrchr(const void *, int, unsigned long) : scn : position
void *rawmemchr(const void *, int) : sc : position
void *memmem(const void *, unsigned long, const void *, unsigned long) : snsn : position
void *memccpy(void *, const void *, int, unsigned long) : dscn : position
void bcopy(const void *, void *, unsigned long) : sdn : nothing
void bzero(void *, unsigned long) : dn : nothing
void explicit_bzero(void *, unsigned long) : dn : nothing
void swab(const void *, void *, long) : sdn : nothing
int atoi(const char *) : s : value
long atol(const char *) : s : value
long long atoll(const char *) : s : value
long strtol(const char *, char **, int) : spb : value
long long strtoll(const char *, char **, int) : spb : value
unsigned long strtoul(const char *, char **, int) : spb : value
unsigned long long strtoull(const char *, char **, int) : spb : value
double strtod(const char *, char **) : sp : value
double atof(const char *) : s : value
unsigned long wcslen(const int *) : S : value
unsigned long wcsnlen(const int *, unsigned long) : Sn : value
int *wcscpy(int *, const int *) : DS : position
int *wcpcpy(int *, const int *) : DS : position
int *wcscat(int *, const int *) : DS : position
int *wcsncpy(int *, const int *, unsigned long) : DSn : position
int *wcpncpy(int *, const int *, unsigned long) : DSn : position
int *wcsncat(int *, const int *, unsigned long) : DSn : position
int wcscmp(const int *, const int *) : SS : sign
int wcscoll(const int *, const int *) : SS : sign
int wcsncmp(const int *, const int *, unsigned long) : SSn : sign
int *wcschr(const int *, int) : Sc : position
int *wcsrchr(const int *, int) : Sc : position
int *wcsstr(const int *, const int *) : SS : position
int *wcspbrk(const int *, const int *) : SS : position
unsigned long wcsspn(const int *, const int *) : SS : value
unsigned long wcscspn(const int *, const int *) : SS : value
int *wcsdup(const int *) : S : nothing
int *wmemcpy(int *, const int *, unsigned long) : DSn : position
int *wmempcpy(int *, const int *, unsigned long) : DSn : position
int *wmemmove(int *, const int *, unsigned long) : DSn : position
int *wmemset(int *, int, unsigned long) : Dcn : position
int wmemcmp(const int *, const int *, unsigned long) : SSn : sign
int *wmemchr(const int *, int, unsigned long) : Scn : position
int puts(const char *) : s : nothing
int fputs(const char *, struct _IO_FILE *) : sf : nothing
int fputws(const int *, struct _IO_FILE *) : Sf : nothing
int fputc(int, struct _IO_FILE *) : cf : nothing
int putc(int, struct _IO_FILE *) : cf : nothing
void perror(const char *) : s : nothing
unsigned long fwrite(const void *, unsigned long, unsigned long, struct _IO_FILE *) : snnf : nothing
long write(int, const void *, unsigned long) : osn : nothing
unsigned long fread(void *, unsigned long, unsigned long, struct _IO_FILE *) : d1nz : nothing
long read(int, void *, unsigned long) : 0dn : nothing
char *fgets(char *, int, struct _IO_FILE *) : dnz : position
int printf(const char *, ...) : % : nothing
int fprintf(struct _IO_FILE *, const char *, ...) : f% : nothing
int dprintf(int, const char *, ...) : o% : nothing
int sprintf(char *, const char *, ...) : d% : value
int snprintf(char *, unsigned long, const char *, ...) : dn% : value
int access(const char *, int) : sn : nothing
char *getenv(const char *) : s : nothing
void free(void *) : x : nothing
void *realloc(void *, unsigned long) : xn : nothing
void *calloc(unsigned long, unsigned long) : nn : nothing
void *malloc(unsigned long) : n : nothing
void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)) : dn1q : nothing
void *bsearch(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, const void *)) : ssn1q : position
"""  # noqa: E501


def _functions() -> dict[str, Function]:
    found: dict[str, Function] = {}
    for line in _TABLE.strip().splitlines():
        prototype, roles, shown = (part.strip() for part in line.split(" : "))
        named = re.search(r"(\w+)\(", prototype)
        assert named is not None
        found[named[1]] = Function(named[1], prototype, tuple(map(Role, roles)), Shown(shown))
    return found


# Not called: they end or stop the process, change what the comparison itself uses, or never return from endless input.
_NOT_CALLED_NAMES = """
fork kill raise wait waitpid sleep usleep pause system popen close dup dup2 fcloseall sync gets setsid setuid setgid
signal alarm error nice setvbuf setbuf getwchar fgetwc getwc sysconf syslog openlog psignal nanosleep sched_yield
"""
_NOT_CALLED = frozenset(_NOT_CALLED_NAMES.split())
_NUMBERS = "int long unsigned ssize_t off_t mode_t uid_t gid_t wint_t wchar_t pid_t useconds_t uint32_t uint16_t time_t"
_KINDS = {
    **dict.fromkeys(_NUMBERS.split(), Role.CHARACTER),
    "long long": Role.CHARACTER,
    "unsigned long": Role.CHARACTER,
    "size_t": Role.COUNT,
    "double": Role.REAL,
    "float": Role.REAL,
    "FILE *": Role.STREAM,
}
_DESCRIPTORS = frozenset({"file", "socket", "directory", "process"})


def _of_table(name: str) -> Function | None:
    """A function of the table of the library, whose arguments are drawn as its entry says; None where none can be."""
    entry = find(name)
    if entry is None or name in _NOT_CALLED or name.startswith("__builtin_") or entry.name != name:
        return None
    if entry.end is not None or entry.calls or entry.operation or entry.closes or (entry.variadic and not entry.format):
        return None
    if entry.result_type not in (*_KINDS, "char *", "void *", "wchar_t *", "void", "clock_t"):
        return None
    written = {part.pointer for part in entry.writes}
    if entry.format is not None and (entry.format.list or entry.format.family is not FormatFamily.PRINTF):
        return None
    roles = []
    for parameter in entry.parameters:
        role = _KINDS.get(parameter.type)
        if entry.format is not None and parameter.name == entry.format.pointer:
            role = None if parameter.is_wide else Role.FORMAT
        elif parameter.type in ("char *", "void *"):
            role = Role.WRITTEN if parameter.name in written or parameter.name == "to" else Role.READ
        elif parameter.is_wide:
            role = Role.WIDE_WRITTEN if parameter.name in written else Role.WIDE_READ
        elif parameter.name in _DESCRIPTORS:
            role = Role.FILE
        if role is None:
            return None
        roles.append(role)
    given = [parameter.type for parameter in entry.parameters] + (["..."] if entry.variadic else [])
    prototype = f"{entry.result_type} {name}({', '.join(given) or 'void'})"
    return Function(name, prototype, tuple(roles), Shown.NOTHING)


def _all() -> dict[str, Function]:
    found = _functions()
    for name in sorted(all_names()):
        function = _of_table(name) if name not in found else None
        if function is not None and _is_linked(name):
            found[name] = function
    return found


@cache
def _library_names() -> frozenset[str]:
    """What the C library defines here."""
    names = set[str]()
    for path in ("libc.so.6", "libm.so.6"):
        place = subprocess.run(["gcc", f"-print-file-name={path}"], capture_output=True, text=True, check=False)
        listed = subprocess.run(["nm", "-D", place.stdout.strip()], capture_output=True, text=True, check=False)
        names |= set(re.findall(r" [WTi] (\w+)@@", listed.stdout))
    return frozenset(names)


def _is_linked(name: str) -> bool:
    return name in _library_names()


FUNCTIONS = _all()


def stops_early(name: str) -> bool:
    """Does the model read less than the function, which reads all?"""
    entry = find(name)
    return entry is not None and Trait.STOPS in entry.traits
