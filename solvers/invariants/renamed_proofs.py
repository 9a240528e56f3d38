"""Proofs under other names: what refutes a formula also refutes each formula that contains an instance of it.

In a system of equal nodes the goals of different nodes have the same proof, about other variables. Where core & ~goal
is unsatisfiable, so is each instance of it, in which terms stand for the variables; and more conjuncts keep it so. So a
further goal follows from some conjuncts if these are the image of the core, and the goal that of the core's goal, by
one renaming. The renaming is looked for by matching: first of the goals, then of the conjuncts of the core one after
another, those first that have the fewest possible images. Symmetries of formulas, which serve a similar purpose:
Deharbe, Fontaine, Merz, Woltzenlogel Paleo: Exploiting Symmetry in SMT Problems (CADE 2011)
[DeharbeFontaineMerzPaleo2011].
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import z3

from chcverify.effort import MAX_BUILT, MAX_COMBINED, REPETITIONS
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import is_quantifier_free
from chcverify.terms.native import capi, handles

Node = int
Renaming = dict[Node, Node]
OLD_SIMPLEX = 2  # among z3's solvers for arithmetic
_COMMUTATIVE = frozenset((z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_EQ, z3.Z3_OP_ADD, z3.Z3_OP_DISTINCT))


@dataclass(frozen=True)
class _RefutedGoal:
    """core & ~goal is unsatisfiable. core: with the variables of each."""

    goal: Node
    core: Mapping[Node, frozenset[Node]]


class RenamedProofs:
    """The conjuncts of an assumption, and proofs of goals from some of them. All are without quantifiers.

    Of goals of one shape, that is, which differ in their variables only, it keeps a few proofs.
    """

    def __init__(self, given: Sequence[z3.BoolRef]) -> None:
        self._conjuncts = list(given)
        self._terms = _TermNumbers()
        self._given: dict[Node, int] = {}
        for position, part in enumerate(given):
            self._given.setdefault(self._terms.node(part), position)
        self._by_shape: dict[int, list[Node]] = {}
        for node in self._given:
            self._by_shape.setdefault(self._terms.shapes[node], []).append(node)
        self._proofs: dict[int, list[_RefutedGoal]] = {}  # by the goal's shape
        self._failures: Counter[int] = Counter()  # of searches, by the goal's shape, without a success

    def shape(self, goal: z3.BoolRef) -> int:
        """A number that goals have in common if they differ in their variables only."""
        return self._terms.shapes[self._terms.node(goal)]

    def lacks(self, goal: z3.BoolRef) -> bool:
        """Would another proof of a goal of this shape be kept?"""
        shape = self.shape(goal)
        return len(self._proofs.get(shape, ())) < MAX_COMBINED and self._failures[shape] <= 1

    def core(self, goal: z3.BoolRef, seconds: float, without: Collection[int] = ()) -> list[z3.BoolRef] | None:
        """Conjuncts with which z3 refutes the negated goal; None if it does not. z3's older simplex, for reals.

        seconds: of the clock. without: positions of conjuncts that may not be used.
        """
        solver = z3.SimpleSolver()
        solver.set("smt.arith.solver", OLD_SIMPLEX)
        solver.set("timeout", max(1, int(1000 * seconds)))
        usable = [position for position in self._given.values() if position not in without]
        literals = {position: z3.Bool(f"conjunct {position} of the assumption") for position in usable}
        solver.add(*(z3.Implies(literal, self._conjuncts[position]) for position, literal in literals.items()))
        # conjuncts & ~goal
        solver.add(z3.Not(goal))
        if solver.check(*literals.values()) != z3.unsat:
            return None
        used = {literal.get_id() for literal in solver.unsat_core()}
        return [self._conjuncts[position] for position, literal in literals.items() if literal.get_id() in used]

    def add(self, core: Iterable[z3.BoolRef], goal: z3.BoolRef) -> None:
        """A solver has refuted core & ~goal."""
        nodes = map(self._terms.node, core)
        proof = _RefutedGoal(self._terms.node(goal), {node: self._terms.variables(node) for node in nodes})
        self._proofs.setdefault(self._terms.shapes[proof.goal], []).append(proof)

    def find(self, goal: z3.BoolRef, without: Collection[int] = ()) -> frozenset[int] | None:
        """The positions of conjuncts from which the goal follows, by a known proof under other names; None if no such
        conjuncts are found. without: positions of conjuncts that may not be used."""
        node = self._terms.node(goal)
        shape = self._terms.shapes[node]
        known = self._proofs.get(shape)
        if not known or self._failures[shape] >= REPETITIONS:
            return None
        usable = {part for part, position in self._given.items() if position not in without}
        for proof in known:
            found = _ImageSearch(self._terms, self._by_shape, usable).image(proof, node)
            if found is not None:
                self._failures[shape] = -len(self._given)  # there are symmetries
                return frozenset(self._given[image] for image in found)
        self._failures[shape] += 1
        return None


class _ImageSearch:
    """One search for the image of a proof. usable: the conjuncts that it may consist of."""

    def __init__(self, terms: "_TermNumbers", by_shape: Mapping[int, Sequence[Node]], usable: Collection[Node]) -> None:
        self._terms, self._by_shape, self._usable = terms, by_shape, usable
        self._left = MAX_BUILT

    def image(self, proof: _RefutedGoal, goal: Node) -> list[Node] | None:
        """The images of the core's conjuncts by a renaming that makes the proof's goal this goal."""
        for renaming in self._matches(((proof.goal, goal),), {}):
            if self._terms.renamed(proof.goal, renaming) != goal:
                continue
            found = self._rest(proof.core, renaming)
            if found is not None:
                return found
        return None

    def _rest(self, core: Mapping[Node, frozenset[Node]], renaming: Renaming) -> list[Node] | None:
        """The images of all of these by an extension of the renaming."""
        found: list[Node] = []
        left: dict[Node, frozenset[Node]] = {}
        for node, variables in core.items():
            if not variables <= renaming.keys():
                left[node] = variables
                continue
            image = self._terms.renamed(node, renaming)
            if image is None or image not in self._usable:
                return None
            found.append(image)
        if not left:
            return found
        images = {node: self._candidates(node, renaming) for node in left}
        self._left -= len(left)
        chosen = min(left, key=lambda node: (len(images[node]), len(left[node] - renaming.keys()), node))
        for candidate in images[chosen]:
            for extended in self._matches(((chosen, candidate),), renaming):
                more = self._rest(left, extended)
                if more is not None:
                    return found + more
        return None

    def _candidates(self, node: Node, renaming: Renaming) -> list[Node]:
        """The conjuncts of the same shape with the new names of the variables that have one; the node itself first."""
        alike = [other for other in self._by_shape.get(self._terms.shapes[node], ()) if other in self._usable]
        return sorted(self._possible(node, alike, renaming), key=lambda other: other != node)

    def _possible(self, node: Node, others: Iterable[Node], renaming: Renaming) -> list[Node]:
        """The terms of the node's shape with the new names of those of its variables that have one."""
        shape, names = self._terms.shapes[node], map(renaming.get, self._terms.variables(node))
        named = {name for name in names if name is not None}
        return [each for each in others if self._terms.shapes[each] == shape and named <= self._terms.variables(each)]

    def _matches(self, pairs: tuple[tuple[Node, Node], ...], renaming: Renaming) -> Iterator[Renaming]:
        """The extensions of the renaming that make the first of each pair the second."""
        todo, names = list(pairs), dict(renaming)
        while todo:
            self._left -= 1
            if self._left < 0:
                return
            node, other = todo.pop()
            if self._terms.shapes[node] != self._terms.shapes[other]:
                return
            below = self._terms.children[node]
            if self._terms.is_variable[node]:
                if names.setdefault(node, other) != other:
                    return
            elif not self._terms.is_commutative[node]:
                todo.extend(zip(below, self._terms.children[other], strict=True))
            else:
                yield from self._permuted(below, self._terms.children[other], tuple(todo), names)
                return
        yield names

    def _permuted(
        self, nodes: Sequence[Node], others: Sequence[Node], pairs: tuple[tuple[Node, Node], ...], renaming: Renaming
    ) -> Iterator[Renaming]:
        """The extensions that make these nodes the others, in any order, and the first of each pair the second."""
        if not nodes:
            yield from self._matches(pairs, renaming)
            return
        alike = {node: self._possible(node, others, renaming) for node in nodes}
        self._left -= len(alike)
        first = min(nodes, key=lambda node: len(alike[node]))
        rest = _without(nodes, first)
        for other in dict.fromkeys(alike[first]):
            for extended in self._matches(((first, other),), renaming):
                yield from self._permuted(rest, _without(others, other), pairs, extended)


