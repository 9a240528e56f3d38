"""Checks of memory, added to finished automata: accesses before the edges that make them, ends of lifetimes."""
