"""Serves the built web page: its files by name, and its one document for every other address."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from app.errors import NotFound

NOT_BUILT = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Lodestone</title>"
    "<h1>The web page is not built</h1><p>Run <code>make setup</code> in the checkout. "
    "The <a href=/api/docs>API</a> works without it.</p></html>"
)

IMMUTABLE = "public, max-age=31536000, immutable"
"""Names of built assets hold their content's hash."""


class _Assets(StaticFiles):
    def file_response(self, *args, **options) -> Response:  # type: ignore[no-untyped-def]
        response = super().file_response(*args, **options)
        response.headers["Cache-Control"] = IMMUTABLE
        return response


def install(app: FastAPI, root: Path) -> None:
    """Serve the page built in `root` at every address that no route has; where none is built, say how."""
    app.mount("/assets", _Assets(directory=root / "assets", check_dir=False), name="assets")

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise HTTPException(404)
        path = str(scope["path"]).lstrip("/")
        if scope["method"] not in ("GET", "HEAD") or path.startswith(("api/", "s/", "assets/")):
            raise NotFound("there is nothing at this address; /api/docs lists what there is")
        await _document(root, path)(scope, receive, send)

    # the router's own default, not a route: a catch-all route would turn every unknown address into a wrong method
    app.router.default = page


def _document(root: Path, path: str) -> Response:
    index = root / "index.html"
    if not index.is_file():
        return HTMLResponse(NOT_BUILT)
    if path in _FILES and (root / path).is_file():
        return FileResponse(root / path)
    return FileResponse(index, headers={"Cache-Control": "no-cache"})


_FILES = frozenset({"favicon.svg", "robots.txt", "manifest.webmanifest"})
