"""Lemmas: generalisation of blocked cubes, global guidance, propagation, and the smallest set that proves safety."""
