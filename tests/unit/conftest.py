"""What tests of the pages share: Streamlit's look for components in every installed package, taken once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest


@pytest.fixture(scope="session")
def known_components() -> Iterator[None]:
    """Streamlit's tester reads the metadata of all packages at each run of a page: nearly all that a run costs."""
    from streamlit.components.v2 import manifest_scanner

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield
