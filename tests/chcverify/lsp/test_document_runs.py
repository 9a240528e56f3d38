"""When runs start and end, with a run that the test controls."""

import asyncio

from chcverify.lsp.document_runs import DocumentRuns
from chcverify.lsp.editor_view import hints, lenses, notes
from chcverify.lsp.function_scan import functions
from chcverify.lsp.verification import Settings, SourcePoint, VerificationResult

TEXT = "int main(void) {\n  for (;;) {}\n}\n"


class Runs:
    """Runs that end when they are let; `log` is what happened."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.let = asyncio.Event()
        self.begun = asyncio.Event()

    async def verify(self, path: str, text: str, function: str, settings: Settings) -> VerificationResult:
        self.log.append(f"begin {function}")
        self.begun.set()
        try:
            await self.let.wait()
        except asyncio.CancelledError:
            self.log.append(f"cancel {function}")
            raise
        invariants = (
            SourcePoint(path, 2, 3, "x > 0"),
            SourcePoint(path, 2, 3, "y > 0"),
            SourcePoint("other.h", 2, 1, "z"),
        )
        return VerificationResult("true", seconds=1.0, invariants=invariants)


async def _settled(runs: DocumentRuns) -> None:
    while any(document.task is not None for document in runs.documents.values()):
        await asyncio.sleep(0)


def test_a_result_stays_until_the_text_changes() -> None:
    async def scenario() -> None:
        controlled, updates = Runs(), []
        runs = DocumentRuns(Settings(), updates.append, controlled.verify)
        runs.opened("k", "p.c", TEXT)
        controlled.let.set()
        runs.start("k", pause_s=0)
        await _settled(runs)
        document = runs.documents["k"]
        assert document.results["main"].word == "true" and updates == ["k", "k", "k"]
        assert [hint.label for hint in hints(document, 0, 9)] == ["invariant: x > 0 && y > 0"]
        assert lenses(document)[0].title == "true (1.0 s), verify again" and notes(document) == []
        assert not runs.changed("k", TEXT) and document.results
        assert runs.changed("k", TEXT + "\n") and not document.results

    asyncio.run(scenario())


def test_a_change_cancels_and_a_later_start_replaces() -> None:
    async def scenario() -> None:
        controlled = Runs()
        runs = DocumentRuns(Settings(), lambda key: None, controlled.verify)
        runs.opened("k", "p.c", TEXT)
        runs.start("k", pause_s=0)
        await controlled.begun.wait()
        assert lenses(runs.documents["k"])[0].title == "verifying ..."
        runs.changed("k", TEXT + "int f(void) { return 0; }")
        assert lenses(runs.documents["k"])[1].title == "verify this function"
        runs.start("k", "f", pause_s=3600)  # still in its pause when the next one comes
        runs.start("k", "f", pause_s=0)
        controlled.let.set()
        await _settled(runs)
        assert controlled.log == ["begin main", "cancel main", "begin f"]
        assert list(runs.documents["k"].results) == ["f"]

    asyncio.run(scenario())


def test_one_run_at_a_time_and_none_after_closing() -> None:
    async def scenario() -> None:
        controlled = Runs()
        runs = DocumentRuns(Settings(), lambda key: None, controlled.verify)
        for key in ("a", "b"):
            runs.opened(key, f"{key}.c", TEXT)
            runs.start(key, pause_s=0)
        await controlled.begun.wait()
        for _ in range(20):
            await asyncio.sleep(0)
        assert controlled.log == ["begin main"]
        runs.close()
        for _ in range(20):
            await asyncio.sleep(0)
        assert controlled.log == ["begin main", "cancel main"] and not runs.documents

    asyncio.run(scenario())


def test_functions_of_a_text_that_is_being_edited() -> None:
    text = """#define F(x) { x }
static int *first(int (*g)(int), char c) { if (c) { g('{'); } return 0; } /* int no(void) { } */
int table[] = {1, 2}; struct s { int a; } value; int declared(int);
void second(void)
{ char *s = "int no(void) {"; for (;;) { }
int broken("""
    assert [(f.name, f.line, f.column) for f in functions(text)] == [("first", 2, 13), ("second", 4, 6)]


def test_settings() -> None:
    assert Settings.of(None) == Settings()
    assert Settings.of({"timeout": 5, "onChange": False, "arguments": ["-v"]}) == Settings(5.0, 0.5, False, ("-v",))
    for wrong in ({"timeout": "5"}, {"debounce": -1}, {"arguments": "-v"}, {"timeout": True}):
        try:
            Settings.of(wrong)
        except ValueError:
            continue
        raise AssertionError(wrong)
