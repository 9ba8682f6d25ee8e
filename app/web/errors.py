"""Renders every error in the one shape `{"error": code, "detail": message, …}`."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from app.errors import LodestoneError, RequestError

log = logging.getLogger("lodestone.web")


class ErrorBody(BaseModel):
    """What a refused request is answered with; some errors carry more keys, such as `problems`."""

    model_config = ConfigDict(extra="allow")

    error: str
    detail: str


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ErrorBody, "description": "The request is refused; `detail` says what to do."},
    "503": {"model": ErrorBody, "description": "The database cannot be reached now."},
}

_CODES = {400: "bad_request", 401: "unauthorised", 403: "forbidden", 404: "not_found", 405: "method_not_allowed"}


def rendered(status: int, code: str, detail: str, **more: Any) -> JSONResponse:
    """Return an error response in the one shape."""
    return JSONResponse({**more, "error": code, "detail": detail}, status_code=status)


def install(app: FastAPI) -> None:
    """Install the handlers on an application."""

    @app.exception_handler(LodestoneError)
    async def _deliberate(_: Request, error: LodestoneError) -> JSONResponse:
        status = error.status if isinstance(error, RequestError) else 500
        return rendered(status, error.code, error.message, **error.details)

    @app.exception_handler(RequestValidationError)
    async def _invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        problems = [
            {"key": ".".join(str(part) for part in entry["loc"]), "line": None, "message": str(entry["msg"])}
            for entry in error.errors()
        ]
        first = problems[0]
        return rendered(422, "invalid_request", f"{first['key']}: {first['message']}", problems=problems)

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> JSONResponse:
        response = rendered(error.status_code, _CODES.get(error.status_code, "refused"), str(error.detail))
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(OperationalError)
    async def _database(_: Request, error: OperationalError) -> JSONResponse:
        log.error("the database cannot be reached: %s", error.orig)
        response = rendered(503, "database_unavailable", "the database cannot be reached now; try again in a moment")
        response.headers["Retry-After"] = "2"
        return response

    @app.exception_handler(Exception)
    async def _fault(request: Request, error: Exception) -> JSONResponse:
        log.error("%s %s", request.method, request.url.path, exc_info=error)
        return rendered(500, "internal_error", "a fault of the server; its log has the details")
