"""The OpenAPI document, made of the endpoints and of the definitions that validate what they take."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from pydantic.json_schema import models_json_schema

from api.calls import Endpoint
from api.requests import PROJECT_NAME

__all__ = ["document"]

_REF = "#/components/schemas/{model}"
_REFUSED = {
    "400": "La consulta no es válida.",
    "401": "Falta el token, o no está en vigor.",
    "403": "El token o la persona no alcanzan para eso.",
    "404": "Eso no existe, o no es de esa persona.",
    "413": "Es demasiado grande.",
    "422": "El archivo no puede ser un documento.",
    "429": "Demasiadas consultas con ese token: «Retry-After» dice cuándo volver.",
    "502": "El modelo de lenguaje no respondió.",
    "503": "Ahora no se puede: «Retry-After» dice cuándo volver, si se sabe.",
}


def document(endpoints: Sequence[Endpoint]) -> Mapping[str, Any]:
    """OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1)."""
    bodies = {each.body for each in endpoints if each.body}
    _, defined = models_json_schema([(body, "validation") for body in sorted(bodies, key=str)], ref_template=_REF)
    error = {"type": "object", "properties": {"error": {}}, "required": ["error"]}
    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Legajo", "version": version("legajo"), "license": {"name": "MIT", "identifier": "MIT"}},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {**defined.get("$defs", {}), "Error": error},
        },
    }


def _operation(each: Endpoint) -> Mapping[str, Any]:
    told = {
        "operationId": re.sub(r"\W+", "_", f"{each.method.lower()} {each.path}").strip("_"),
        "summary": each.summary,
        "description": f"El token debe servir para «{each.scope}».",
        "parameters": [*_places(each.path), *_parameters(each.query)],
        "responses": {str(each.status): _success(each), **{code: _refusal(words) for code, words in _REFUSED.items()}},
    }
    if each.body:
        schema = {"$ref": _REF.format(model=each.body.__name__)}
        return told | {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}
    if each.query and each.method == "POST":
        return told | {"requestBody": {"required": True, "content": {"application/octet-stream": {}}}}
    return told


def _places(path: str) -> list[Mapping[str, Any]]:
    schemas = {"project": PROJECT_NAME}
    other = {"type": "string", "minLength": 1}
    return [
        {"name": name, "in": "path", "required": True, "schema": schemas.get(name, other)}
        for name in re.findall(r"{(\w+)}", path)
    ]


def _parameters(names: Sequence[str]) -> list[Mapping[str, Any]]:
    return [
        {"name": name, "in": "query", "required": not position, "schema": {"type": "string"}}
        for position, name in enumerate(names)
    ]


def _success(each: Endpoint) -> Mapping[str, Any]:
    if not each.gives:
        return {"description": "Hecho."}
    properties: Mapping[str, Any] = {name: {} for name in each.gives}
    content = {"application/json": {"schema": {"type": "object", "properties": properties, "required": [*each.gives]}}}
    streams = each.body and "stream" in each.body.model_fields
    return {"description": each.summary, "content": {**content, **({"text/event-stream": {}} if streams else {})}}


def _refusal(words: str) -> Mapping[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": {"$ref": _REF.format(model="Error")}}}}
