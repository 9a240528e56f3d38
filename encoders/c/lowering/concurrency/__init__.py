"""Threads: what calls that start them and wait for them become, and models of mutexes and their like."""
