"""Base and step case of nonlinear systems, on derivation trees by depth.

Let T(F) be the facts that one clause derives from facts in F, and F_0 those that satisfy the auxiliary invariants and
violate no query alone. The step case for k: no query is violated by facts at the top of trees of k clauses whose
inner nodes and leaves lie in F_0. All derivable facts are at the top of such trees; the base case only finds bugs.
"""

import math
from collections.abc import Mapping

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem, Predicate
from solvers.engine import Context
from solvers.unrolling.derivation_trees import Trees
from solvers.unrolling.model_strengthening import interpolated_model, safe_states


class TreeBase:
    """The base case of nonlinear systems: no violation by trees of up to `checked` clauses in depth. Resumable."""

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self.context = context
        self.trees = Trees(system, name="base", seed=context.seed)
        self.checked = -1
        self.abandoned = False
        self._exhausted = False

    def check_next(self, seconds: float = math.inf) -> Derivation | str | None:
        """Checks one more depth: a derivation, None if there is no violation there, or the reason why this is unknown.

        seconds: limit of each query. A query without an answer can be repeated by another call.
        """
        depth = self.checked + 1
        while self.context.remaining() > 0:
            # a tree without open nodes
            answer, needed = self.trees.check(min(seconds, self.context.remaining()), closed=True)
            if answer == z3.sat:
                return self.trees.derivation()
            if answer == z3.unknown:
                return f"base case at depth {depth}: {self.trees.solver.reason_unknown()}"
            self._exhausted = not needed
            within = [node for node in needed if node.address.depth <= depth]
            if not within:
                self.checked = depth
                return None
            for node in within:
                self.trees.expand(node)
        return f"time limit at depth {depth}"

    def exhausted(self, seconds: float = math.inf) -> bool:
        """The forward condition, backwards: True if there was no violation for any values of the open nodes."""
        return self._exhausted and not self.abandoned

    def model(self, context: Context) -> Model | None:
        """A model if `exhausted`; if none is found in the context's time, later calls do not search again."""
        model = interpolated_model(self.system, max(0, self.checked), {}, {}, context)
        self.abandoned = model is None
        return model


class TreeStep:
    """The step case of nonlinear systems: trees of k clauses in depth, safe below a violation at the root."""

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self.context = context
        self.trees = Trees(system, name="step", seed=context.seed)
        self.safe: Mapping[Predicate, z3.BoolRef] = safe_states(system, context)
        self._assumed = 0  # so many nodes have got their assumption

    def check(self, k: int, seconds: float = math.inf) -> z3.CheckSatResult:
        """The answer to the step case for k; unsat means that it holds. Expands only nodes that a counterexample uses.

        seconds: limit of each query. A query without an answer can be repeated by another call.
        """
        while self.context.remaining() > 0:
            self._assume_safe()
            # a tree with a violation at its root; invariants everywhere, safe(s) from the second clause on
            answer, needed = self.trees.check(min(seconds, self.context.remaining()), closed=False)
            within = [node for node in needed if node.address.depth <= k]
            if answer != z3.sat or not within:
                return answer
            for node in within:
                self.trees.expand(node)
        return z3.unknown

    def add_invariant(self, predicate: Predicate, formula: z3.BoolRef) -> None:
        """Assumes the formula, over the predicate's formals, at all nodes."""
        self.trees.add_invariant(predicate, formula)

    def _assume_safe(self) -> None:
        """Assumes all nodes to be safe, except the facts in the violated query's body."""
        for node in self.trees.nodes[self._assumed :]:
            safe = self.safe.get(node.predicate) if node.predicate and node.address.depth > 1 else None
            if safe is not None:
                self.trees.assert_at(node, safe)
        self._assumed = len(self.trees.nodes)
