"""The tuning constants of abstract interpretation, in one table."""

from fractions import Fraction

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class AnalysisTuning:
    """Limits of the fixpoint engine and its domains. Measured where a field says so; the others were chosen by hand."""

    check_units: int = 5_000_000
    """Units of z3's resource limit for one step query. Measured: mostly less than a second, and the same answers on a
    busy machine."""
    widening_doubles_after_jumps: int = 2
    """Jumps of a bound after which each next one skips twice as many thresholds."""
    max_order_offset: Fraction = Fraction(3)
    """The greatest c in x + c <= y; chains stay short, and no widening is needed. Made for copies, sums and extrema;
    does nothing for other offsets."""
    max_narrowing_passes: int = 2
    """Descending passes over all bounds."""
    unbounded_from: Fraction = Fraction(1 << 40)
    """A feature that exceeds this counts as unbounded."""


ANALYSIS_TUNING = AnalysisTuning()
