"""From C programs to Horn systems."""
