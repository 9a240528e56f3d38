"""Names of the C library, of POSIX and of gcc's built-in functions, as a compiler and its headers declare them.

`python -m encoders.c.library.collect_names encoders/c/library/names.txt` writes the list that the package carries; it
is read where no compiler is (library_names.py). A test collects again and compares where compiler and library are the
same.
"""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

# C11, POSIX.1-2017, and the headers of the GNU C library beside them that programs include.
_HEADER_NAMES = """
assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h
signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h
tgmath.h threads.h time.h uchar.h wchar.h wctype.h aio.h arpa/inet.h cpio.h dirent.h dlfcn.h fcntl.h fmtmsg.h
fnmatch.h ftw.h glob.h grp.h iconv.h langinfo.h libgen.h monetary.h mqueue.h ndbm.h net/if.h netdb.h
netinet/in.h netinet/tcp.h nl_types.h poll.h pthread.h pwd.h regex.h sched.h search.h semaphore.h spawn.h
strings.h stropts.h sys/ipc.h sys/mman.h sys/msg.h sys/resource.h sys/select.h sys/sem.h sys/shm.h
sys/socket.h sys/stat.h sys/statvfs.h sys/time.h sys/times.h sys/types.h sys/uio.h sys/un.h sys/utsname.h
sys/wait.h syslog.h tar.h termios.h ulimit.h unistd.h utime.h utmpx.h wordexp.h alloca.h argp.h argz.h
byteswap.h crypt.h endian.h envz.h err.h error.h execinfo.h fstab.h fts.h getopt.h ifaddrs.h libintl.h
malloc.h mcheck.h memory.h mntent.h obstack.h paths.h printf.h pty.h resolv.h sgtty.h shadow.h stdio_ext.h
sys/epoll.h sys/eventfd.h sys/file.h sys/fsuid.h sys/inotify.h sys/ioctl.h sys/klog.h sys/mount.h sys/param.h
sys/personality.h sys/prctl.h sys/ptrace.h sys/quota.h sys/random.h sys/reboot.h sys/sendfile.h sys/signalfd.h
sys/statfs.h sys/swap.h sys/syscall.h sys/sysinfo.h sys/sysmacros.h sys/timeb.h sys/timerfd.h sys/timex.h
sys/xattr.h thread_db.h ttyent.h ucontext.h ustat.h utmp.h values.h wait.h
"""
HEADERS = tuple(_HEADER_NAMES.split())
# Editions of the standards that declare different functions.
EDITIONS = (
    ("-std=gnu11", "-D_GNU_SOURCE"),
    ("-std=c89",),
    ("-std=gnu99", "-D_XOPEN_SOURCE=600"),
    ("-std=gnu11", "-m32"),
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_PARAMETERS_FOLLOW = re.compile(r"([A-Za-z_]\w*)\s*\(")
_LABEL = re.compile(r'__asm__\s*\(\s*""\s*"(\w+)"\s*\)')
_KEYWORD_NAMES = """
void int char long short unsigned signed float double
__attribute__ __asm__ __extension__ __inline __typeof__ _Static_assert __const __restrict sizeof if while for
return switch _Alignas typeof
"""
_KEYWORDS = frozenset(_KEYWORD_NAMES.split())
_VARIANT = re.compile(r"f|l|_r|_l|64|_unlocked|_noabort|f(16|32|64|128)x?")
"""What follows a function's name in those of its variants: for another type, reentrant, with a locale, and so on."""
_MACHINE = ("__builtin_ia32_",)  # thousands; the prefix `__builtin_` says enough


def collected() -> list[str]:
    """The names, sorted. Raises FileNotFoundError where there is no gcc."""
    names: set[str] = set()
    for options in EDITIONS:
        for header in HEADERS:
            names |= declared(_preprocessed(header, options))
    return sorted(names | _builtins())


def lines(names: Sequence[str]) -> list[str]:
    """A line for each function: its name, and what is appended to it in the names of its variants, as `acos f l`.

    names: sorted, so that a function comes before its variants.
    """
    functions: dict[str, str] = {}  # name -> that without what variants append
    found: dict[str, list[str]] = {}
    for name in names:
        ends = (end for end in range(1, len(name)) if name[:end] in functions and _VARIANT.fullmatch(name[end:]))
        end = next(ends, None)
        function = functions[name] = name if end is None else functions[name[:end]]
        found.setdefault(function, []).append(name.removeprefix(function))
    return [" ".join([function, *filter(None, endings)]) for function, endings in found.items()]


def version() -> str:
    """The compiler and library that the names are from, as `gcc 12.2.0, glibc 2.36`."""
    macros = _gcc(("-E", "-dM", "-include", "features.h"), "")
    found = dict(re.findall(r"#define (__GNUC\w*__|__GLIBC\w*__) (\d+)", macros))
    gcc = ".".join(found.get(key, "?") for key in ("__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__"))
    return f"gcc {gcc}, glibc {found.get('__GLIBC__', '?')}.{found.get('__GLIBC_MINOR__', '?')}"


def declared(text: str) -> set[str]:
    """The functions that preprocessed text declares or defines at file scope, and the assembler names that it gives."""
    names = set(_LABEL.findall(text))
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    for declaration in _declarations(text):
        if declaration.lstrip().startswith(("typedef", "__extension__ typedef")):
            continue
        for match in _PARAMETERS_FOLLOW.finditer(declaration):
            if match[1] not in _KEYWORDS:
                names.add(match[1])
                break
    return names


def _declarations(text: str) -> list[str]:
    """The text between the semicolons and closing braces at file scope, without what is in braces."""
    found: list[str] = []
    part: list[str] = []
    depth = 0
    for piece in re.split(r"([{};])", text):
        if piece == "{":
            depth += 1
        elif piece == "}":
            depth -= 1
            if depth == 0 and "(" in "".join(part):
                found.append("".join(part))
                part = []
        elif depth == 0 and piece == ";":
            found.append("".join(part))
            part = []
        elif depth == 0:
            part.append(piece)
    return found


def _preprocessed(header: str, options: tuple[str, ...]) -> str:
    return _gcc(("-E", *options), f"#include <{header}>\n")


def _gcc(options: tuple[str, ...], text: str) -> str:
    """The standard output; nothing where a header is missing."""
    command = ["gcc", *options, "-x", "c", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).stdout


def _builtins() -> set[str]:
    """The names `__builtin_X` in the compiler itself, and those X that it knows without the prefix, too."""
    compiler = subprocess.run(
        ["gcc", "-print-prog-name=cc1"], capture_output=True, text=True, check=True
    ).stdout.strip()
    path = Path(compiler)
    inside = path.read_bytes() if path.is_file() else b""
    found = {text.decode() for text in re.findall(rb"__builtin_\w+(?=\0)", inside)}
    builtins = {name for name in found if not name.startswith(_MACHINE) and len(name) > len("__builtin_")}
    plain = sorted(name.removeprefix("__builtin_") for name in builtins)
    # A declaration of a type that no function has: gcc warns where it knows another.
    lines = [
        "struct none { int none; };",
        *(f"struct none {name}(struct none);" for name in plain if _NAME.fullmatch(name)),
    ]
    command = ["gcc", "-fsyntax-only", "-x", "c", "-"]
    ended = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    return builtins | set(re.findall(r"conflicting types for built-in function .(\w+)", ended.stderr))


def main() -> None:
    """Writes the list to the file that the first argument names."""
    Path(sys.argv[1]).write_text(f"# {version()}\n" + "\n".join(lines(collected())) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
