"""Processor time of the smallest verdicts beside `import z3`: python -m benchmarks.start_up [RUNS [DIRECTORY]]

Each line: the minimum and the median of RUNS runs (25), user and system time of the command with all its children, and
how much more that is than the interpreter that only imports z3. DIRECTORY: of another checkout to measure in turn.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

RUNS = 25
COMMAND = "from chcverify.__main__ import main; main()"  # as the installed script
HERE = Path(__file__).parents[2]
ASSERTION = """#define assert(e) ((e) ? (void)0 : __assert_fail(#e, "trivial.c", 5, "main"))
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
int main(void) {
    int x = 0;
    assert(x == %d);
    return 0;
}
"""
LOOP = """extern void __assert_fail(const char *, const char *, unsigned int, const char *);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0, n = __VERIFIER_nondet_int();
    while (x < n)
        x++;
    if (x < 0)
        __assert_fail("x >= 0", "loop.c", 8, "main");
    return 0;
}
"""
CLAUSES = """(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int)) (=> (inv x) (inv (+ x 1)))))
(assert (forall ((x Int)) (=> (and (inv x) (%s)) false)))
(check-sat)
"""
PROGRAMS = {
    "true.c": ASSERTION % 0,
    "false.c": ASSERTION % 1,
    "loop.c": LOOP,
    "sat.smt2": CLAUSES % "< x 0",
    "unsat.smt2": CLAUSES % "> x 2",
}


def seconds(command: Sequence[str], directory: Path) -> float:
    """The processor time of the command with its children. directory: where its modules are."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(directory)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=directory, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def row(name: str, measured: Sequence[float], least: Sequence[float]) -> str:
    """One line of the table. least: the times of `import z3`."""
    figures = [statistic(measured) for statistic in (min, statistics.median)]
    beyond = [figure - statistic(least) for figure, statistic in zip(figures, (min, statistics.median), strict=True)]
    return f"{name:24} {figures[0]:7.3f} {figures[1]:7.3f}   {beyond[0]:+7.3f} {beyond[1]:+7.3f}"


def main(arguments: Sequence[str]) -> None:
    runs = int(arguments[0]) if arguments else RUNS
    checkouts = [HERE, *(Path(argument).resolve() for argument in arguments[1:2])]
    print("                             min  median   beyond z3: min, median", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in PROGRAMS.items():
            path = Path(folder, name)
            path.write_text(text, encoding="utf-8")
            commands = {str(number): [sys.executable, "-c", COMMAND, str(path)] for number in range(len(checkouts))}
            for number, command in commands.items():
                seconds(command, checkouts[int(number)])  # compiles the modules
            times: dict[str, list[float]] = {"z3": [], **{number: [] for number in commands}}
            for _ in range(runs):  # in turn, so that all have the same other work beside them
                times["z3"].append(seconds([sys.executable, "-c", "import z3"], HERE))
                for number, command in commands.items():
                    times[number].append(seconds(command, checkouts[int(number)]))
            print(row("import z3", times["z3"], times["z3"]))
            for number in commands:
                print(
                    row(
                        f"{name} {checkouts[int(number)].name if len(checkouts) > 1 else ''}",
                        times[number],
                        times["z3"],
                    )
                )
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
