"""How the time of a run for all checks is divided."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class AllChecksTuning:
    """The division of time between groups of checks. Shares are of the time left. Chosen by hand, not measured."""

    slice_s: float = 1.5
    """Of the processor, for a group at least while others wait: all would get too little of equal shares."""
    quick_steps: int = 2000
    """Of a random run that violates a check, at most, if it is to be derived before proofs are looked for: derivation
    and check of the one of blowfish_key_setup (6,275 steps) take 9 s of the processor."""
    guided_s: float = 2.5
    """Of the processor, for runs guided by coverage that find no violation, once each place had a turn: of 53 functions
    of public projects they violate ten checks of seven that nothing else decides."""
    guided_check_s: float = 0.1
    """For each open check, if that is more: engines take 1.5 s for each place."""


TUNING = AllChecksTuning()
