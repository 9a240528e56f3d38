"""Finite models of the clauses over datatypes: every term becomes one of a few states, by a tree automaton.

Kostyukov, Mordvinov, Fedyukovich: Beyond the elementary representations of program invariants over algebraic data types
(PLDI 2021) [KostyukovMordvinovFedyukovich2021]. Reading order: `relaxed_clauses.py`, `state_search.py`, `engine.py`.
"""
