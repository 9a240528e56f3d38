"""Boogie programs as constrained Horn clauses.

`parser` reads a file into the syntax of `syntax`; `declarations` resolves names and types; `inlining` and
`control_flow` make blocks of statements; `encoder` makes clauses between loop heads; `execution` runs the blocks, for
every violation.
The language is that of Leino, "This is Boogie 2" (2008), as later versions of Boogie read it.
"""
