"""Runs of programs with threads: a scheduler over the interpreter, and the search for violating schedules."""
