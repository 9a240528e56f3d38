"""Harnesses: C code that calls one function as the options assume, generated from its types.

`harness_text.py` writes the code, `object_writer.py` the parts that make objects, `entry_functions.py` finds functions.
"""
