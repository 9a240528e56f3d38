"""The locations that clauses `assigns` name: parts of the objects behind parameters, and of variables."""

import re
from collections.abc import Sequence

from chcverify.quick_dataclass import dataclass
from encoders.c.contracts.acsl_expressions import NoMeaning, Translation, closing, raw, split_at, tokens_of
from encoders.c.contracts.behaviours import ContractClause
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import CArray, CPointer, CRecord, CType
from encoders.c.types.record_layout import RecordLayouts, is_unnamed

_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Indices:
    """The elements from low to high, both included: expressions of C that are integers."""

    low: str
    high: str


@dataclass(frozen=True)
class MemberStep:
    name: str


Step = Indices | MemberStep


@dataclass(frozen=True)
class AssignedPart:
    """A part of the object behind the pointer `root`, whose first step is Indices, or of the variable `root`."""

    root: str
    steps: tuple[Step, ...]


def assigned_locations(contract: Sequence[ContractClause]) -> list[AssignedPart]:
    """The locations that a contract allows to change. Raises Unsupported for those that have no meaning here."""
    found = []
    for clause in contract:
        if clause.kind in ("assigns", "loop assigns"):
            try:
                for part in split_at(tokens_of(clause.text), ","):
                    location = _location(part)
                    found += [] if location is None else [location]
            except NoMeaning as error:
                raise Unsupported(clause.origin, f"{error} in '{clause.kind} {clause.text}'") from None
    return found


def _location(tokens: Sequence[str]) -> AssignedPart | None:
    """One location; None for those that are no objects of the program. Raises NoMeaning."""
    if list(tokens) in (["\\nothing"], ["\\result"]):
        return None
    if tokens[:1] == ["*"]:
        return _behind(tokens[1:])
    if not tokens or not _NAME.fullmatch(tokens[0]):
        raise NoMeaning(_shown(tokens))
    steps: list[Step] = []
    at = 1
    while at < len(tokens):
        if tokens[at] == "[":
            end = closing(tokens, at)
            steps.append(_indices(tokens[at + 1 : end]))
            at = end + 1
        elif tokens[at] in (".", "->") and at + 1 < len(tokens) and (tokens[at] == "." or not steps):
            steps += [Indices("0", "0")] if tokens[at] == "->" else []
            steps.append(MemberStep(tokens[at + 1]))
            at += 2
        else:
            raise NoMeaning(_shown(tokens))
    return AssignedPart(tokens[0], tuple(steps))


def _behind(tokens: Sequence[str]) -> AssignedPart:
    """`*p`, `*(p + i)`, `*(p + (0 .. n - 1))`, without the asterisk."""
    if len(tokens) == 1 and _NAME.fullmatch(tokens[0]):
        return AssignedPart(tokens[0], (Indices("0", "0"),))
    if tokens[:1] == ["("] and closing(tokens, 0) == len(tokens) - 1 and tokens[2:3] == ["+"]:
        inner = list(tokens[3:-1])
        if inner[:1] == ["("] and closing(inner, 0) == len(inner) - 1:
            inner = inner[1:-1]
        return AssignedPart(tokens[1], (_indices(inner),))
    raise NoMeaning("*" + _shown(tokens))


def _indices(tokens: Sequence[str]) -> Indices:
    depth = 0
    for at, token in enumerate(tokens):
        depth += (token in ("(", "[")) - (token in (")", "]"))
        if token == ".." and depth == 0:
            return Indices(_index(tokens[:at]), _index(tokens[at + 1 :]))
    index = _index(tokens)
    return Indices(index, index)


def _index(tokens: Sequence[str]) -> str:
    if not tokens:
        raise NoMeaning("a range without a bound")
    return f"(long)({Translation().term(tokens)})"


def _shown(tokens: Sequence[str]) -> str:
    try:
        return raw(tokens)
    except NoMeaning as error:
        return str(error)


# --- parts of objects


@dataclass(frozen=True)
class Leaf:
    """A scalar inside an object. steps: where an index is open, the number of values that it takes, None of the first
    index behind a pointer; otherwise the name of a member."""

    type: CType
    steps: tuple[int | str | None, ...]


def leaves(kind: CType, layouts: RecordLayouts) -> list[Leaf]:
    """The scalars of an object of the type; of a pointer, those of the elements that it leads to. Raises NoMeaning."""
    if isinstance(kind, CPointer):
        return [Leaf(leaf.type, (None, *leaf.steps)) for leaf in leaves_of_value(kind.target, layouts)]
    return leaves_of_value(kind, layouts)


def leaves_of_value(kind: CType, layouts: RecordLayouts) -> list[Leaf]:
    """The scalars of an object of the type. Raises NoMeaning."""
    if isinstance(kind, CArray):
        if not kind.length:
            raise NoMeaning(f"an object of the type {kind}")
        return [Leaf(leaf.type, (kind.length, *leaf.steps)) for leaf in leaves_of_value(kind.element, layouts)]
    if not isinstance(kind, CRecord):
        return [Leaf(kind, ())]
    layout = layouts.records.get(kind.tag)
    if kind.is_union or layout is None or any(is_unnamed(member.name) for member in layout.fields):
        raise NoMeaning(f"an object of the type {kind}, a union or with members without names,")
    return [
        Leaf(leaf.type, (member.name, *leaf.steps))
        for member in layout.fields
        for leaf in leaves_of_value(member.type, layouts)
    ]


def type_at(kind: CType, steps: Sequence[Step], layouts: RecordLayouts) -> CType:
    """The type of a part of an object. Raises NoMeaning if there is no such part."""
    for step in steps:
        match step, kind:
            case Indices(), CPointer(target=inner) | CArray(element=inner):
                kind = inner
            case MemberStep(name=name), CRecord(tag=tag):
                layout = layouts.records.get(tag)
                found = [member.type for member in layout.fields if member.name == name] if layout else []
                if not found:
                    raise NoMeaning(f"the member {name}")
                kind = found[0]
            case _:
                raise NoMeaning(f"a part of an object of the type {kind}")
    return kind
