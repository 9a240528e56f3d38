"""The reader of the table of library functions: text to entries, one at a time.

An entry is the function's declaration in C, `//`, its source, and on the next line, indented, facts between semicolons:

    reads p[n], q[size*count]   elements at p (bytes of a void pointer); [<=n]: no more than that; [?]: it depends
    writes p[n]                 `p?[n]`: p may be null; `p.bytes[n]`: n counts bytes
    string p, q[<=n]            strings up to their terminator, or up to n characters
    format output f to p[n] list v      also input, date; from or to memory; arguments follow, or are in a va_list
    ends [after handlers]       it does not return
    allocates n*m [zeroed] [stack] [aligned a] [else N]     without a size: the function decides; N: it fails
    frees p    calls f    keeps p    closes s
    stream s                    s is an open stream; `s?`: or null
    separate p q [n]            no overlap of n elements; without n: of the string at q
    returns p|inside p|fresh|static|any [or null]
    bounds LOW HIGH             of a floating-point result
    between LOW HIGH            of an integer result; HIGH: a number or a parameter
    overflow -|/                the result, 0 - x or x / y, must fit
    nonzero x                   there is no result for 0
    typed p q by n [order f]    a model over elements exists
    requires CONDITION          C expression over the parameters
    assumes TEXT                what is assumed of every program that calls it
    outside                     all else that it does concerns the environment alone
    fails                       it may fail and say why in errno
and words of `Trait`.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

from encoders.c.library.function_table import (
    Allocation,
    BlockStorage,
    End,
    FormatFamily,
    FormatRead,
    LibraryFunction,
    MemoryRange,
    Parameter,
    Result,
    ResultKind,
    Separation,
    Size,
    StringRead,
    Trait,
    TypedModel,
)

FOLDER = Path(__file__).parent / "functions"
_NAME = re.compile(r"^[^#\s].*?(\w+)\(", re.MULTILINE)
_DECLARATION = re.compile(r"(?P<result>.*?)(?P<name>\w+)\((?P<parameters>.*)\) // (?P<source>.*)")
_RANGE = re.compile(r"(?P<pointer>\w+)(?P<bytes>\.bytes)?(?P<null>\?)?(?:\[(?P<most><=)?(?P<size>[\w*?]+)\])?")
_QUALIFIERS = re.compile(r"\b(?:const|restrict)\b ?")


def find(name: str) -> LibraryFunction | None:
    """The entry of a library function, also of `__builtin_X`, `X_unlocked` and `__isoc99_X`; None for other names."""
    lines = _index()
    for candidate in (name, _plain(name)):
        text = lines.get(candidate)
        if text is not None:
            return _entry(candidate)
    return None


def is_formatted_input(name: str) -> bool:
    """Is it a function that reads the input by a format: scanf, fscanf?"""
    entry = find(name)
    return entry is not None and entry.format is not None and Trait.INPUT in entry.traits


def may_lack_memory(name: str) -> bool:
    """Is it a function that makes a new block, or says that there is no memory?"""
    entry = find(name)
    if entry is None or entry.allocation is None:
        return False
    is_result = entry.returns.kind is ResultKind.FRESH and entry.returns.or_null
    return is_result or entry.allocation.failure != 0


def copies(model: str) -> bool:
    """Does a model, by its name in automata (`memcpy<int>`), copy what was not written as such?"""
    entry = find(_function(model))
    return entry is not None and Trait.COPIES in entry.traits


@cache
def names_with(trait: Trait) -> frozenset[str]:
    """The names of the functions that have a trait."""
    return frozenset(name for name, text in _index().items() if trait.value in text and trait in _entry(name).traits)


@cache
def closing_names() -> frozenset[str]:
    """The names of the functions that close streams."""
    return frozenset(name for name, text in _index().items() if " closes " in text and _entry(name).closes)


@cache
def measuring_name(wide: bool, bounded: bool) -> str:
    """The name of the function that reads a string up to its terminator. wide: of wide characters. bounded: or up to a
    bound."""
    measuring = [_entry(name) for name, text in _index().items() if "; measures" in text]
    found = ((entry.name, entry.parameters[0].is_wide, entry.strings[0].limit is not None) for entry in measuring)
    return next(name for name, *kind in found if kind == [wide, bounded])


def measures_whole_strings(name: str) -> bool:
    """Is it a function that returns the length of a string of bytes?"""
    return find(name) == _entry(measuring_name(wide=False, bounded=False))


def is_reallocation(model: str) -> bool:
    """Does a model, by its name in automata, copy a block to a new one and end the old one's lifetime?"""
    entry = find(_function(model))
    return entry is not None and Trait.COPIES in entry.traits and bool(entry.frees)


