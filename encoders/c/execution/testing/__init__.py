"""Runs on drawn inputs that look for violations: at random, and guided by the edges that earlier runs covered."""
