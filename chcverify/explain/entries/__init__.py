"""The verdicts about functions that were verified one by one: a table in the terminal, and as a file."""
