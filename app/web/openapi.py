"""The OpenAPI document, complete enough that clients are generated from it, and a page that shows it."""

from __future__ import annotations

from html import escape
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse

from app.domain.experiment import Definition

REFERENCE = "#/components/schemas/{model}"


def install(app: FastAPI) -> None:
    """Serve the document with the definition's schema in it, and `/api/docs`."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
            schemas = made.setdefault("components", {}).setdefault("schemas", {})
            definition = Definition.model_json_schema(ref_template=REFERENCE, mode="validation")
            schemas.update(definition.pop("$defs", {}))
            schemas["Definition"] = definition
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]

    @app.get("/api/docs", include_in_schema=False)
    def docs() -> HTMLResponse:
        return HTMLResponse(_page(document()))


def _page(document: dict[str, Any]) -> str:
    """A plain page of every call: no script, so that nothing has to be loaded from elsewhere."""
    rows = []
    for path, calls in document["paths"].items():
        for method, call in calls.items():
            rows.append(
                f"<tr><td><code>{method.upper()}</code></td><td><code>{escape(path)}</code></td>"
                f"<td>{escape(call.get('description') or call.get('summary') or '')}</td></tr>"
            )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Lodestone API</title>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        "<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui;max-width:70rem;margin:auto;padding:1rem}"
        "td{padding:.25rem .6rem;vertical-align:top;border-bottom:1px solid #8884}</style>"
        "<h1>Lodestone API</h1><p>The whole document: <a href=/api/openapi.json>/api/openapi.json</a></p>"
        f"<table>{''.join(rows)}</table></html>"
    )


def main() -> None:
    """Print the document, from which the web page's types are generated."""
    import json

    from app.config import Settings
    from app.main import create_app

    print(json.dumps(create_app(Settings(broker_url="redis://127.0.0.1:1")).openapi(), indent=1, sort_keys=True))


if __name__ == "__main__":
    main()
