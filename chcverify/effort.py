"""Limits that only keep a strange input from taking all the time: counts, seconds, and shares of the time that is left.

A search needs some limit on what it looks at, and mostly it does not matter which: what is decided is decided far below
it, and beyond it more would not help. Such a limit is one of these numbers, which were chosen by hand. The names of the
counts say what becomes of each thing that is counted, since that is what decides how many there may be. A limit that
was measured, or whose value matters, is a constant beside its engine.
"""

MAX_COMBINED = 4
"""Things whose combinations are all tried, or each of which repeats all the work before it."""
MAX_ALTERNATIVES = 10
"""Things that multiply each other: alternatives, cases of a disjunction, nestings, attempts."""
MAX_CASES = 16
"""Values or facts of one thing; each is a case of its own, or is kept with all that holds of the thing."""
MAX_COMPARED = 50
"""Things that are each compared with the others, or need their own questions to a solver."""
MAX_TRIED = 200
"""Runs, candidates or attempts; each takes little time, and what they can show shows early."""
MAX_FORMULAS = 400
"""Things; a formula, or a copy of a predicate, is made for each."""
MAX_BUILT = 4_000
"""Nodes, clauses or steps that are built, and that other parts work on afterwards."""
MAX_VISITED = 20_000
"""Nodes, clauses or steps that are looked at once."""
REPETITIONS = 3
"""Repetitions from which what recurs is taken for a cycle, or a pattern."""

GLANCE_S = 0.1
"""Seconds for a question to a solver, or a run of a program, that mostly takes a hundredth of that."""
MOMENT_MS = 300
"""Milliseconds for one of thousands of questions to a solver, or for one whose answer only improves something."""
MOMENT_S = MOMENT_MS / 1_000
"""The same in seconds."""
QUESTION_MS = 2_000
"""Milliseconds for one of some dozens of questions to a solver; most take a hundredth of that."""
QUESTION_S = QUESTION_MS / 1_000
"""QUESTION_MS in seconds."""
LONG_QUESTION_MS = 10_000
"""Milliseconds for a question to a solver without whose answer everything before it was in vain."""
STEP_S = 5.0
"""Seconds for a step of some dozens of questions, without which what follows takes longer or finds less."""
LONG_STEP_S = 10.0
"""Seconds for such a step where much was done before that would be in vain, or where the time that is left is long."""
WAIT_S = 30.0
"""Seconds for another process, or for a step, that nearly always ends much sooner."""
IMPROVEMENT_S = 0.5
"""Seconds for what only makes an answer shorter or plainer."""
LEAST_S = 0.5
"""With fewer seconds left nothing more is begun."""
GRACE_S = 0.3
"""Seconds for an answer that comes just after its limit."""
PROLONGED_FACTOR = 4.0
"""Times as long as usual, for what may need it."""
QUESTION_RESOURCES = 400_000
"""Units of z3's resource limit, some 0.2 s, for a question that has to have the same answer on every machine."""
LONG_QUESTION_RESOURCES = 5_000_000
"""The same for a question without whose answer everything before it was in vain: mostly less than a second."""

BRIEF_SHARE = 0.15
"""Of the time left, for an attempt that mostly succeeds at once or not at all."""
EARLY_SHARE = 0.25
"""Of the time left, for a phase that several others follow."""
EQUAL_SHARE = 0.5
"""Of the time left, for a phase that needs about as much as all that follows."""
MAIN_SHARE = 0.75
"""Of the time left, for the last phase but one, which does most of the work."""
LAST_SHARE = 0.9
"""Of the time left, for what may take nearly all of it: the rest is to carry a result back, or to check it."""

RECURSION_LIMIT = 150_000
"""Nested calls of Python, where trees of programs are walked by calls; each thread for them has a stack for as many."""
LARGEST_ORDINARY_CONSTANT = 2**31 - 2
"""Numbers from here on are mostly limits of types, and say nothing about a program."""
