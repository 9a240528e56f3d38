"""Termination: every run ends, by a return from main or a call that ends the program."""

from chcverify.properties.property import Property
from chcverify.results.checks import DEREFERENCES, CheckKind

TERMINATION = Property(
    "termination",
    ("LTL(Fend)",),
    # An access outside an object changes anything: a loop behind it ends by accident, or does not.
    DEREFERENCES | {CheckKind.FREE, CheckKind.OVERFLOW},
    # A loop that only goes on by signed overflow has no meaning in C; SV-COMP's verdicts leave such runs out, too.
    ends=frozenset({CheckKind.OVERFLOW}),
    # Calls with arguments for which a function is not made are no reason to say nothing about its loops.
    ends_of_functions=DEREFERENCES | {CheckKind.FREE},
    decider="chcverify.run.termination.termination_decider",
    violation="The program has a run that does not end",
    is_about_ends=True,
    is_joined=True,
)
