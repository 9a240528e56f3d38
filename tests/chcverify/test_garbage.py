"""Blocks in which Python looks for no garbage in cycles."""

import gc

import pytest

from chcverify.garbage import without_collections


@pytest.mark.parametrize("is_enabled", [True, False])
def test_the_search_is_as_before_behind_the_block(is_enabled: bool) -> None:
    was_enabled = gc.isenabled()
    try:
        (gc.enable if is_enabled else gc.disable)()
        with pytest.raises(ValueError, match="inside"), without_collections():
            assert not gc.isenabled()
            raise ValueError("inside")
        assert gc.isenabled() == is_enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()
