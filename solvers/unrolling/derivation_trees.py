"""The unroller of nonlinear systems: derivation trees from the queries down, one solver, expanded where needed.

A node is a predicate at an address: the body positions on the way from the root. A derivation tree has at most one node
at an address, so all alternatives share it, and a linear system is unrolled to one node per predicate and depth. A
node's literal implies, once it is expanded, the literal of a clause, and this its constraint and the children's
literals. Open nodes can be closed, by assuming that their literals are false, or left free.
"""

from dataclasses import field

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import substitute
from solvers.unrolling.clause_instances import ClauseInstances


@dataclass(eq=False)
class TreeAddress:
    """An address of `depth` body positions. below: by the next position. nodes: by predicate, without the root."""

    depth: int
    nodes: dict[Predicate, "TreeNode"] = field(default_factory=dict)
    below: dict[int, "TreeAddress"] = field(default_factory=dict)


@dataclass(eq=False)
class TreeEdge:
    """A clause used at a node; children: one for each body atom."""

    clause: int
    literal: z3.BoolRef
    children: tuple["TreeNode", ...]


@dataclass(eq=False)
class TreeNode:
    """A fact of a derivation tree, or (predicate None) the violated query at its root; open until it is expanded."""

    predicate: Predicate | None
    address: TreeAddress
    literal: z3.BoolRef
    state: tuple[z3.ExprRef, ...]
    edges: list[TreeEdge] = field(default_factory=list)


class Trees:
    """A formula for derivation trees, extended node by node from the root, where any query is violated.

    name: prefix of all names.
    """

    def __init__(self, system: HornSystem, *, name: str, seed: int = 0) -> None:
        self.system = system
        self._name = name
        self._instances = ClauseInstances(system)
        self.solver = z3.SimpleSolver()
        self.solver.set("random_seed", seed)
        self.nodes: list[TreeNode] = []
        self._open: dict[int, TreeNode] = {}  # by the id of the literal
        self._invariants: list[tuple[Predicate, z3.BoolRef]] = []
        self.root = TreeNode(None, TreeAddress(0), z3.Bool(f"{name}.false"), ())
        self.solver.add(self.root.literal)
        self.expand(self.root)

    def expand(self, node: TreeNode) -> None:
        """literal(node) -> OR of the clauses into it."""
        self._open.pop(node.literal.get_id(), None)
        system = self.system
        indices = system.queries if node.predicate is None else system.defining[node.predicate]
        node.edges = [self._edge(index, node) for index in indices]
        self.solver.add(z3.Implies(node.literal, z3.Or([edge.literal for edge in node.edges])))

    def check(self, seconds: float, *, closed: bool) -> tuple[z3.CheckSatResult, list[TreeNode]]:
        """The answer to whether there is a tree whose open nodes do not occur (closed) or have any values.

        The nodes are those to expand: if there is none, the open nodes that this depends on; if there is one with
        open nodes left free, those that occur in it.
        """
        self.solver.set("timeout", max(1, int(1000 * seconds)))
        # root & for each expanded node: literal -> OR clauses; clause -> constraint & children; closed: ~literal(open)
        answer = self.solver.check(*([z3.Not(n.literal) for n in self._open.values()] if closed else []))
        if answer == z3.unsat:
            return answer, [self._open[part.arg(0).get_id()] for part in self.solver.unsat_core()] if closed else []
        if answer == z3.unknown or closed:
            return answer, []
        model = self.solver.model()
        return answer, [node for node in self._used(model) if node.literal.get_id() in self._open]

    def add_invariant(self, predicate: Predicate, formula: z3.BoolRef) -> None:
        """Assumes the formula, over the formals, in every fact of the predicate."""
        self._invariants.append((predicate, formula))
        for node in self.nodes:
            if node.predicate == predicate:
                self.assert_at(node, formula)

    def assert_at(self, node: TreeNode, formula: z3.BoolRef) -> None:
        """literal(node) -> formula, which is over the predicate's formals."""
        assert node.predicate is not None
        instance = substitute(formula, zip(node.predicate.formals, node.state, strict=True))
        self.solver.add(z3.Implies(node.literal, instance))

    def derivation(self) -> Derivation:
        """The tree of the last check with all open nodes closed; equal facts are derived once."""
        model = self.solver.model()
        steps: list[Step] = []
        number: dict[tuple[object, ...], int] = {}
        of: dict[int, int] = {}  # the step of a node, by the node's id
        for node in reversed(self._used(model)):
            edge = _chosen(node, model)
            values = tuple(model.eval(value, model_completion=True) for value in node.state)
            key = (node.predicate, *(value.get_id() for value in values))
            if key not in number:
                number[key] = len(steps)
                steps.append(Step(edge.clause, values, tuple(of[id(child)] for child in edge.children)))
            of[id(node)] = number[key]
        return Derivation(tuple(steps))

    def _used(self, model: z3.ModelRef) -> list[TreeNode]:
        """The nodes of the model's tree, parents before children."""
        used = [self.root]
        for node in used:  # grows while it is read
            if node.edges:
                used += _chosen(node, model).children
        return used

    def _edge(self, index: int, node: TreeNode) -> TreeEdge:
        """The clause's literal -> constraint & children's literals, the arguments named after the nodes' states."""
        clause = self.system.clauses[index]
        literal = z3.Bool(f"{node.literal.decl().name()}.clause{index}")
        children = tuple(self._child(node.address, k, atom.predicate) for k, atom in enumerate(clause.body))
        states = [child.state for child in children] + ([] if clause.head is None else [node.state])
        constraint = self._instances.constraint(index, states, f"@{literal.decl().name()}")
        self.solver.add(z3.Implies(literal, z3.And(constraint, *(child.literal for child in children))))
        return TreeEdge(index, literal, children)

    def _child(self, above: TreeAddress, position: int, predicate: Predicate) -> TreeNode:
        address = above.below.get(position)
        if address is None:
            address = above.below[position] = TreeAddress(above.depth + 1)
        if predicate in address.nodes:
            return address.nodes[predicate]
        name = f"{self._name}.{len(self.nodes)}.{predicate.name}"
        state = tuple(z3.Const(f"{name}.{i}", sort) for i, sort in enumerate(predicate.sorts))
        node = address.nodes[predicate] = TreeNode(predicate, address, z3.Bool(name), state)
        self.nodes.append(node)
        self._open[node.literal.get_id()] = node
        for owner, formula in self._invariants:
            if owner == predicate:
                self.assert_at(node, formula)
        return node


def _chosen(node: TreeNode, model: z3.ModelRef) -> TreeEdge:
    return next(edge for edge in node.edges if z3.is_true(model.eval(edge.literal)))
