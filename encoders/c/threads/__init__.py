"""Steps of threads: which edges access memory that others may reach, and programs with one such access on each edge."""
