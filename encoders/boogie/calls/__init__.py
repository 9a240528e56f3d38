"""Calls whose procedures have bodies: inlined, or as summaries."""
