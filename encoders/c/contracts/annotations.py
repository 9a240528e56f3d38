"""Annotations of a C file: comments `//@ ...` and `/*@ ... */`, before the file is preprocessed.

Assertions become calls. The clauses of contracts move behind the text, so that the preprocessor expands their macros,
and are taken out of its result.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chcverify.horn.system import Origin
from encoders.c.contracts.acsl_expressions import NotExpressible, Translation
from encoders.c.source.comments import strip_comments
from encoders.c.source.source_errors import Unsupported

_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//(?:[^\n\\]|\\.)*', re.DOTALL)
_BODY = r"(?:\\(?:forall|exists)\b[^;]*;|[^;\\]|\\(?!(?:forall|exists)\b))*"  # a quantifier has a semicolon of its own
_CLAUSE = re.compile(rf"\s*([a-z]+(?:\s+(?:invariant|assigns|variant|unroll))?)\b({_BODY});")
_MOVED = re.compile(r"__chcverify_clause (\d+) (.*?) __chcverify_end", re.DOTALL)
_NAME = re.compile(r"([A-Za-z_]\w*)\s*\(")
_OF_FUNCTIONS = ("requires", "ensures", "assigns")
_LOOPS = ("loop invariant", "loop assigns", "loop variant", "loop unroll")


@dataclass(frozen=True)
class Clause:
    """One clause of a contract. kind: `requires`, `ensures`, `assigns`. text: its predicate, macros expanded.

    functions: the names in the declaration behind it, one of which is the function's.
    """

    kind: str
    text: str
    functions: frozenset[str]
    origin: Origin


def move_annotations(text: str, file: str) -> tuple[str, list[Clause]]:
    """The text in which assertions are calls and clauses stand at its end; and the clauses, macros not expanded yet.

    Raises Unsupported for annotations without a meaning here.
    """
    clauses: list[Clause] = []

    def replaced(match: re.Match[str]) -> str:
        comment = match[0]
        if not comment.startswith(("/*@", "//@")):
            return comment
        body = comment[3:-2] if comment.startswith("/*") else comment[3:]
        origin = Origin(
            file, text.count("\n", 0, match.start()) + 1, match.start() - text.rfind("\n", 0, match.start())
        )
        calls = "".join(_annotation(body, origin, text[match.end() :], clauses))
        return calls + "\n" * comment.count("\n")

    moved = _COMMENT.sub(replaced, text)
    behind = "".join(f"\n__chcverify_clause {n} {clause.text} __chcverify_end" for n, clause in enumerate(clauses))
    return moved + behind, clauses


def taken_clauses(text: str, clauses: Sequence[Clause]) -> tuple[str, list[Clause]]:
    """The preprocessed text without the clauses, and the clauses with their macros expanded."""
    found = {int(match[1]): " ".join(match[2].split()) for match in _MOVED.finditer(text)}
    return _MOVED.sub("", text), [
        Clause(clause.kind, re.sub(r"# \d+ \"[^\"]*\"[ \d]*", "", found[number]), clause.functions, clause.origin)
        for number, clause in enumerate(clauses)
    ]


def _annotation(body: str, origin: Origin, rest: str, clauses: list[Clause]) -> list[str]:
    """The calls for the assertions of an annotation. Its other clauses are added to `clauses`."""
    calls = []
    end = 0
    cleaned = re.sub(r"(?m)^\s*@|//.*$", " ", body)
    for match in _CLAUSE.finditer(cleaned):
        if match.start() != end:
            break
        end = match.end()
        kind, text = " ".join(match[1].split()), " ".join(match[2].split())
        if kind == "assert":
            calls.append(_assertion(text, origin))
        elif kind in _OF_FUNCTIONS:
            clauses.append(Clause(kind, text, _functions(rest), origin))
        elif kind in _LOOPS:
            clauses.append(Clause(kind, "", frozenset(), origin))
        else:
            raise Unsupported(origin, f"the clause '{kind}' of a contract")
    if cleaned[end:].strip():
        raise Unsupported(origin, f"the annotation '{' '.join(cleaned[end:].split())[:60]}'")
    return calls


def _assertion(text: str, origin: Origin) -> str:
    try:
        condition = Translation().predicate(text)
    except NotExpressible as error:
        raise Unsupported(origin, f"{error} in '//@ assert {text}'") from None
    shown = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'__CPROVER_assert({condition}, "{shown}");'


def _functions(rest: str) -> frozenset[str]:
    """The names before parentheses in the declaration at the beginning of a text."""
    header = re.split(r"[{;]", strip_comments(rest), maxsplit=1)[0]
    return frozenset(_NAME.findall(header))
