"""Execution of control-flow automata on concrete values, with semantics independent of the encoding.

`interpreter.py` is the entry, `testing` its use for tests; `compiled_automata.py` and `closures.py` compile edges,
`run_state.py` and `objects.py` are the state, `inputs.py` and `oracles.py` choose values. `trace_recorder.py` records
steps, `replay_acceleration.py` skips iterations, `undefined_behaviour.py` detects undefined behaviour. `native` runs
the compiled program.
"""
