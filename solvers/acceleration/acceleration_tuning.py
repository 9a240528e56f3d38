"""The tuning constants of acceleration, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class AccelerationTuning:
    """Limits of accelerated runs. Chosen by hand; no measurement is recorded."""

    max_runs: int = 48
    """Runs of one solve."""
    max_runs_without_cycles: int = 8
    """Runs after which a system without any accelerated cycle is given up; short runs are tried elsewhere, too."""
    first_max_entries: int = 2_000
    """Entries of the first runs."""
    max_entries: int = 20_000
    """Entries of later runs; grows to this in steps of first_max_entries."""
    redraw_probabilities: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.2)
    """Probability that a run chooses a value anew, by the number of the run modulo the length."""
    largest_ordinary_constant: int = 2**31 - 1
    """Constants from this on are limits of machine integers; their neighbours are not tried as values."""
    max_draws: int = 8
    """Choices of values for one rule before a solver is asked."""
    solver_ms: int = 200
    """Milliseconds for a solver to find the values of one rule."""
    observed_iterations: int = 3
    """Iterations from which the law of a cycle is inferred."""
    max_periods: int = 6
    """Visits of a predicate back at which a cycle may begin."""
    max_writes: int = 200
    """Writes to one array in one iteration."""
    max_cycles: int = 200
    """Accelerated cycles of one run; more take long to check."""
    max_unbounded_loops: int = 5
    """Times that one run may come to a cycle without a bound."""
    min_gain_rules: int = 100
    """Rules that a cycle must replace; a shorter one may be part of a longer cycle."""


ACCELERATION_TUNING = AccelerationTuning()
