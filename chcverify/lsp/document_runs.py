"""The runs of each open document: after a pause in the changes, one at a time, cancelled by the next change."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import field

from chcverify.lsp.verification import Settings, VerificationResult, verify
from chcverify.quick_dataclass import dataclass

Verify = Callable[[str, str, str, Settings], Awaitable[VerificationResult]]
MAIN = "main"


@dataclass
class OpenDocument:
    """A document: its text, and the last result of each function that was verified, for the text as it is."""

    path: str
    text: str
    results: dict[str, VerificationResult] = field(default_factory=dict)
    running: str = ""
    task: "asyncio.Task[None] | None" = None


class DocumentRuns:
    """Starts and cancels runs. on_update: called with the key of a document whose results or run have changed."""

    def __init__(self, settings: Settings, on_update: Callable[[str], None], verify_text: Verify = verify) -> None:
        self.settings = settings
        self.documents: dict[str, OpenDocument] = {}
        self._on_update = on_update
        self._verify = verify_text
        self._free = asyncio.Semaphore(1)  # one run at a time

    def opened(self, key: str, path: str, text: str) -> None:
        """A document was opened: its main is verified if it has one."""
        self.documents[key] = OpenDocument(path, text)
        self._on_update(key)

    def changed(self, key: str, text: str) -> bool:
        """The text has changed: results are out of date, and a run is cancelled. True if the text is another one."""
        document = self.documents.get(key)
        if document is None or document.text == text:
            return False
        document.text = text
        self._cancel(document)
        document.results.clear()
        self._on_update(key)
        return True

    def closed(self, key: str) -> None:
        """The document was closed: its run ends."""
        document = self.documents.pop(key, None)
        if document is not None:
            self._cancel(document)

    def close(self) -> None:
        """Ends all runs."""
        for key in list(self.documents):
            self.closed(key)

    def start(self, key: str, function: str = MAIN, pause_s: float | None = None) -> None:
        """Verifies the function after a pause, instead of what the document is being verified for."""
        document = self.documents.get(key)
        if document is None:
            return
        self._cancel(document)
        pause = self.settings.debounce_s if pause_s is None else pause_s
        document.task = asyncio.get_running_loop().create_task(self._run(key, document, function, pause))

    async def _run(self, key: str, document: OpenDocument, function: str, pause_s: float) -> None:
        await asyncio.sleep(pause_s)
        async with self._free:
            document.running = function
            self._on_update(key)
            try:
                result = await self._verify(document.path, document.text, function, self.settings)
            except OSError as error:
                result = VerificationResult("unknown", f"no run: {error.strerror or error}")
            finally:
                document.running = ""
            document.results[function] = result
            document.task = None
        self._on_update(key)

    def _cancel(self, document: OpenDocument) -> None:
        task, document.task, document.running = document.task, None, ""
        if task is not None:
            task.cancel()
