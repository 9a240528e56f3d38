"""Annotations of a C file: comments `//@ ...` and `/*@ ... */`, before the file is preprocessed.

Assertions become calls, and annotations of loops labels of their loops. The clauses of contracts and loops move behind
the text, so that the preprocessor expands their macros, and are taken out of its result.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from chcverify.horn.system import Origin
from encoders.c.contracts.acsl_expressions import NoMeaning, Translation
from encoders.c.contracts.behaviours import ASSUMES, BEHAVIOURS, ContractClause, with_behaviours
from encoders.c.contracts.loop_assigns import LOOP_LABEL
from encoders.c.contracts.quantifier_loops import QuantifierUse
from encoders.c.library.special_functions import CLAUSE_ASSERTION
from encoders.c.source.comments import strip_comments
from encoders.c.source.literals import escaped
from encoders.c.source.source_errors import Unsupported

_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//(?:[^\n\\]|\\.)*', re.DOTALL)
_BODY = r"(?:\\(?:forall|exists)\b[^;]*;|[^;\\]|\\(?!(?:forall|exists)\b))*"  # a quantifier has a semicolon of its own
_CLAUSE = re.compile(rf"\s*([a-z]+(?:\s+(?:invariant|assigns|variant|unroll|behaviors))?)\b({_BODY});")
_BEHAVIOUR = re.compile(r"\s*behavior\s+([A-Za-z_]\w*)\s*:")
_MOVED = re.compile(r"__chcverify_clause (\d+)\s(.*?)__chcverify_end", re.DOTALL)
_NAME = re.compile(r"([A-Za-z_]\w*)\s*\(")
_OF_FUNCTIONS = ("requires", "ensures", "assigns", ASSUMES, *BEHAVIOURS)
_OF_BEHAVIOURS = ("requires", "ensures", ASSUMES)
LOOP_INVARIANT = "loop invariant"
_LOOPS = (LOOP_INVARIANT, "loop assigns", "loop variant", "loop unroll")


def move_annotations(text: str, file: str) -> tuple[str, list[ContractClause]]:
    """The text in which assertions are calls and clauses stand at its end; and the clauses, macros not expanded yet.

    Raises Unsupported for annotations without a meaning here.
    """
    clauses: list[ContractClause] = []

    def replaced(match: re.Match[str]) -> str:
        comment = match[0]
        if not comment.startswith(("/*@", "//@")):
            return comment
        body = comment[3:-2] if comment.startswith("/*") else comment[3:]
        origin = Origin(
            file, text.count("\n", 0, match.start()) + 1, match.start() - text.rfind("\n", 0, match.start())
        )
        return _in_the_space_of(comment, _annotation(body, origin, text[match.end() :], clauses))

    moved = _COMMENT.sub(replaced, text)
    behind = "".join(f"\n__chcverify_clause {n} {clause.text} __chcverify_end" for n, clause in enumerate(clauses))
    return moved + behind, clauses


def taken_clauses(text: str, clauses: Sequence[ContractClause]) -> tuple[str, list[ContractClause]]:
    """The preprocessed text without the clauses, and the clauses with their macros expanded."""
    found = {int(match[1]): " ".join(match[2].split()) for match in _MOVED.finditer(text)}
    expanded = [
        replace(clause, text=re.sub(r"# \d+ \"[^\"]*\"[ \d]*", "", found[number]))
        for number, clause in enumerate(clauses)
    ]
    return _MOVED.sub("", text), with_behaviours(expanded)


def _in_the_space_of(comment: str, code: str) -> str:
    """The code on the lines of the comment. What follows keeps its column, unless the code is longer than the line."""
    lines = comment.count("\n")
    if lines == 0:
        return code.ljust(len(comment))
    return code + "\n" * lines + " " * len(comment.rsplit("\n", 1)[-1])


def _annotation(body: str, origin: Origin, rest: str, clauses: list[ContractClause]) -> str:
    """The code in the position of an annotation: calls, or the label of a loop. Its clauses are added to `clauses`."""
    calls: list[str] = []
    label = ""
    end = 0
    cleaned = re.sub(r"(?m)^\s*@|//.*$", lambda match: " " * len(match[0]), body)
    behaviour = ""
    behaviours: set[str] = set()
    while True:
        if (named := _BEHAVIOUR.match(cleaned, end)) is not None:
            behaviour, end = named[1], named.end()
            if behaviour in behaviours:  # both assumptions together may hold nowhere
                raise Unsupported(_inside(origin, cleaned, named.start(1)), f"a second behavior '{behaviour}'")
            behaviours.add(behaviour)
        match = _CLAUSE.match(cleaned, end)
        if match is None:
            break
        end = match.end()
        kind, text = " ".join(match[1].split()), " ".join(match[2].split())
        here = _inside(origin, cleaned, match.start(1))
        if kind == "assert":
            calls.append(_assertion(text, origin))
        elif kind in _OF_FUNCTIONS:
            inside = "" if kind in BEHAVIOURS else behaviour
            if (inside and kind not in _OF_BEHAVIOURS) or (kind == ASSUMES and not inside):
                raise Unsupported(here, f"the clause '{kind}' {'in' if inside else 'outside of'} a behavior")
            clauses.append(ContractClause(kind, text, _functions(rest), here, behaviour=inside))
        elif kind in _LOOPS:
            _require_loop(kind, here, rest)
            label = label or f"{LOOP_LABEL}{len(clauses)}"
            clauses.append(ContractClause(kind, text, frozenset(), here, label))
        else:
            raise Unsupported(origin, f"the clause '{kind}' of a contract")
    if cleaned[end:].strip():
        raise Unsupported(origin, f"the annotation '{' '.join(cleaned[end:].split())[:60]}'")
    return "".join([*calls, f"{label}:" if label else ""])


def _inside(origin: Origin, body: str, offset: int) -> Origin:
    """The position of a clause in the body of a comment that begins at a position; that one in the comment's line."""
    before = body[:offset]
    line = before.count("\n")
    return Origin(origin.file, origin.line + line, offset - before.rfind("\n")) if line else origin


def _require_loop(kind: str, origin: Origin, rest: str) -> None:
    """Raises Unsupported if what follows cannot be a loop: a word, or another annotation."""
    if re.match(r"\s*(?:[A-Za-z_]|/\*@|//@)", rest) is None and re.match(r"\s*\w", strip_comments(rest)) is None:
        raise Unsupported(origin, f"'{kind}' in front of what is no loop")


def _assertion(text: str, origin: Origin) -> str:
    try:
        condition = Translation(quantifiers=QuantifierUse.CONDITION).predicate(text)
    except NoMeaning as error:
        raise Unsupported(origin, f"{error} in '//@ assert {text}'") from None
    return f'{CLAUSE_ASSERTION}({condition}, "assert {escaped(text)}");'


def _functions(rest: str) -> frozenset[str]:
    """The names before parentheses in the declaration at the beginning of a text."""
    header = re.split(r"[{;]", strip_comments(rest), maxsplit=1)[0]
    return frozenset(_NAME.findall(header))


def clause_condition(clause: ContractClause, translation: Translation) -> str:
    """The clause's predicate as C. Raises Unsupported for what has no meaning there."""
    translation.keeps_old = clause.kind == "ensures"
    try:
        condition = translation.predicate(clause.text)
        if not clause.assumes:
            return condition
        translation.keeps_old = False
        assumed = translation.alternative(clause.assumes)
        return f"(!{translation.before(assumed) if clause.kind == 'ensures' else assumed} || {condition})"
    except NoMeaning as error:
        raise Unsupported(clause.origin, f"{error} in '{clause.kind} {clause.text}'") from None
