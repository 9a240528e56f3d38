"""A client of the language server: JSON-RPC over the standard streams of `chcverify lsp`, as editors speak it."""

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 600.0  # seconds; a loaded machine is slow


class LanguageClient:
    """Starts a server and initialises it. received: all its notifications, in order."""

    def __init__(self, folder: Path, options: dict[str, Any], environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "chcverify", "lsp"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.received: list[dict[str, Any]] = []
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._number = 0
        threading.Thread(target=self._read, daemon=True).start()
        refresh = {"refreshSupport": True}
        capabilities = {"workspace": {"inlayHint": refresh, "codeLens": refresh}}
        self.capabilities = self.request(
            "initialize",
            processId=None,
            rootUri=folder.as_uri(),
            capabilities=capabilities,
            initializationOptions=options,
        )["capabilities"]
        self.notify("initialized")

    def request(self, method: str, **params: Any) -> Any:
        """The result of a request."""
        self._number += 1
        number = self._number
        self._send({"id": number, "method": method, "params": params or None})
        answer = self._until(lambda message: message.get("id") == number and "method" not in message)
        assert "error" not in answer, answer
        return answer["result"]

    def notify(self, method: str, **params: Any) -> None:
        """Sends a notification."""
        self._send({"method": method, "params": params})

    def wait(self, method: str, holds: Callable[[Any], bool]) -> Any:
        """The parameters of the next notification of which they hold."""
        return self._until(lambda message: message.get("method") == method and holds(message["params"]))["params"]

    def open(self, path: Path) -> str:
        """Opens a C file; its uri."""
        item = {"uri": path.as_uri(), "languageId": "c", "version": 1, "text": path.read_text()}
        self.notify("textDocument/didOpen", textDocument=item)
        return path.as_uri()

    def change(self, uri: str, text: str, version: int = 2) -> None:
        """Replaces the text of an open document."""
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])

    def verdicts(self, uri: str) -> dict[str, str]:
        """The verdicts after the next run."""
        found = self.wait("chcverify/result", lambda params: params["uri"] == uri and params["verdicts"])
        return dict(found["verdicts"])

    def end(self) -> int:
        """Ends the server; its exit status."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            message = self._messages.get(timeout=PATIENCE)
            assert message is not None, "the server has ended"
            if "method" in message and "id" in message:  # a request of the server: to refresh
                self._send({"id": message["id"], "result": None})
            elif "method" in message:
                self.received.append(message)
            if holds(message):
                return message

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.split(b":")[1]) if header.lower().startswith(b"content-length") else 0
            while header.strip():
                header = stream.readline()
                if header.lower().startswith(b"content-length"):
                    length = int(header.split(b":")[1])
            self._messages.put(json.loads(stream.read(length)))
        self._messages.put(None)
