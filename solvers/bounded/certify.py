"""The unrolling as a model of the clauses: weakest preconditions of its nodes, each defined by those that follow.

Node n of predicate P gets h_n with h_n(a) <=> forall inputs. (guard_e => h_m(outputs_e)) & ... for its edges e to nodes
m, where false stands for h_m at violations and at what is out of reach. Its arguments a are those of P that matter,
single cells for arrays that are read at numbers only. P(x) is then, for some of its nodes n, facts_n(x) & h_n(a(x)),
where the facts that all these nodes share are written once: most are about memory that the program no longer changes.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import z3

from chcverify.certificate.kernel.definitions import MARK
from chcverify.certificate.model import Definition, Model
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, disjunction
from chcverify.terms.native.arena import Arena, ArenaTerm
from solvers.bounded.execute import SymbolicExecution
from solvers.bounded.graph import Node, UnrolledEdge

_Case = tuple[tuple[ArenaTerm, ...], z3.BoolRef]
"""Literals, and what must hold under all of them."""


@dataclass(frozen=True, eq=False)
class _UnrolledPart:
    """h_n, or h_m where nothing happens between n and m. arguments: terms over the formals of n's predicate."""

    predicate: Predicate
    arguments: tuple[ArenaTerm, ...]


class Certifier:
    """Makes the model. unneeded: predicates from which no query can be reached."""

    def __init__(self, system: HornSystem, execution: SymbolicExecution) -> None:
        self.system = system
        self.arena = execution.arena
        self.facts = execution.facts
        self.reads = execution.reads
        self.unrolling = execution.unrolling
        self.relevant = _relevant(system)
        self.parts: dict[Node, _UnrolledPart] = {}  # none for nodes from which nothing can be violated
        self.definitions: list[Definition] = []
        self.atomic: set[ArenaTerm] = set()  # the atoms of those without arguments
        self.prefix = "bounded"
        while any(predicate.name.startswith(self.prefix) for predicate in system.predicates):
            self.prefix += "_"

    def model(self) -> Model:
        """The model; it needs no proof but of the clauses without body."""
        for node in reversed(self.unrolling.nodes):
            self._define(node)
        nodes: dict[Predicate, list[Node]] = {predicate: [] for predicate in self.system.predicates}
        for node in self.unrolling.nodes:
            nodes[node.predicate].append(node)
        interpretations = {
            predicate: self._union(found) if predicate in self.relevant else z3.BoolVal(True)
            for predicate, found in nodes.items()
        }
        return Model(interpretations, tuple(self.definitions))

    def _union(self, nodes: Sequence[Node]) -> z3.BoolRef:
        """The facts that all the nodes share, and for some node the others."""
        cases = list(map(self._case, nodes))
        if len(cases) < 2:
            return self._conjunction(cases[0]) if cases else z3.BoolVal(False)
        shared = set(cases[0]).intersection(*cases[1:])
        rest = _shared_conjunctions(self.arena, [[part for part in case if part not in shared] for case in cases])
        common = self._conjunction(part for part in cases[0] if part in shared)
        return conjunction([common, disjunction(map(self.arena.wrap, rest))])

    def _conjunction(self, parts: Iterable[ArenaTerm]) -> z3.BoolRef:
        formula: z3.BoolRef = self.arena.wrap(self.arena.conjunction(parts))
        return formula

    def _define(self, node: Node) -> None:
        self._needed_cells(node)
        cases = []
        for edge in node.leaving:
            if edge.target is None:
                cases.append((edge.guard, z3.BoolVal(False)))
            elif edge.target in self.parts:
                part = self.parts[edge.target]
                arguments = tuple(self._after(edge, argument) for argument in part.arguments)
                if len(node.leaving) == 1 and not edge.guard and all(self._is_atom(node, a) for a in arguments):
                    self.parts[node] = _UnrolledPart(part.predicate, arguments)
                    return
                cases.append((edge.guard, part.predicate(*map(self.arena.wrap, arguments)).term))
        if cases:
            self._with_definition(node, cases)

    def _with_definition(self, node: Node, cases: Sequence[_Case]) -> None:
        matrix = self.arena.handle(self._tree(cases))
        formals = frozenset(map(self.arena.handle, node.predicate.formals))
        atoms = self._atoms(matrix, formals)
        inputs = [self.arena.wrap(v) for v in self.arena.in_order(self.arena.variables(matrix) - formals - self.atomic)]
        sorts = tuple(self.arena.wrap(atom).sort() for atom in atoms)
        predicate = Predicate(f"{self.prefix}{node.number}", sorts)
        table = {atom: self.arena.handle(formal) for atom, formal in zip(atoms, predicate.formals, strict=True)}
        body = self.arena.wrap(self.arena.replace(matrix, table))
        self.parts[node] = _UnrolledPart(predicate, tuple(atoms))
        if not atoms:
            self.atomic.add(self.arena.handle(predicate().term))
        self.definitions.append(Definition(predicate, _closed(body, inputs)))

    def _is_atom(self, node: Node, term: ArenaTerm) -> bool:
        """A formal, a cell of one at a number, or a value."""
        formals = set(map(self.arena.handle, node.predicate.formals))
        if term in formals or self.arena.is_value(term):
            return True
        return self.reads.at_numbers(term) == (term,) and self.arena.children(term)[0] in formals

    def _after(self, edge: UnrolledEdge, term: ArenaTerm) -> ArenaTerm:
        """A term over the target's formals in terms of the source."""
        assert edge.target is not None
        formals = map(self.arena.handle, edge.target.predicate.formals)
        outputs = dict(zip(formals, edge.outputs, strict=True))
        if term in outputs:
            return outputs[term]
        if self.arena.is_value(term):
            return term
        array, index = self.arena.children(term)
        cell = self.reads.read(outputs[array], index)
        return self.facts.simplified(edge.source, cell) if edge.source is not None else cell

    def _atoms(self, matrix: ArenaTerm, formals: frozenset[ArenaTerm]) -> list[ArenaTerm]:
        """The formals and cells that the matrix depends on; a formal array as a whole if it is used in another way."""
        arena = self.arena
        found, stack, seen = set[ArenaTerm](), [matrix], {matrix}
        while stack:
            term = stack.pop()
            below = list(arena.children(term))
            if term in formals:
                found.add(term)
            elif arena.kind(term) == z3.Z3_OP_SELECT and below[0] in formals and arena.is_value(below[1]):
                found.add(term)
                continue
            new = [child for child in below if child not in seen]
            seen.update(new)
            stack += new
        whole = {term for term in found if term in formals}
        cells = {term for term in found if term not in formals and arena.children(term)[0] not in whole}
        return arena.in_order(whole | cells)

    def _tree(self, cases: Sequence[_Case]) -> z3.BoolRef:
        """The conjunction of literals => claim; as a choice where a literal distinguishes cases."""
        common = [literal for literal in cases[0][0] if all(literal in literals for literals, _ in cases)]
        if common:
            rest = [(tuple(x for x in literals if x not in common), claim) for literals, claim in cases]
            return _implied(conjunction(map(self.arena.wrap, common)), self._tree(rest))
        for literal in cases[0][0]:
            other = self.arena.complement(literal)
            if len(cases) > 1 and all(literal in literals or other in literals for literals, _ in cases):
                then = [(_without(literals, literal), claim) for literals, claim in cases if literal in literals]
                otherwise = [(_without(literals, other), claim) for literals, claim in cases if literal not in literals]
                tree: z3.BoolRef = z3.If(self.arena.wrap(literal), self._tree(then), self._tree(otherwise))
                return tree
        return conjunction(_implied(conjunction(map(self.arena.wrap, literals)), claim) for literals, claim in cases)

    def _case(self, node: Node) -> list[ArenaTerm]:
        """The conjuncts of facts & h."""
        arena = self.arena
        parts = [arena.equation(formal, value) for formal, value in node.constants.items()]
        parts += self.facts.comparisons(node)
        for read in arena.in_order(node.used_cells):
            array, index = arena.children(read)
            value = node.cells[array].get(index)
            assert value is not None
            parts.append(arena.equation(read, value))
        if node in self.parts:
            part = self.parts[node]
            parts.append(arena.handle(part.predicate(*map(arena.wrap, part.arguments)).term))
        return parts

    def _needed_cells(self, node: Node) -> None:
        """What is made use of after this node must be known here, too."""
        arena = self.arena
        for edge in node.leaving:
            if edge.target is None:
                continue
            outputs = dict(zip(map(arena.handle, edge.target.predicate.formals), edge.outputs, strict=True))
            for read in edge.target.used_cells:
                array, index = arena.children(read)
                cell = self.reads.read(outputs[array], index)
                known = self._known_cell(node, cell)
                if known is not None:
                    node.used_cells.add(cell)
                elif not arena.is_value(cell):
                    self.facts.simplified(node, cell)

    def _known_cell(self, node: Node, term: ArenaTerm) -> ArenaTerm | None:
        """The known value of the term if it is a cell of one of the node's arrays, at a number."""
        if self.reads.at_numbers(term) != (term,):
            return None
        array, index = self.arena.children(term)
        return node.cells[array].get(index) if array in node.cells else None


