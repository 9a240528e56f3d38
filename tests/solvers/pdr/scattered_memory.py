"""The command line on a heap with holes in an order that a number decides: terms get other addresses for each number.

Usage: python scattered_memory.py NUMBER ARGUMENT...   (the arguments of chcverify)
"""

import ctypes
import random
import sys

BLOCKS, BLOCK_BYTES = 4000, 8192 + 512  # z3 takes memory for its terms in chunks of 8 KiB


def scatter(number: int) -> None:
    """Takes blocks from the heap and gives every other one back, in random order."""
    library = ctypes.CDLL(None)
    library.malloc.restype = ctypes.c_void_p
    library.free.argtypes = [ctypes.c_void_p]
    blocks = [library.malloc(BLOCK_BYTES) for _ in range(BLOCKS)]
    holes = blocks[::2]
    random.Random(number).shuffle(holes)
    for hole in holes:
        library.free(hole)


if __name__ == "__main__":
    scatter(int(sys.argv[1]))
    from chcverify.__main__ import main

    sys.argv = ["chcverify", *sys.argv[2:]]
    main()
