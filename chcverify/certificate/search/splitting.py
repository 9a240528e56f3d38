"""Assumptions as cases and goals as parts, so that solvers can simplify each by what holds in it alone."""

import z3

from chcverify.terms.core.traversal import conjunction


def cases(formula: z3.BoolRef) -> list[z3.BoolRef]:
    """Formulas whose disjunction is equivalent: one for each disjunct of the conjunct that has the most."""
    parts = _split(formula, is_conjunction=True)
    disjuncts = [_split(part, is_conjunction=False) for part in parts]
    lengths = list(map(len, disjuncts))
    if max(lengths, default=1) == 1:
        return [formula]
    longest = lengths.index(max(lengths))
    rest = conjunction([*parts[:longest], *parts[longest + 1 :]])
    return [z3.And(rest, case) for case in disjuncts[longest]]


def goals(formula: z3.BoolRef, most: int) -> list[z3.BoolRef]:
    """Formulas whose conjunction is equivalent: the conjuncts, also those of a disjunct if it alone is a conjunction,
    as in p => q & r. The formula itself if they are more than `most`.
    """
    found: list[z3.BoolRef] = []
    stack: list[tuple[z3.BoolRef | None, z3.BoolRef]] = [(None, formula)]
    while stack:
        if len(found) + len(stack) > most:
            return [formula]
        other, term = stack.pop()  # stands for other | term
        parts = _split(term, is_conjunction=True)
        if len(parts) == 1:
            sides = _split(term, is_conjunction=False)
            split = [_split(side, is_conjunction=True) for side in sides]
            compound = [i for i, conjuncts in enumerate(split) if len(conjuncts) > 1]
            if len(compound) == 1:
                (i,) = compound
                other, parts = _either(other, *sides[:i], *sides[i + 1 :]), split[i]
        if len(parts) > 1:
            stack.extend((other, part) for part in reversed(parts))
        else:
            found.append(_either(other, term))
    return found


def _either(first: z3.BoolRef | None, *rest: z3.BoolRef) -> z3.BoolRef:
    disjuncts = [*([] if first is None else [first]), *rest]
    return disjuncts[0] if len(disjuncts) == 1 else z3.Or(disjuncts)


def _split(formula: z3.BoolRef, is_conjunction: bool) -> list[z3.BoolRef]:
    """The conjuncts, or the disjuncts, that the formula has once negations are pushed inwards; each once."""
    found: list[z3.BoolRef] = []
    stack, seen = [(formula, True)], set[tuple[int, bool]]()
    while stack:
        term, sign = stack.pop()
        if (term.get_id(), sign) in seen:
            continue
        seen.add((term.get_id(), sign))
        if z3.is_not(term):
            stack.append((term.arg(0), not sign))
        elif z3.is_and(term) if sign == is_conjunction else z3.is_or(term):
            stack.extend((child, sign) for child in reversed(term.children()))
        elif z3.is_implies(term) and sign != is_conjunction:
            stack += [(term.arg(1), sign), (term.arg(0), not sign)]
        else:
            found.append(term if sign else z3.Not(term))
    return found
