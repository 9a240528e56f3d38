"""The parts of a project as the command line gets them: compiler flags, compilation databases, lists, settings."""
