"""Calls: of functions with a body, through pointers, of library functions and of functions with a known meaning.

`function_calls.py` is the entry; `library_models.py` loads the models of library functions from `encoders/c/library`.
"""
