"""Random programs of two or three threads: all their interleavings, enumerated, against the runs under a scheduler."""
