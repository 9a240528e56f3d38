"""bitwuzla on one SMT-LIB script, as a process of its own: run with `python -m`, one JSON object in and one out.

In: {"script": text, "milliseconds": limit}. Out: {"answer": "sat" | "unsat" | "unknown", "reason": text}. Nothing else
of the project and no other solver is loaded here.
"""

import json
import sys
from importlib import import_module

from chcverify.process_lifetime import end_with_parent


def solve(script: str, milliseconds: int) -> tuple[str, str]:
    """bitwuzla's answer to the assertions of the script; "unknown" with its words for what it cannot read."""
    bitwuzla = import_module("bitwuzla")
    try:
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.TIME_LIMIT_PER, milliseconds)
        parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        parser.parse(script, parse_only=True, parse_file=False)
        answer = parser.bitwuzla().check_sat()
    except bitwuzla.BitwuzlaException as error:
        return "unknown", " ".join(str(error).split())[:200]
    if answer == bitwuzla.Result.UNSAT:
        return "unsat", ""
    return ("sat", "") if answer == bitwuzla.Result.SAT else ("unknown", "timeout")


def main() -> None:
    end_with_parent()
    request = json.load(sys.stdin)
    answer, reason = solve(request["script"], request["milliseconds"])
    print(json.dumps({"answer": answer, "reason": reason}), flush=True)


if __name__ == "__main__":
    main()
