"""The tuning constants of the engine `data-driven`, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class DataDrivenTuning:
    """Limits of sampling and of the polynomials. Made for loops over few numbers of small size, chosen by hand; no
    measurement is recorded. Systems without numeric arguments have no candidates."""

    max_facts: int = 180
    """Sampled facts of one predicate; more than max_monomials + spare_points, so that all degrees have enough."""
    max_executions: int = 3_000
    """Executions of clauses."""
    sampling_time_fraction: float = 0.25
    """The part of the remaining time for executions of clauses."""
    largest_input: int = 12
    """Inputs are drawn from -largest_input // 3 to largest_input."""
    solver_ms: int = 50
    """Milliseconds for a solver to find the values of one execution."""
    largest_value: int = 1 << 24
    """Facts with numbers of greater magnitude are dropped."""
    late_facts: int = 8
    """The latest facts of a predicate: one of them is chosen with late_fact_probability."""
    late_fact_probability: float = 0.5
    """The probability that one of the latest facts is chosen for an execution, and not any fact."""
    step_weight: float = 4.0
    """How much more often clauses with a body are executed than facts."""
    barren_executions: int = 20
    """Executions without a new fact after which a clause is executed half as often."""
    spare_points: int = 8
    """Points beyond the number of monomials, so that a linear dependency is no accident."""
    max_monomials: int = 160
    """Monomials of one sort of arguments."""
    max_degree: int = 4
    """Degree of polynomials."""
    largest_coefficient: int = 1000
    """Coefficients of greater magnitude are taken for accidents."""
    mining_time_fraction: float = 0.15
    """Fraction of the remaining time for bounds and comparisons that the equalities may need."""
    bounds_time_fraction: float = 0.15
    """Fraction of the remaining time for bounds, of sums that grow among them: without these most equalities of
    integers hold modulo 2^w only."""
    mining_check_s: float = 0.3
    """Seconds for one check of these."""
    max_equalities: int = 12
    """Equalities of one predicate, sort and degree."""


DATA_DRIVEN_TUNING = DataDrivenTuning()
