"""The problems that a run decides: a Horn system and the meaning of its certificates for the input.

`protocol.py` is the interface; `horn_problem.py` and `c_problem.py` implement it for clauses and for C programs
(`c_problem.load` chooses between them).
"""
