"""The language server protocol, by pygls: documents in, diagnostics, hints and lenses out."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from chcverify.lsp.document_runs import MAIN, DocumentRuns
from chcverify.lsp.editor_view import Hint, Lens, Note, Position, hints, lenses, notes
from chcverify.lsp.function_scan import functions
from chcverify.lsp.verification import Settings, SourcePoint

VERIFY = "chcverify.verify"
RESULT = "chcverify/result"
"""A notification after each run: the document's uri, and for each function its verdict."""


class ChcverifyServer:
    """A server for one client. `language_server` is pygls's."""

    def __init__(self, version: str) -> None:
        self.language_server = LanguageServer(
            "chcverify", version, text_document_sync_kind=types.TextDocumentSyncKind.Full
        )
        self.runs = DocumentRuns(Settings(), self.update)
        features: dict[str, Callable[[Any], Any]] = {
            types.INITIALIZE: self.initialise,
            types.TEXT_DOCUMENT_DID_OPEN: self.opened,
            types.TEXT_DOCUMENT_DID_CHANGE: self.changed,
            types.TEXT_DOCUMENT_DID_SAVE: self.saved,
            types.TEXT_DOCUMENT_DID_CLOSE: self.closed,
            types.SHUTDOWN: self.shut_down,
            types.TEXT_DOCUMENT_INLAY_HINT: self.inlay_hints,
            types.TEXT_DOCUMENT_CODE_LENS: self.code_lenses,
        }
        for name, handler in features.items():
            self.language_server.feature(name)(_awaitable(handler))

        async def verify(uri: str, function: str) -> None:
            self.verify(uri, function)

        self.language_server.command(VERIFY)(verify)

    def initialise(self, params: types.InitializeParams) -> None:
        """Takes the client's settings; unusable ones are reported, and the defaults stay."""
        try:
            self.runs.settings = Settings.of(params.initialization_options)
        except ValueError as error:
            self.report(f"initializationOptions: {error}")

    def report(self, text: str) -> None:
        """Shows a warning in the editor."""
        self.language_server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """Verifies main of a document that was opened."""
        item = params.text_document
        path = _path(item.uri)
        if path is not None:
            self.runs.opened(item.uri, path, item.text)
            self._start_main(item.uri)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Cancels the run on the old text; starts one on the new text after a pause, if the client wants that."""
        uri = params.text_document.uri
        text = self.language_server.workspace.get_text_document(uri).source
        if self.runs.changed(uri, text) and self.runs.settings.on_change:
            self._start_main(uri)

    def saved(self, params: types.DidSaveTextDocumentParams) -> None:
        """Verifies main of a saved document, unless that is done."""
        document = self.runs.documents.get(params.text_document.uri)
        if document is not None and MAIN not in document.results and document.task is None:
            self._start_main(params.text_document.uri, 0.0)

    def _start_main(self, uri: str, pause_s: float | None = None) -> None:
        if any(item.name == MAIN for item in functions(self.runs.documents[uri].text)):
            self.runs.start(uri, MAIN, pause_s)

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """Ends the run of a document that was closed, and removes its diagnostics."""
        uri = params.text_document.uri
        self.runs.closed(uri)
        self.language_server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def shut_down(self, params: None) -> None:
        """Ends all runs."""
        self.runs.close()

    def verify(self, uri: str, function: str) -> None:
        """The command of the lenses: verifies a function."""
        self.runs.start(uri, function, 0.0)

    def inlay_hints(self, params: types.InlayHintParams) -> list[types.InlayHint]:
        """The invariants of loops in a range of lines."""
        uri, lines = params.text_document.uri, params.range
        document = self.runs.documents.get(uri)
        found: Sequence[Hint] = hints(document, lines.start.line, lines.end.line) if document else ()
        return [
            types.InlayHint(self._position(uri, hint.at), hint.label, tooltip=hint.tooltip, padding_left=True)
            for hint in found
        ]

    def code_lenses(self, params: types.CodeLensParams) -> list[types.CodeLens]:
        """A lens for each function."""
        uri = params.text_document.uri
        document = self.runs.documents.get(uri)
        found: Sequence[Lens] = lenses(document) if document else ()
        return [
            types.CodeLens(
                self._range(uri, lens.at, lens.at), types.Command(lens.title, VERIFY, arguments=[uri, lens.function])
            )
            for lens in found
        ]

    def update(self, uri: str) -> None:
        """Sends the client what there is of a document now, and lets it ask for hints and lenses again."""
        document = self.runs.documents[uri]
        server = self.language_server
        found = [self._diagnostic(uri, note) for note in notes(document)]
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found))
        workspace = server.client_capabilities.workspace
        if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            server.workspace_inlay_hint_refresh(None, lambda result: None)
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            server.workspace_code_lens_refresh(None, lambda result: None)
        if not document.running:
            words = {name: result.word for name, result in document.results.items()}
            server.protocol.notify(RESULT, {"uri": uri, "verdicts": words})

    def _diagnostic(self, uri: str, note: Note) -> types.Diagnostic:
        related = [self._related(place) for place in note.related]
        return types.Diagnostic(
            self._range(uri, note.start, note.end),
            note.message,
            severity=types.DiagnosticSeverity(int(note.severity)),
            code=note.code,
            source="chcverify",
            related_information=related or None,
        )

    def _related(self, place: SourcePoint) -> types.DiagnosticRelatedInformation:
        at = types.Position(max(0, place.line - 1), max(0, place.column - 1))
        location = types.Location(Path(place.file).absolute().as_uri(), types.Range(at, at))
        return types.DiagnosticRelatedInformation(location, place.text)

    def _range(self, uri: str, start: Position, end: Position) -> types.Range:
        return types.Range(self._position(uri, start), self._position(uri, end))

    def _position(self, uri: str, position: Position) -> types.Position:
        """The position in the units that the client counts in."""
        workspace = self.language_server.workspace
        lines = workspace.get_text_document(uri).lines
        given = types.Position(position.line, position.character)
        return workspace.position_codec.position_to_client_units(lines, given)


def _awaitable(handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The handler as a coroutine function, so that it is called where the loop of the runs is."""

    async def handle(params: Any) -> Any:
        return handler(params)

    return handle


def _path(uri: str) -> str | None:
    """The path of a document in the file system; None for others."""
    parsed = urlparse(uri)
    return unquote(parsed.path) if parsed.scheme == "file" else None


def serve(version: str) -> None:
    """Serves one client by standard input and output until it leaves."""
    ChcverifyServer(version).language_server.start_io()
