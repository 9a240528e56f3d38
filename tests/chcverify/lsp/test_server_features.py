"""The server offers what editors ask for."""

import pytest

pytest.importorskip("pygls")

from lsprotocol import types

from chcverify.lsp.server import VERIFY, ChcverifyServer


def test_features_and_settings() -> None:
    server = ChcverifyServer("1.2.3")
    manager = server.language_server.protocol.fm
    for name in (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_INLAY_HINT, types.TEXT_DOCUMENT_CODE_LENS):
        assert name in manager.features
    assert VERIFY in manager.commands
    assert server.runs.settings.timeout_s > 0
