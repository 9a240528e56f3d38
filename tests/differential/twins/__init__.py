"""Pairs of small programs that differ in a few characters: one has a property, the other violates it.

Each line of the text files is a pair: `name | property | declarations @@ body of main @@ a second file`, where
`<[safe ~~ unsafe]>` stands for what differs. Sanitizers or valgrind say that both are what they are called.
"""
