"""The chat over the real assistant with a small law in its library: what `streamlit run` starts for tests of providers.

The provider is `tests.fakes.provider_server`, named in the environment.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from tests.indexing import project_of
from ui.shell import main

_LAW = """# Ley de consultas

## Artículo 5. Plazo de respuesta

El plazo es de 7 días hábiles, contados desde que se recibe la consulta.

## Artículo 6. Prórroga

El plazo se prorroga una sola vez, por 5 días hábiles, cuando la consulta es compleja.
"""


@st.cache_resource
def assistant() -> ProjectAssistant:
    opened = project_of(Assistant.open(embeddings=HashEmbeddings()))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "ley_de_consultas.md"
        file.write_text(_LAW, encoding="utf-8")
        list(opened.library.add([file]))
    return opened


main(assistant())