def comparing_name(model: str) -> str | None:
    """The name of the function of a model, by its name in automata, if it only calls what it is given as a comparison
    of elements; None for others."""
    entry = find(_function(model))
    if entry is None or not entry.calls or entry.keeps or Trait.REGISTERS in entry.traits:
        return None
    return entry.name


def _function(model: str) -> str:
    return model.partition("<")[0].partition(" ")[0]


def all_names() -> tuple[str, ...]:
    """The names of all entries, in the order of the files."""
    return tuple(_index())


def _plain(name: str) -> str:
    name = name.removeprefix("__builtin_").removesuffix("_unlocked")
    return name.removeprefix("__isoc99_").removeprefix("__isoc23_")


@cache
def _index() -> dict[str, str]:
    """The text of each entry."""
    found: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        starts = [(match[1], match.start()) for match in _NAME.finditer(text)]
        ends = [start for _, start in starts[1:]] + [len(text)]
        found.update({name: text[start:end] for (name, start), end in zip(starts, ends, strict=True)})
    return found


@cache
def _entry(name: str) -> LibraryFunction:
    """The entry with this name. Raises ValueError for text that is none."""
    first, _, rest = _index()[name].partition("\n")
    match = _DECLARATION.fullmatch(first)
    if match is None:
        raise ValueError(f"not a declaration: {first}")
    parts = [part.strip() for part in match["parameters"].split(",")]
    variadic = parts[-1] == "..."
    parameters = tuple(_parameter(part) for part in parts if part not in ("void", "..."))
    reader = _Facts()
    for fact in rest.replace("\n", " ").split(";"):
        if fact.strip():
            reader.take(fact.split())
    return LibraryFunction(
        match["name"], match["result"].strip(), parameters, variadic, match["source"], **reader.fields()
    )


def _parameter(text: str) -> Parameter:
    text = _QUALIFIERS.sub("", text)
    name = re.search(r"(\w+)$", text)
    if name is None:
        raise ValueError(f"not a parameter: {text}")
    return Parameter(name[1], text[: name.start()].strip())