def _shared_conjunctions(arena: Arena, cases: Sequence[Sequence[ArenaTerm]]) -> list[ArenaTerm]:
    """The conjunction of each case, as terms that share subterms where cases have many parts in common.

    All parts that several cases have are leaves of one binary tree, in the order of their first occurrence. A case is
    this tree without the parts that it does not have: of n parts, two cases that differ in one part share all but
    log n nodes. A loop over an array of n cells has n cases of up to n cells each, most of them as in the case before.
    """
    often = Counter(part for case in cases for part in case)
    leaves = [part for part, count in often.items() if count > 1]
    conjunctions: dict[tuple[ArenaTerm, ArenaTerm], ArenaTerm] = {}

    def both(left: ArenaTerm, right: ArenaTerm) -> ArenaTerm:
        if left == arena.true or right == arena.true:
            return right if left == arena.true else left
        if (left, right) not in conjunctions:
            conjunctions[left, right] = arena.conjunction((left, right))
        return conjunctions[left, right]

    def joined(case: Sequence[ArenaTerm]) -> ArenaTerm:
        mine = set(case)
        level = [part if part in mine else arena.true for part in leaves]
        while len(level) > 1:
            level += [arena.true] * (len(level) % 2)
            level = list(map(both, level[::2], level[1::2]))
        return arena.conjunction([*level, *(part for part in case if often[part] == 1)])

    return list(map(joined, cases))


