"""Declarations with linkage, and objects with static storage."""
