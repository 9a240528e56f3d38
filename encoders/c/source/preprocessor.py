"""From a file to text that can be parsed: reading, comments, and the preprocessor where there are directives."""

import codecs
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from chcverify.effort import WAIT_S
from chcverify.horn.system import Origin
from encoders.c.source.comments import strip_comments
from encoders.c.source.extensions import Treatment, pragma_treatment
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import DataModel

INCLUDE = Path(__file__).parents[1] / "include"
_DIRECTIVE = re.compile(r"^[ \t]*(?:#|%:)[ \t]*+(?!line\b|pragma\b|ident\b|\d|$)\w*", re.MULTILINE)
_PREDEFINED = re.compile(r"\b__(?!FUNCTION__|PRETTY_FUNCTION__)[A-Z][A-Z0-9_]*__\b|\b_Pragma\b")  # __INT_MAX__ ...
_IGNORED = re.compile(r"^[ \t]*#[ \t]*(?:ident\b.*|pragma\b(?![ \t]*pack\b).*|$)", re.MULTILINE)
_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma\b[ \t]*(.*)$", re.MULTILINE)
_MARKER = re.compile(r'^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)[ \t]+"([^"\n]*)".*$', re.MULTILINE)
_SYSTEM_HEADER = re.compile(r'"(?: \d)*? 3\b')  # in a line marker
# The declaration of a function, as headers have it; its name; a tag that it may introduce.
_EXTERN = re.compile(r"(?:^|(?<=;))\s*extern\b[^;{}=]*\([^;{}]*;", re.MULTILINE)
_TAG = re.compile(r"\b(?:struct|union|enum)\b")
_DECLARED = re.compile(r"\b(?!__attribute__\b|__asm__\b)([A-Za-z_]\w*)\s*\(")
_WORD = re.compile(r"\w+")
_C23 = re.compile(r"-std=(c|gnu|iso9899:)(?:23|2x|2024)")
# The keywords of C23, as what older compilers know. In conditions of the preprocessor `_Bool` counts as 0.
_C23_KEYWORDS = {
    "bool": "_Bool",
    "true": "((_Bool)+1u)",
    "false": "((_Bool)+0u)",
    "nullptr": "((void *)0)",
    "static_assert": "_Static_assert",
    "alignas": "_Alignas",
    "alignof": "_Alignof",
    "thread_local": "_Thread_local",
    "typeof": "__typeof__",
    "typeof_unqual": "__chcverify_typeof_unqual",  # read by GnuLexer, as the next ones
    "constexpr": "__chcverify_constexpr",
    "auto": "__chcverify_auto",
}
_C23_HEADERS = INCLUDE / "c23"  # what older headers of these names lack
_COMPILERS = ("gcc", "cc", "clang")


def read_source(path: Path) -> str:
    """The file's text. Raises SourceError if it cannot be read or is no text."""
    origin = Origin(str(path), 1)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise SourceError(origin, "no such file") from None
    except IsADirectoryError:
        raise SourceError(origin, "is a directory") from None
    except OSError as error:
        raise SourceError(origin, error.strerror or "cannot be read") from None
    if b"\0" in raw:
        line = raw[: raw.index(b"\0")].count(b"\n") + 1
        raise SourceError(Origin(str(path), line), "not a text file")
    if not raw.strip():
        raise SourceError(origin, "the file is empty")
    return raw.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def preprocess(text: str, file: str, data_model: DataModel, flags: Sequence[str] = ()) -> str:
    """The text without comments, without directives other than line markers, and without declarations of functions in
    system headers that nothing mentions. flags: of the preprocessor."""
    clean = strip_comments(text)
    if not flags and not _DIRECTIVE.search(clean) and not _PREDEFINED.search(clean) and "\\\n" not in clean:
        return without_unused_functions(_without_pragmas(clean, file))
    compiler = _compiler()
    if compiler is None:
        return _without_compiler(clean, file)
    mode = "-m32" if data_model.pointer == 4 else "-m64"
    around = ["-I", str(INCLUDE / "replaced"), "-iquote", str(Path(file).parent)]
    base = [compiler, "-E", "-std=gnu11", mode, *around, *_of_standard(flags)]  # of several -std the last one counts
    result = _run([*base, "-"], text)
    if result.returncode != 0:  # often the system has no headers for this data model
        built_in = _run([compiler, "-print-file-name=include"], "").stdout.strip()  # stdatomic.h, for example
        own = _run([*base, "-nostdinc", "-isystem", str(INCLUDE), "-isystem", built_in, "-"], text)
        result = own if own.returncode == 0 else result
    if result.returncode != 0:
        raise _diagnosed(result.stderr, file)
    return without_unused_functions(_without_pragmas(result.stdout.replace('"<stdin>"', f'"{file}"'), file))


