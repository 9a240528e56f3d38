"""Path conditions that share their beginnings, and what is merged where paths that exclude each other join."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import z3

from chcverify.terms.core.traversal import conjunction, disjunction

Arguments = Sequence[z3.ExprRef]


@dataclass(eq=False)
class PathFormula:
    """`term` says that the parent's condition and the literal hold. The root has no parent, and is true."""

    parent: "PathFormula | None" = None
    literal: z3.BoolRef = field(default_factory=lambda: z3.BoolVal(True))
    term: z3.BoolRef = field(default_factory=lambda: z3.BoolVal(True))
    depth: int = 0
    extensions: dict[int, "PathFormula"] = field(default_factory=dict)  # by the literal, which they keep alive

    def extended(self, literals: Sequence[z3.BoolRef]) -> "PathFormula":
        """The path on which the literals hold, too: the same one for the same literals."""
        path = self
        for literal in literals:
            key = literal.get_id()
            if key not in path.extensions:
                term = conjunction([path.term, literal])
                path.extensions[key] = PathFormula(path, literal, term, path.depth + 1)
            path = path.extensions[key]
        return path


Call = tuple[PathFormula, Arguments]


def merged(calls: Sequence[Call]) -> Call:
    """The condition that one of the paths is taken, and the arguments of the one that is. At most one is.

    What all have in common need not be asked to choose: where it does not hold, the choice is of no concern.
    """
    left = _opposites(calls)
    ancestor = _ancestor([path for path, _ in left])
    below = [_below(ancestor, path) for path, _ in left]
    values = left[-1][1]
    for condition, (_, arguments) in zip(below[-2::-1], left[-2::-1], strict=True):
        values = _chosen(condition, arguments, values)
    return left[0] if len(left) == 1 else (ancestor.extended([disjunction(below)]), values)


def _opposites(calls: Sequence[Call]) -> list[Call]:
    """Two calls under p & c and p & ~c become one under p; the longest paths first, until there are none."""
    waiting = list(calls)
    partners: dict[tuple[int, int, bool], Call] = {}
    done: list[Call] = []
    while waiting:
        waiting.sort(key=lambda call: call[0].depth)
        path, arguments = waiting.pop()
        if path.parent is None:
            done.append((path, arguments))
            continue
        negative = z3.is_not(path.literal)
        key = (id(path.parent), (path.literal.arg(0) if negative else path.literal).get_id())
        other = partners.pop((*key, not negative), None)
        if other is not None:
            waiting.append((path.parent, _chosen(path.literal, arguments, other[1])))
        elif (*key, negative) in partners:
            done.append((path, arguments))
        else:
            partners[*key, negative] = path, arguments
    return [*partners.values(), *done]


def _chosen(condition: z3.BoolRef, then: Arguments, otherwise: Arguments) -> Arguments:
    return [a if a.eq(b) else z3.If(condition, a, b) for a, b in zip(then, otherwise, strict=True)]


def _ancestor(paths: Sequence[PathFormula]) -> PathFormula:
    """The longest path that all begin with."""
    first, *others = paths
    for other in others:
        while first is not other:
            if first.depth >= other.depth:
                assert first.parent is not None
                first = first.parent
            else:
                assert other.parent is not None
                other = other.parent
    return first


def _below(ancestor: PathFormula, path: PathFormula) -> z3.BoolRef:
    """What the path adds to the ancestor."""
    literals = []
    while path is not ancestor:
        literals.append(path.literal)
        assert path.parent is not None
        path = path.parent
    return conjunction(reversed(literals))
