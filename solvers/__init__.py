"""Solvers: the engines that decide a HornSystem."""
