"""cvc5 on SMT-LIB scripts, as a process of its own: run with `python -m`, one JSON object per line in and out.

In: {"script": text, "milliseconds": limit}. Out: {"answer": "sat" | "unsat" | "unknown" | "refused", "reason": text}.
Every script gets a fresh solver. Of the project only numbers and the end of the process are loaded here, and no other
solver.
"""

import json
import re
import sys
import time
from collections.abc import Mapping

import cvc5

from chcverify.effort import MOMENT_MS
from chcverify.process_lifetime import end_with_parent

# ((as const SORT) NUMBER): cvc5 wants a literal there, as -2 or -5/2, and refuses (- 2) and (- (/ 5.0 2.0)).
_SORT = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))+"
_PLAIN = r"(?P<plain>\d+(?:\.\d+)?)|\(/\s+(?P<above>\d+)\.0\s+(?P<below>\d+)\.0\)"
_EVERYWHERE = re.compile(
    rf"(?P<array>\(\(as const {_SORT}\)\s+)(?:(?P<minus>\(-\s+)(?:{_PLAIN})\)|{_PLAIN.replace('<', '<only_')})"
)

_INCOMPLETE = "unknown (INCOMPLETE)"
"""cvc5 has no further instances of quantifiers."""


def _with_literals(script: str) -> str:
    """The script with a literal for the number that an array holds everywhere."""

    def literal(found: re.Match[str]) -> str:
        sign, prefix = ("-", "") if found["minus"] else ("", "only_")
        plain, above, below = (found[prefix + name] for name in ("plain", "above", "below"))
        return f"{found['array']}{sign}{plain or f'{above}/{below}'}"

    return _EVERYWHERE.sub(literal, script)


def solve(script: str, milliseconds: int) -> tuple[str, str]:
    """cvc5's answer to the script's one (check-sat); "refused" with cvc5's words for what it cannot read or does not
    support, however much time it has."""
    is_quantified = "(forall" in script or "(exists" in script
    begin = time.monotonic()
    answer, reason = _solve(script, milliseconds, {"enum-inst": "true"} if is_quantified else {})
    left_ms = milliseconds - int(1000 * (time.monotonic() - begin))
    if reason != _INCOMPLETE or left_ms <= 0:
        return answer, reason
    # Instances that no term of the script is, such as a number for what exists, come from counterexamples. They are not
    # asked for at once: with both options cvc5 takes longer where terms of the script are enough. On benchmarks/strings
    # they took at most 0.03 s, where they led to an answer.
    second = _solve(script, min(left_ms, MOMENT_MS), {"enum-inst": "true", "cegqi-all": "true"})
    return second if second[0] in ("sat", "unsat") else (answer, reason)


def _solve(script: str, milliseconds: int, options: Mapping[str, str]) -> tuple[str, str]:
    try:
        solver = cvc5.Solver(cvc5.TermManager())
        solver.setOption("tlimit-per", str(milliseconds))
        for name, value in options.items():
            solver.setOption(name, value)
        if "(as const" in script:
            solver.setOption("arrays-exp", "true")
            script = _with_literals(script)
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "obligation")
        symbols, answers = parser.getSymbolManager(), []
        while not (command := parser.nextCommand()).isNull():
            output = command.invoke(solver, symbols).strip()
            if output:
                answers.append(output)
    except RuntimeError as error:
        return "refused", " ".join(str(error).split())[:200]
    if len(answers) == 1 and answers[0] in ("sat", "unsat"):
        return answers[0], ""
    if answers == ["unknown (TIMEOUT)"]:
        return "unknown", "timeout"
    is_error = any(answer.startswith("(error") for answer in answers)
    return "refused" if is_error else "unknown", " ".join(" ".join(answers).split())[:200]


def main() -> None:
    """Answers queries from standard input until it ends."""
    end_with_parent()
    print(json.dumps({"version": cvc5.__version__}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        answer, reason = solve(request["script"], request["milliseconds"])
        print(json.dumps({"answer": answer, "reason": reason}), flush=True)


if __name__ == "__main__":
    main()
