"""The tuning constants of the engine `data-driven`, in one table."""

from chcverify.lazy_dataclass import dataclass


@dataclass(frozen=True)
class DataDrivenTuning:
    """Limits of sampling and of the polynomials.

    Made for loops over few numbers of small size, chosen by hand; no
    measurement is recorded. Systems without numeric arguments have no candidates.

    max_facts: sampled facts of one predicate; more than max_monomials + spare_points, so that all degrees have enough.
    max_executions: executions of clauses.
    sampling_time_fraction: fraction of the remaining time for them.
    largest_input: inputs are drawn from -largest_input // 3 to largest_input.
    solver_ms: milliseconds for a solver to find the values of one execution.
    largest_value: facts with numbers of greater magnitude are dropped.
    late_facts: the latest facts of a predicate, of which one is chosen with late_fact_probability.
    step_weight: how much more often clauses with a body are executed than facts.
    barren_executions: executions without a new fact after which a clause is executed half as often.
    spare_points: points beyond the number of monomials, so that a linear dependency is no accident.
    max_monomials: monomials of one sort of arguments.
    max_degree: degree of polynomials.
    largest_coefficient: coefficients of greater magnitude are taken for accidents.
    mining_time_fraction: fraction of the remaining time for bounds and comparisons that the equalities may need.
    bounds_time_fraction: fraction of the remaining time for bounds, of sums that grow among them: without these most
    equalities of integers hold modulo 2^w only.
    mining_check_s: seconds for one check of these.
    max_equalities: equalities of one predicate, sort and degree.
    """

    max_facts: int = 180
    max_executions: int = 3_000
    sampling_time_fraction: float = 0.25
    largest_input: int = 12
    solver_ms: int = 50
    largest_value: int = 1 << 24
    late_facts: int = 8
    late_fact_probability: float = 0.5
    step_weight: float = 4.0
    barren_executions: int = 20
    spare_points: int = 8
    max_monomials: int = 160
    max_degree: int = 4
    largest_coefficient: int = 1000
    mining_time_fraction: float = 0.15
    bounds_time_fraction: float = 0.15
    mining_check_s: float = 0.3
    max_equalities: int = 12


DATA_DRIVEN_TUNING = DataDrivenTuning()
