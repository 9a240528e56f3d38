"""Boogie programs as constrained Horn clauses.

`boogie_parser` reads a file into the syntax of `syntax`; `resolved_declarations` resolves names and types;
`inlined_calls` and `control_flow` make blocks of statements; `implementation_encoder` makes clauses between loop heads;
`execution` runs the blocks, for every violation.
The language is that of Leino, "This is Boogie 2" (2008), as later versions of Boogie read it.
"""
