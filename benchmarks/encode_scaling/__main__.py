"""Time and memory of reading and encoding programs of growing size: python -m benchmarks.encode_scaling [LINES ...]

For each size: lines, seconds to load (preprocess, parse, lower) and to encode, both also per 1,000 lines, the number of
clauses, and the peak memory of a process of its own.
"""

import resource
import subprocess
import sys
import time

from benchmarks.encode_scaling.generate import program

SIZES = (1_000, 5_000, 20_000)


def measure(lines: int) -> str:
    """One row of the table. Encodes in this process, whose peak memory is part of the row."""
    from encoders.c.encoding.encoder import encode
    from encoders.c.frontend import load_source
    from encoders.c.types.c_types import LP64

    text = program(lines)
    start = time.monotonic()
    loaded = load_source(text, "program.c", LP64)
    middle = time.monotonic()
    encoding = encode(loaded)
    load, encoded = middle - start, time.monotonic() - middle
    count = text.count("\n")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024  # Linux counts in KB
    figures = f"{load:7.1f} {1000 * load / count:9.3f} {encoded:7.1f} {1000 * encoded / count:9.3f}"
    return f"{count:7} {figures} {len(encoding.system.clauses):8} {peak:6}"


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--one"]:
        print(measure(int(arguments[1])), flush=True)
        return
    print("  lines load/s per 1000  encode/s per 1000  clauses peak/MB", flush=True)
    for lines in [int(argument) for argument in arguments] or SIZES:
        subprocess.run([sys.executable, "-m", "benchmarks.encode_scaling", "--one", str(lines)], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
