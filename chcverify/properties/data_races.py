"""Data races: two accesses of threads to one place at a time, one of which writes, and not both of them atomic."""

from chcverify.properties.property import Property

NO_DATA_RACE = Property(
    "no-data-race",
    ("LTL(G!data-race)",),
    decider="chcverify.run.concurrency.race_run",
    violation="The program has a data race",
)
