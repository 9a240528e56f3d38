"""Bit-vectors as integers and back.

`modular_integers.py` is the arithmetic of `bits_to_integers.py`; `integers_to_bits.py` is the inverse direction.
"""
