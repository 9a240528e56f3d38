"""Variants of C tasks: the same program in other words, with the same verdict.

`python -m tests.differential.variants TASKS --count 200` makes variants of tasks, decides them and counts what is kept.
"""