def _without(nodes: Sequence[Node], one: Node) -> list[Node]:
    """All but one occurrence of a node."""
    position = nodes.index(one)
    return [*nodes[:position], *nodes[position + 1 :]]


class _TermNumbers:
    """Terms as numbers: equal ones up to the order of arguments where that does not matter.

    shapes: numbers that are equal where terms differ in their variables only.
    """

    def __init__(self) -> None:
        self.children: list[tuple[Node, ...]] = []
        self.shapes: list[int] = []
        self.is_variable: list[bool] = []
        self.is_commutative: list[bool] = []
        self._functions: list[int] = []
        self._nodes: dict[tuple[int, tuple[Node, ...]], Node] = {}
        self._shapes: dict[tuple[int, tuple[int, ...]], int] = {}
        self._by_handle: dict[int, Node] = {}
        self._variables: dict[Node, frozenset[Node]] = {}
        self._kept: list[z3.ExprRef] = []  # a handle is a term's only while the term is kept

    def node(self, term: z3.ExprRef) -> Node:
        """The number of a term without quantifiers; ValueError for others."""
        known = self._by_handle.get(handles.handle(term))
        if known is not None:
            return known
        if not is_quantifier_free(term):
            raise ValueError("a term with quantifiers")
        self._kept.append(term)
        context = handles.context_of(term)
        for handle, below in handles.postorder(context, [handles.handle(term)], set()):
            if handle not in self._by_handle:
                function = capi.get_app_decl(context, handle)
                kind = capi.get_decl_kind(context, function)
                is_variable = kind == z3.Z3_OP_UNINTERPRETED and not below
                sort = capi.get_sort(context, handle)
                arguments = tuple(self._by_handle[child] for child in below)
                self._by_handle[handle] = self._made(function, arguments, kind in _COMMUTATIVE, is_variable and sort)
        return self._by_handle[handles.handle(term)]

    def _made(self, function: int, arguments: tuple[Node, ...], is_commutative: bool, variable_of: int) -> Node:
        """variable_of: the sort of a variable, 0 for other terms."""
        key = function, tuple(sorted(arguments)) if is_commutative else arguments
        known = self._nodes.get(key)
        if known is not None:
            return known
        below = [self.shapes[argument] for argument in key[1]]
        shape = variable_of or function, tuple(sorted(below) if is_commutative else below)
        node = self._nodes[key] = len(self.children)
        self.children.append(key[1])
        self.shapes.append(self._shapes.setdefault(shape, len(self._shapes)))
        self.is_variable.append(bool(variable_of))
        self.is_commutative.append(is_commutative)
        self._functions.append(function)
        return node

    def variables(self, node: Node) -> frozenset[Node]:
        """The variables of a term."""
        known = self._variables.get(node)
        if known is not None:
            return known
        found, todo, seen = set[Node](), [node], set[Node]()
        while todo:
            each = todo.pop()
            if each in seen:
                continue
            seen.add(each)
            if self.is_variable[each]:
                found.add(each)
            todo.extend(self.children[each])
        self._variables[node] = frozenset(found)
        return self._variables[node]

    def renamed(self, node: Node, renaming: Renaming) -> Node | None:
        """The term with other variables; None if no such term is known. The renaming has all of its variables."""
        made: dict[Node, Node] = {}
        todo = [node]
        while todo:
            each = todo[-1]
            open_ = [child for child in self.children[each] if child not in made]
            if open_:
                todo.extend(open_)
                continue
            todo.pop()
            below = tuple(made[child] for child in self.children[each])
            key = self._functions[each], tuple(sorted(below)) if self.is_commutative[each] else below
            found = renaming[each] if self.is_variable[each] else self._nodes.get(key)
            if found is None:
                return None
            made[each] = found
        return made[node]
