"""Stands before every route: body limits, Host and Origin checks, and the headers that keep pages safe."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.config import Settings
from app.web.errors import rendered

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Nothing from other hosts, no inline script; inline styles because the plots and the editor set them."""


class BodyLimit:
    """Refuses bodies over the limit with 413, whether their length is announced or not."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        uploads = scope["path"].rstrip("/") == "/api/v1/uploads"
        limit = self._settings.upload_max_bytes if uploads else self._settings.body_max_bytes
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdigit() and int(announced) > limit:
            await _refuse_large(limit)(scope, receive, send)
            return
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            if len(body) > limit:
                await _refuse_large(limit)(scope, receive, send)
                return
            if not message.get("more_body"):
                break
        replayed = False

        async def receive_whole() -> Message:
            nonlocal replayed
            if replayed:
                return await receive()
            replayed = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        await self._app(scope, receive_whole, send)


def _refuse_large(limit: int) -> ASGIApp:
    return rendered(
        413, "too_large", f"the body is larger than {limit} bytes; bring large files by POST /api/v1/uploads"
    )


class OriginCheck:
    """Refuses Host names that are not this server's, and changes asked for by pages of other origins."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        given = [settings.host, *settings.allowed_hosts.split(",")]
        self._names = LOOPBACK_NAMES | {f"[{name}]" if ":" in name else name for name in _words(given)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            host = headers.get("host", "")
            if _name_of(host) not in self._names:
                refusal = (
                    "this server is not known by that Host name; its operator may allow it (LODESTONE_ALLOWED_HOSTS)"
                )
                await rendered(400, "unknown_host", refusal)(scope, receive, send)
                return
            origin = headers.get("origin")
            foreign = origin is not None and not _same_origin(origin, host)
            foreign = foreign or headers.get("sec-fetch-site") == "cross-site"
            if scope["method"] not in SAFE_METHODS and foreign:
                await rendered(403, "foreign_origin", "changes may only come from this server's own pages")(
                    scope, receive, send
                )
                return
        await self._app(scope, receive, send)


class SafeHeaders:
    """Adds the headers that keep a page from being embedded, sniffed or scripted by others."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_safe(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("X-Content-Type-Options", "nosniff")
                headers.setdefault("Referrer-Policy", "no-referrer")
                headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
            await send(message)

        await self._app(scope, receive, send_safe if scope["type"] == "http" else send)


def _words(parts: Iterable[str]) -> list[str]:
    return [part.strip().lower() for part in parts if part.strip()]


def _name_of(host: str) -> str:
    name = host.strip().lower()
    if name.startswith("["):
        return name.partition("]")[0] + "]"
    return name.rpartition(":")[0] if ":" in name else name


def _same_origin(origin: str, host: str) -> bool:
    try:
        return urlsplit(origin).netloc.lower() == host.strip().lower()
    except ValueError:
        return False
