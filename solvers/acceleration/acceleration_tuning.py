"""The tuning constants of acceleration, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class AccelerationTuning:
    """Limits of accelerated runs. Chosen by hand; no measurement is recorded."""

    redraw_probabilities: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.2)
    """Probability that a run chooses a value anew, by the number of the run modulo the length."""
    observed_iterations: int = 3
    """Iterations from which the law of a cycle is inferred."""
    min_gain_rules: int = 100
    """Rules that a cycle must replace; a shorter one may be part of a longer cycle."""


ACCELERATION_TUNING = AccelerationTuning()