def without_unused_functions(text: str) -> str:
    """The preprocessed text with blanks in the place of declarations of functions in system headers, where the rest of
    the text does not have the function's name: they mean nothing, and take half of the time for parsing."""
    markers = list(_MARKER.finditer(text))
    ends = [*(marker.start() for marker in markers), len(text)][1:]
    pairs = zip(markers, ends, strict=True)
    system = [(marker.end(), end) for marker, end in pairs if _SYSTEM_HEADER.search(marker[0])]
    if not system:
        return text
    words, parts, done = Counter(_WORD.findall(text)), list[str](), 0
    for start, end in system:
        parts += [text[done:start], _EXTERN.sub(lambda found: _blanks_if_unused(found[0], words), text[start:end])]
        done = end
    return "".join([*parts, text[done:]])


def _blanks_if_unused(declaration: str, words: Counter[str]) -> str:
    """The declaration of a function, or as many blanks and line breaks. One whose result has a tag may introduce that
    for the whole file (C11 6.2.1p7). words: how often the text has each."""
    name = _DECLARED.search(declaration)
    is_whole = declaration.count("(") == declaration.count(")")
    if name is None or not is_whole or words[name[1]] > 1 or _TAG.search(declaration, 0, name.start()):
        return declaration
    return re.sub(r"\S", " ", declaration)


def _of_standard(flags: Sequence[str]) -> list[str]:
    """The flags, with the names of C23 that all compilers know, and its keywords as macros where it is the standard."""
    standards = [flag for flag in flags if flag.startswith("-std=")]
    is_c23 = bool(standards) and _C23.fullmatch(standards[-1]) is not None
    keywords = [f"-D{name}={meaning}" for name, meaning in _C23_KEYWORDS.items()] if is_c23 else []
    headers = ["-isystem", str(_C23_HEADERS)] if is_c23 else []
    known = (_C23.sub(lambda found: f"-std={'gnu' if found[1] == 'gnu' else 'c'}2x", flag) for flag in flags)
    return [*headers, *keywords, *known]


def _without_pragmas(text: str, file: str) -> str:
    """The text without pragmas other than pack; the others must be such that ignoring them changes nothing."""
    for found in _PRAGMA.finditer(text):
        if pragma_treatment(found[1]) in (Treatment.HARMLESS, Treatment.MODELLED):
            continue
        line, start = 1, 0
        for marker in _MARKER.finditer(text, 0, found.start()):
            line, file, start = int(marker[1]), marker[2], marker.end() + 1
        raise Unsupported(Origin(file, line + text.count("\n", start, found.start(1))), f"#pragma {found[1].strip()}")
    return _IGNORED.sub("", text)


def accepted_by_compiler(text: str, data_model: DataModel) -> bool:
    """True if a compiler of this machine accepts the preprocessed file; False if there is no compiler."""
    compiler = _compiler()
    if compiler is None:
        return False
    mode = "-m32" if data_model.pointer == 4 else "-m64"
    command = [compiler, "-fsyntax-only", "-w", "-std=gnu11", mode, "-x", "c", "-"]
    return _run(command, text).returncode == 0


def _compiler() -> str | None:
    return next((path for name in _COMPILERS if (path := shutil.which(name))), None)


def _run(command: list[str], text: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            input=text,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=WAIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"error: no end after {WAIT_S:g} seconds")


def _diagnosed(errors: str, file: str) -> SourceError:
    for line in errors.splitlines():
        match = re.match(r"(.*?):(\d+):(?:(\d+):)? (?:fatal )?error: (.*)", line)
        if match:
            name = file if match[1] == "<stdin>" else match[1]
            return SourceError(Origin(name, int(match[2]), int(match[3] or 1)), match[4])
    found = re.search(r"error: (.*)", errors)  # about the flags
    return SourceError(Origin(file, 1), f"the preprocessor refuses its flags: {found[1] if found else errors.strip()}")


def _without_compiler(text: str, file: str) -> str:
    """Refused at the first directive or predefined macro."""
    match = _DIRECTIVE.search(text) or _PREDEFINED.search(text)
    line = text.count("\n", 0, match.start()) + 1 if match else 1
    raise SourceError(Origin(file, line), "this needs a C preprocessor (gcc or clang), and none is installed")
