"""Runs ESBMC on a C program as a tool of `chcverify bench`: the first line of its output is the verdict.

python esbmc.py FILE [--data-model ILP32|LP64] [--seconds S] [-I DIR ...]; the command is $ESBMC, by default `esbmc`.
reach_error() is the error, as in the competition; ESBMC itself knows assertions only.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

_REACH_ERROR = re.compile(r"void\s+reach_error\s*\([^)]*\)\s*\{[^}]*\}")
_OPTIONS = ("--sv-comp", "--no-standard-checks", "--force-malloc-success", "--k-induction", "--unlimited-k-steps")
_FAILING = 'void reach_error(void) { __ESBMC_assert(0, "reach_error"); }'


def main() -> None:
    arguments = _arguments()
    bits = {"ILP32": "--32", "LP64": "--64"}[arguments.data_model]
    include = [f"-I{directory}" for directory in arguments.include]
    with tempfile.TemporaryDirectory() as directory:
        for file in (arguments.file, *arguments.file.parent.glob("*.h")):
            (Path(directory) / file.name).write_text(_REACH_ERROR.sub(_FAILING, file.read_text()))
        program = Path(directory) / arguments.file.name
        command = [os.environ.get("ESBMC", "esbmc"), str(program), *include, bits, *_OPTIONS]
        command += ["--timeout", str(arguments.seconds)]
        output = subprocess.run(command, capture_output=True, text=True, check=False)
    found = output.stdout + output.stderr
    if "VERIFICATION SUCCESSFUL" in found:
        print("true")
    elif "VERIFICATION FAILED" in found:
        print("false(unreach-call)")
    else:
        print("unknown")
        sys.stderr.write(found[-2000:])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--data-model", choices=("ILP32", "LP64"), default="LP64")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("-I", dest="include", action="append", default=[])
    return parser.parse_args()


if __name__ == "__main__":
    main()