def _without(literals: Iterable[ArenaTerm], literal: ArenaTerm) -> tuple[ArenaTerm, ...]:
    return tuple(x for x in literals if x != literal)


def _implied(condition: z3.BoolRef, claim: z3.BoolRef) -> z3.BoolRef:
    return claim if z3.is_true(condition) else z3.Implies(condition, claim)


def _closed(matrix: z3.BoolRef, inputs: Sequence[z3.ExprRef]) -> z3.BoolRef:
    """For all inputs the matrix. Bound variables have the names of the clauses' variables; see definitions.py."""
    if not inputs:
        return matrix
    names: dict[str, z3.SortRef] = {}
    renamed: list[z3.ExprRef] = []
    for variable in inputs:
        name = str(variable.decl().name())
        if name in names:
            name = f"{name}{MARK}{len(names)}"
        names[name] = variable.sort()
        renamed.append(z3.Const(name, variable.sort()))
    pairs = [(old, new) for old, new in zip(inputs, renamed, strict=True) if not old.eq(new)]
    return z3.ForAll(renamed, z3.substitute(matrix, pairs) if pairs else matrix)


def _relevant(system: HornSystem) -> frozenset[Predicate]:
    """The predicates from which a query can be reached."""
    found: set[Predicate] = set()
    waiting = [atom.predicate for index in system.queries for atom in system.clauses[index].body]
    while waiting:
        predicate = waiting.pop()
        if predicate not in found:
            found.add(predicate)
            waiting += [a.predicate for index in system.defining[predicate] for a in system.clauses[index].body]
    return frozenset(found)