class _Facts:
    """Collects what the facts of an entry say."""

    def __init__(self) -> None:
        self.lists: dict[str, list[Any]] = {}
        self.single: dict[str, Any] = {}
        self.traits: set[Trait] = set()

    def fields(self) -> dict[str, Any]:
        """The fields of the entry."""
        tuples = {name: tuple(values) for name, values in self.lists.items()}
        return {**tuples, **self.single, "traits": frozenset(self.traits)}

    def take(self, words: list[str]) -> None:
        """One fact. Raises ValueError for one that has no meaning."""
        kind, rest = words[0], words[1:]
        method = getattr(self, f"_{kind}", None)
        if method is not None:
            method(rest)
        elif kind in ("frees", "calls", "keeps"):
            self.lists.setdefault(kind, []).extend(rest)
        elif kind in ("outside", "fails"):
            self.single[kind] = True
        elif kind in ("overflow", "nonzero"):
            self.single[kind] = rest[0]
        else:
            self.traits.add(Trait(kind))

    def _reads(self, words: list[str]) -> None:
        self.lists.setdefault("reads", []).extend(_ranges(words))

    def _writes(self, words: list[str]) -> None:
        self.lists.setdefault("writes", []).extend(_ranges(words))

    def _string(self, words: list[str]) -> None:
        for item in _items(words):
            match = _groups(item)
            limit = _size(match["size"]) if match["most"] else None
            self.lists.setdefault("strings", []).append(StringRead(match["pointer"], limit, bool(match["null"])))

    def _stream(self, words: list[str]) -> None:
        self.lists.setdefault("streams", []).extend(word.removesuffix("?") for word in words)
        self.lists.setdefault("null_streams", []).extend(word[:-1] for word in words if word.endswith("?"))

    def _closes(self, words: list[str]) -> None:
        self.lists.setdefault("closes", []).extend(words)

    def _format(self, words: list[str]) -> None:
        options = dict(zip(words[2::2], words[3::2], strict=True))
        to, room = "", None
        if "to" in options:
            match = _groups(options["to"])
            to, room = match["pointer"], match["size"]
        pointer = words[1]
        self.single["format"] = FormatRead(
            pointer.rstrip("?"), FormatFamily(words[0]), to, room, options.get("list", ""), pointer.endswith("?")
        )

    def _ends(self, words: list[str]) -> None:
        self.single["end"] = End(" ".join(["ends", *words]))

    def _allocates(self, words: list[str]) -> None:
        storage = BlockStorage.PLAIN
        for word, flag in (("zeroed", BlockStorage.ZEROED), ("stack", BlockStorage.STACK)):
            storage |= flag if word in words else BlockStorage.PLAIN
        alignment = words[words.index("aligned") + 1] if "aligned" in words else ""
        factors = tuple(words[0].split("*")) if words and words[0] != "else" else ()
        failure = int(words[words.index("else") + 1]) if "else" in words else 0
        self.single["allocation"] = Allocation(factors, storage, alignment, failure)

    def _separate(self, words: list[str]) -> None:
        size = _size(words[2]) if len(words) > 2 else None
        self.lists.setdefault("separate", []).append(Separation(words[0], words[1], size))

    def _returns(self, words: list[str]) -> None:
        or_null = words[-2:] == ["or", "null"]
        words = words[:-2] if or_null else words
        kinds = {kind.value: kind for kind in ResultKind}
        kind = kinds.get(words[0], ResultKind.ARGUMENT)
        pointer = words[-1] if kind in (ResultKind.INSIDE, ResultKind.ARGUMENT) else ""
        self.single["returns"] = Result(kind, pointer, or_null)

    def _bounds(self, words: list[str]) -> None:
        self.single["bounds"] = (float(words[0]), float(words[1]))

    def _between(self, words: list[str]) -> None:
        most = words[1]
        self.single["between"] = (int(words[0]), int(most) if most.isdigit() else most)

    def _typed(self, words: list[str]) -> None:
        by = words.index("by")
        order = words[words.index("order") + 1] if "order" in words[by:] else ""
        self.single["typed"] = TypedModel(tuple(words[:by]), words[by + 1], order)

    def _assumes(self, words: list[str]) -> None:
        self.single["assumes"] = " ".join(words)

    def _requires(self, words: list[str]) -> None:
        self.lists.setdefault("requires", []).append(" ".join(words))

    def _operation(self, words: list[str]) -> None:
        self.single["operation"] = words[0]


def _items(words: list[str]) -> list[str]:
    return [item.strip() for item in " ".join(words).split(",")]


def _groups(item: str) -> re.Match[str]:
    match = _RANGE.fullmatch(item)
    if match is None:
        raise ValueError(f"not a range: {item}")
    return match


def _ranges(words: list[str]) -> list[MemoryRange]:
    found = []
    for item in _items(words):
        match = _groups(item)
        known = None if match["size"] == "?" else _size(match["size"])
        found.append(MemoryRange(match["pointer"], known, not match["most"], bool(match["null"]), bool(match["bytes"])))
    return found


def _size(text: str) -> Size:
    factors = text.split("*")
    return Size(tuple(int(factor) if factor.isdigit() else factor for factor in factors))
