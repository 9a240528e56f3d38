"""The tuning constants of explicit-state evaluation, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class ExplicitTuning:
    """Limits of explicit-state evaluation. Measured where a field says so; the others were chosen by hand."""

    max_model_points: int = 600
    """Facts of one predicate in a model. Measured: checking 400 points that are joined twice takes z3 3 s, and the time
    grows with the square."""
    large_facts: int = 10_000
    """Facts of the engine `explicit-large`. Measured: 8,000 of a reduced product of two threads (fib_bench_longer) are
    derived in 1 s, and checked in 20 s; 22,000 (fib_safe-7) in 3 s, but their check takes minutes."""
    large_cells: int = 100_000
    """Cells of arrays in these facts."""
    large_work_instructions: int = 10_000_000
    """Instructions of the engine `explicit-large`."""
    large_model_points: int = 2_000
    """The same as max_model_points for `explicit-large`. Measured on a product of two threads (fib_bench_longer): z3
    checks 79 clauses between predicates of up to 1,715 points in 20 s, cvc5 in 86 s; a quarter of them in 3 and 9 s."""
    max_values: int = 16
    """Values enumerated for one free variable, or for all free variables of a clause together."""
    join_cost_instructions: int = 10
    """Instructions that cost as much as the fixed part of one use of a clause or of a fact."""
    clock_interval_instructions: int = 1_000
    """Instructions between two looks at the clock."""
    max_bits: int = 4_096
    """Bits of a number in a fact; numbers that square themselves would soon take all the time."""
    max_split_nodes: int = 1_000
    """Nodes of a constraint from which on it is not split."""


EXPLICIT_TUNING = ExplicitTuning()
