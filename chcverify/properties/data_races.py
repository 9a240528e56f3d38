"""Data races: two accesses of threads to the same location at a time; one writes, and not both are atomic."""

from chcverify.properties.property import Property

NO_DATA_RACE = Property(
    "no-data-race",
    ("LTL(G!data-race)",),
    decider="chcverify.run.concurrency.race_run",
    violation="The program has a data race",
)
