"""Findings from run to run: names of checks that edits of other lines keep, baselines, and comments that justify."""
