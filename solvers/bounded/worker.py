"""A solver on one SMT-LIB script, as a process of its own: `python -m solvers.bounded.worker SOLVER`.

In: one JSON object {"script": text, "values": names, "milliseconds": limit, "megabytes": limit}. Out: {"answer": "sat"
| "unsat" | "unknown", "values": name -> text of a value}; nothing where the memory was not enough. Nothing else of the
project is loaded here.
"""

import json
import resource
import sys
from importlib import import_module
from typing import Any

from chcverify.process_lifetime import end_with_parent


def _z3(script: str, names: list[str], milliseconds: int) -> tuple[str, dict[str, str]]:
    z3 = import_module("z3")
    solver = z3.Solver()
    solver.set("timeout", milliseconds)
    solver.from_string(script)
    answer = str(solver.check())
    if answer != "sat":
        return answer, {}
    model = solver.model()
    wanted = set(names)
    constants = {str(d.name()): d() for d in model.decls() if d.arity() == 0 and str(d.name()) in wanted}
    return answer, {name: model.eval(term, model_completion=True).sexpr() for name, term in constants.items()}


def _bitwuzla(script: str, names: list[str], milliseconds: int) -> tuple[str, dict[str, str]]:
    bitwuzla = import_module("bitwuzla")
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    options.set(bitwuzla.Option.TIME_LIMIT_PER, milliseconds)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(script, parse_only=True, parse_file=False)
    solver = parser.bitwuzla()
    answer = str(solver.check_sat()).rsplit(".", 1)[-1].lower()
    if answer != "sat":
        return answer, {}
    wanted = set(names)
    constants = {term.symbol(): term for term in parser.get_declared_funs() if term.symbol() in wanted}
    return answer, {name: str(solver.get_value(term)) for name, term in constants.items()}


def _cvc5(script: str, names: list[str], milliseconds: int) -> tuple[str, dict[str, str]]:
    cvc5 = import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(milliseconds))
    solver.setOption("produce-models", "true")
    if "(as const" in script:
        solver.setOption("arrays-exp", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "query")
    symbols, answer = parser.getSymbolManager(), "unknown"
    while not (command := parser.nextCommand()).isNull():
        answer = command.invoke(solver, symbols).strip() or answer
    if answer != "sat":
        return answer.split(" ")[0], {}
    wanted = set(names)
    constants = {str(term.getSymbol()): term for term in symbols.getDeclaredTerms() if term.getSymbol() in wanted}
    return answer, {name: str(solver.getValue(term)) for name, term in constants.items()}


_SOLVERS = {"z3": _z3, "bitwuzla": _bitwuzla, "cvc5": _cvc5}


def _limit_memory(megabytes: int) -> None:
    """Limits the address space beyond what is mapped now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    limit, (_, hard) = mapped + (megabytes << 20), resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def main() -> None:
    end_with_parent()
    request: dict[str, Any] = json.load(sys.stdin)
    _limit_memory(request["megabytes"])
    try:
        solve = _SOLVERS[sys.argv[1]]
        answer, values = solve(request["script"], request["values"], request["milliseconds"])
    except (MemoryError, ImportError):  # a solver that cannot be loaded
        return
    except Exception as error:  # what a solver cannot read, or its crash
        if "memory" in str(error).lower():
            return
        answer, values = "unknown", {}
    print(json.dumps({"answer": answer, "values": values}), flush=True)


if __name__ == "__main__":
    main()
