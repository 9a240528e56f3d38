"""What one function of a large file costs: python -m benchmarks.encode_scaling.one_function [LINES ...]

For each size of the file: its lines; seconds of the processor to read it (preprocess and parse), which all functions of
a run share; and for the function f3, which is the same in each file, with all undefined behaviour checked: seconds to
lower and to encode it, and the number of its clauses.
"""

import sys
import tempfile
import time
from pathlib import Path

from benchmarks.encode_scaling.generate import program
from chcverify.options import HarnessOptions
from chcverify.problems.c_problem import load_c_program, parsed_sources, problem_of
from chcverify.task import Task

SIZES = (1_000, 5_000, 20_000)
FUNCTION = "f3"


def measure(lines: int, directory: Path) -> str:
    """One row of the table."""
    file = directory / f"program-{lines}.c"
    file.write_text(program(lines))
    property = "undefined-behaviour"
    task = Task(str(file), "c", property, all_checks=True, entry=FUNCTION, harness=HarnessOptions())
    start = time.process_time()
    parsed = parsed_sources(task)
    read = time.process_time()
    loaded = load_c_program(task, parsed)
    lowered = time.process_time()
    problem = problem_of(loaded, property)
    encoded = time.process_time()
    figures = f"{read - start:6.2f} {lowered - read:7.3f} {encoded - lowered:8.3f}"
    return f"{program(lines).count(chr(10)):7} {figures} {len(problem.system.clauses):8}"


def main(arguments: list[str]) -> None:
    print("  lines read/s lower/s encode/s  clauses", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        measure(200, Path(directory))  # what is loaded only once is not measured
        for lines in [int(argument) for argument in arguments] or SIZES:
            print(measure(lines, Path(directory)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
