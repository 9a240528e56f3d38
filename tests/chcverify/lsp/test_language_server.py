"""The language server end to end: a client over standard input and output, and real runs."""

import os
import time
from pathlib import Path

import pytest

pytest.importorskip("pygls")
from language_client import PATIENCE, LanguageClient

SAFE = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0) return 0;
  while (i < n) i++;
  if (i != n) reach_error();
  return 0;
}
"""
UNSAFE = SAFE.replace("i != n", "i == 3")
OPTIONS = {"timeout": PATIENCE, "debounce": 0}


def _line(start: int, end: int) -> dict[str, object]:
    return {"start": {"line": start, "character": 0}, "end": {"line": end, "character": 0}}


def test_invariants_and_lenses_of_a_proved_program(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(SAFE)
    client = LanguageClient(tmp_path, OPTIONS)
    assert client.capabilities["inlayHintProvider"] and client.capabilities["codeLensProvider"]
    uri = client.open(path)
    assert client.verdicts(uri) == {"main": "true"}
    document = {"uri": uri}
    (hint,) = client.request("textDocument/inlayHint", textDocument=document, range=_line(0, 20))
    assert hint["position"] == {"line": 5, "character": 20}
    assert hint["label"].startswith("invariant: ") and "i" in hint["label"]
    assert client.request("textDocument/inlayHint", textDocument=document, range=_line(0, 3)) == []
    (lens,) = client.request("textDocument/codeLens", textDocument=document)
    assert lens["command"]["title"].startswith("true (") and lens["range"]["start"] == {"line": 2, "character": 4}
    client.request(
        "workspace/executeCommand", command=lens["command"]["command"], arguments=lens["command"]["arguments"]
    )
    assert client.verdicts(uri) == {"main": "true"}
    assert client.end() == 0


def test_a_violation_is_a_diagnostic_with_its_trace(tmp_path: Path) -> None:
    path = tmp_path / "name with blanks.c"
    path.write_text(UNSAFE)
    client = LanguageClient(tmp_path, OPTIONS)
    uri = client.open(path)
    found = client.wait(
        "textDocument/publishDiagnostics", lambda params: params["uri"] == uri and params["diagnostics"]
    )
    (diagnostic,) = found["diagnostics"]
    assert (diagnostic["severity"], diagnostic["source"]) == (1, "chcverify")
    assert diagnostic["range"]["start"] == {"line": 6, "character": 14}
    steps = diagnostic["relatedInformation"]
    assert steps[-1]["location"] == {"uri": uri, "range": _same(6, 14)}
    assert any(
        "__VERIFIER_nondet_int" in step["message"] and step["location"]["range"] == _same(3, 10) for step in steps
    )
    # The corrected text is verified though it is not saved; the diagnostic is gone at once.
    client.change(uri, SAFE)
    client.wait("textDocument/publishDiagnostics", lambda params: params["uri"] == uri and not params["diagnostics"])
    assert client.verdicts(uri) == {"main": "true"}
    client.notify("textDocument/didClose", textDocument={"uri": uri})
    assert client.end() == 0


def test_a_function_is_verified_by_itself(tmp_path: Path) -> None:
    """The text is not the saved one, and includes a header of its directory."""
    path = tmp_path / "lib.c"
    (tmp_path / "lib.h").write_text("extern void reach_error(void);\n#define LIMIT 10\n")
    path.write_text('#include "lib.h"\n')
    client = LanguageClient(tmp_path, OPTIONS)
    uri = client.open(path)
    client.change(uri, '#include "lib.h"\nint clamp(int x) {\n  if (x == LIMIT) reach_error();\n  return x;\n}\n')
    (lens,) = client.request("textDocument/codeLens", textDocument={"uri": uri})
    assert lens["command"]["title"] == "verify this function"
    client.request(
        "workspace/executeCommand", command=lens["command"]["command"], arguments=lens["command"]["arguments"]
    )
    found = client.wait(
        "textDocument/publishDiagnostics", lambda params: params["uri"] == uri and params["diagnostics"]
    )
    (diagnostic,) = found["diagnostics"]
    assert diagnostic["severity"] == 1 and diagnostic["range"]["start"]["line"] == 2
    assert {step["location"]["uri"] for step in diagnostic["relatedInformation"]} == {uri}
    assert client.end() == 0


def _same(line: int, character: int) -> dict[str, object]:
    return {"start": {"line": line, "character": character}, "end": {"line": line, "character": character}}


def test_unusable_text_is_a_warning_at_its_position(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(SAFE.replace("i = 0;", "i = missing;"))
    client = LanguageClient(tmp_path, OPTIONS)
    uri = client.open(path)
    found = client.wait(
        "textDocument/publishDiagnostics", lambda params: params["uri"] == uri and params["diagnostics"]
    )
    (diagnostic,) = found["diagnostics"]
    assert diagnostic["severity"] == 2 and "missing" in diagnostic["message"]
    assert diagnostic["range"]["start"]["line"] == 3
    assert client.end() == 0


def test_a_change_ends_the_run_and_its_processes(tmp_path: Path, never: dict[str, str]) -> None:
    """The engine `never` runs until somebody ends it."""
    path = tmp_path / "p.c"
    path.write_text(SAFE)
    options = {**OPTIONS, "onChange": False, "arguments": ["--engine", "never"]}
    client = LanguageClient(tmp_path, options, never)
    uri = client.open(path)
    while not _running(path):
        time.sleep(0.05)
    (lens,) = client.request("textDocument/codeLens", textDocument={"uri": uri})
    assert lens["command"]["title"] == "verifying ..."
    client.change(uri, SAFE + "\n")
    while _running(path):
        time.sleep(0.05)
    (lens,) = client.request("textDocument/codeLens", textDocument={"uri": uri})
    assert lens["command"]["title"] == "verify this function"
    assert client.end() == 0


def _running(path: Path) -> list[str]:
    """The command lines of processes that work on the file; the children of a run have that of the run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if str(path) in line:
                found.append(line)
    return found


def test_wrong_settings_are_reported(tmp_path: Path) -> None:
    client = LanguageClient(tmp_path, {"timeout": "long"})
    shown = [m for m in client.received if m["method"] == "window/showMessage"]
    assert len(shown) == 1 and "numbers of seconds" in shown[0]["params"]["message"]
    assert client.end() == 0
