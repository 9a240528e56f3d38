"""Encoders translate programs of a source language to Horn systems, and certificates back to the program."""
