"""Write docs/reference/api.md from the API's endpoints. With --check only compare."""

from __future__ import annotations

import sys
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from api.app import ENDPOINTS
from api.calls import Endpoint

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "api.md"
HEAD = """# La API por HTTP

Qué hay en cada dirección; cómo se entra y se pregunta, en [Preguntar por HTTP](../how-to/api.md). Lo mismo, para
programas, en `/api/v1/openapi.json` (OpenAPI 3.1). Esta página se hace de las definiciones que revisan cada consulta
(`scripts/api_table.py`); una prueba la mantiene al día.

Sin token están `/health` (el programa vive), `/ready` (puede responder: la base de datos y el modelo de vectores) y
`/api/v1/openapi.json`. `/metrics` da cifras para Prometheus a un token que sirva para `metrics`.
"""


def page() -> str:
    """The page."""
    return HEAD + "".join(map(_section, ENDPOINTS))


def _section(endpoint: Endpoint) -> str:
    lines = [
        f"\n## {endpoint.method} {endpoint.path}\n",
        f"{endpoint.summary}. El token debe servir para `{endpoint.scope}`.",
    ]
    if endpoint.query:
        lines.append(f"En la dirección: {_named(endpoint.query)}; el primero es obligatorio.")
    answer = f"Responde {endpoint.status}"
    lines.append(f"{answer} con {_named(endpoint.gives)}." if endpoint.gives else f"{answer}.")
    if endpoint.body:
        lines += ["\n| campo | obligatorio | qué es |\n|---|---|---|", *_rows(endpoint.body)]
    return "\n".join(lines) + "\n"


def _rows(body: type[BaseModel]) -> list[str]:
    return [_row(name, field) for name, field in body.model_fields.items()]


def _row(name: str, field: FieldInfo) -> str:
    return f"| `{name}` | {'sí' if field.is_required() else ''} | {field.description or ''} |"


def _named(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
