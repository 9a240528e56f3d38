"""Runs an engine on Horn task files, one process each, and checks every certificate.

    python -m benchmarks.pdr.run [--limit S] [--engine pdr] [--option NAME=VALUE ...] [--stats] FILE...

One line per task: answer (a "!" marks a certificate that was rejected), seconds in all and in the engine, the task, the
reason of an unknown; then the sums.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def solve(path: str, limit: float, engine_name: str, options: dict[str, str]) -> dict[str, Any]:
    """Reads, simplifies, solves, carries back and checks one task in this process. cpu: of the whole process."""
    from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
    from chcverify.horn.io.reader import read_horn
    from chcverify.results.result import Safe, Unsafe
    from chcverify.transforms.pipeline import default_pipeline
    from solvers.engine import Context
    from solvers.registry import engines

    start = time.monotonic()
    system = read_horn(path)
    simple, back = default_pipeline().apply(system)
    prepared = time.monotonic()
    context = Context(deadline=start + 0.9 * limit, options=options)
    result = engines()[engine_name].load().solve(simple, context)
    record: dict[str, Any] = {"answer": "unknown", "reason": getattr(result, "reason", ""), "stats": context.statistics}
    record["engine"] = time.monotonic() - prepared
    deadline = start + 2 * limit
    if isinstance(result, Safe):
        verdict = check_model(system, back.model(result.model), deadline)
        record.update(
            answer="true", certified=bool(verdict.accepted), reason=str(verdict) if not verdict.accepted else ""
        )
    elif isinstance(result, Unsafe):
        verdict = check_derivation(system, back.derivation(result.derivation), deadline)
        record.update(
            answer="false", certified=bool(verdict.accepted), reason=str(verdict) if not verdict.accepted else ""
        )
    record["seconds"], record["cpu"] = time.monotonic() - start, time.process_time()
    return record


def run_isolated(path: str, limit: float, engine_name: str, options: dict[str, str]) -> dict[str, Any]:
    """`solve` in a process of its own, killed after two and a half times the limit and five seconds."""
    job = json.dumps([path, limit, engine_name, options])
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.pdr.run", "--job", job],
            capture_output=True,
            text=True,
            timeout=2.5 * limit + 5,
        )
    except subprocess.TimeoutExpired:
        return _nothing("unknown", "killed", 2.5 * limit + 5)
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        reason = (done.stderr.strip().splitlines() or ["no output"])[-1]
        return _nothing("crash", f"{done.returncode}: {reason}", 0.0)
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer


def _nothing(answer: str, reason: str, seconds: float) -> dict[str, Any]:
    return {"answer": answer, "reason": reason, "seconds": seconds, "cpu": seconds, "engine": 0.0, "stats": {}}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Runs an engine on Horn tasks and checks the certificates.")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--limit", type=float, default=10.0, help="seconds a task")
    parser.add_argument("--engine", default="pdr")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--stats", action="store_true", help="print the engine's statistics")
    parser.add_argument("--json", help="write all records to this file")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.job:
        print(json.dumps(solve(*json.loads(given.job)), default=str))
        return
    options = dict(item.split("=", 1) for item in given.option)
    records = {}
    for path in given.files:
        record = records[path] = run_isolated(path, given.limit, given.engine, options)
        mark = "" if record.get("certified", True) else "!"
        times = f"{record['seconds']:7.2f} {record['engine']:7.2f}"
        print(f"{record['answer'] + mark:9}{times}  {Path(path).stem}  {record['reason'][:80]}", flush=True)
        if given.stats:
            print("         ", json.dumps(record["stats"]))
    solved = [r for r in records.values() if r["answer"] in ("true", "false") and r["certified"]]
    print(f"solved {len(solved)} of {len(records)} in {sum(r['seconds'] for r in records.values()):.1f} s")
    if given.json:
        Path(given.json).write_text(json.dumps(records, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
