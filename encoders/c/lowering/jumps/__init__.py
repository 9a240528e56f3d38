"""Jumps that are no statement of structured control flow: labels and their addresses, setjmp and longjmp."""
