"""Deadlocks: states in which there are threads, and each of them waits for another one. No property of SV-COMP."""

from chcverify.properties.property import Property

NO_DEADLOCK = Property(
    "no-deadlock",
    ("LTL(G!deadlock)",),
    decider="chcverify.run.concurrency.deadlock_run",
    violation="The program has a deadlock",
)
