"""Groups of checks that are decided before any engine is asked about single ones."""
