"""How the time of a run for all checks is divided."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class AllChecksTuning:
    """The division of time between groups of checks. Shares are of the time left. Chosen by hand, not measured."""

    many_share: float = 0.25
    """At most, for more than few_checks, one of which is more likely to be hard or violated: of vec_insert_ (21 such
    checks) groups proved none in 2.4 s of the processor, the slice of one place in 1 s."""
    few_checks: int = 12
    slice_s: float = 1.5
    """Of the processor, for a group at least while others wait: all would get too little of equal shares."""
    quick_steps: int = 2000
    """Of a random run that violates a check, at most, if it is to be derived before proofs are looked for: derivation
    and check of the one of blowfish_key_setup (6,275 steps) take 9 s of the processor."""
    guided_s: float = 2.5
    """Of the processor, for runs guided by coverage that find no violation, once each place had a turn: of 53 functions
    of public projects they violate ten checks of seven that nothing else decides."""
    least_guided_s: float = 0.4
    """The same before engines start, which prove some of these checks sooner."""
    guided_check_s: float = 0.1
    """For each open check, if that is more: engines take 1.5 s for each place."""
    guided_growth: float = 3.0
    """So many times as long is searched where a violation was found: there are often more (heatshrink_decoder_poll)."""
    easy_patience: float = 4.0
    """Times the patience, at most, for the models that ask no solver: these decide many checks together, at the end."""
    first_factor: float = 3.0
    """Of the time of the encoding, for the first turn of a group at least, whose clauses are reduced first."""


TUNING = AllChecksTuning()
