"""`lodestone submit`: send a definition to a server, wait for the end when asked, and gate on the verdict."""

from __future__ import annotations

import argparse
import contextlib
import json
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2

from app.cli.definition import beside
from app.cli.exits import EXIT_FAILED, ServerAway
from app.cli.files import read_bytes, read_text
from app.cli.gate import gate
from app.config import settings
from app.domain.comparison import Comparison
from app.domain.state import State
from app.errors import RequestError
from app.ingest.definition import read_definition

CONNECT_TIMEOUT_S = 5.0
ANSWER_TIMEOUT_S = 60.0
AWAY_MAX_S = 60.0
"""A server that restarts is waited for so long before the wait is given up; its runs go on regardless."""


def execute(options: argparse.Namespace) -> int:
    """Submit a definition; with --wait follow it to its verdict."""
    if not options.wait and (options.fail_on or options.share):
        raise RequestError("--fail-on and --share need --wait: before the end there is no verdict")
    with Server(options.server or settings().resolved_server, settings().token) as server:
        text = _with_uploads(server, options.file)
        experiment = server.call("POST", "/experiments", content=text.encode(), key=secrets.token_urlsafe(16))
        page = f"{server.address}/experiments/{experiment['id']}"
        if not options.wait:
            print(json.dumps(experiment) if options.json else page)
            return 0
        print(page, file=sys.stderr)
        ended = server.follow(experiment["id"])
        comparison = Comparison.model_validate(server.call("GET", f"/experiments/{experiment['id']}/comparison"))
        link = ""
        if options.share:
            link = server.address + server.call("POST", f"/experiments/{experiment['id']}/shares")["path"]
        if options.json:
            print(json.dumps(comparison.model_dump(mode="json"), ensure_ascii=False, indent=2))
        else:
            print(server.text(f"/experiments/{experiment['id']}/comparison.txt"), end="")
        if link:
            print(link, file=sys.stderr if options.json else sys.stdout)
    if ended != State.DONE:
        print(f"lodestone: the experiment ended as {ended}", file=sys.stderr)
        return EXIT_FAILED
    return gate(comparison, options.fail_on)


def _with_uploads(server: Server, path: Path) -> str:
    """Return the definition's text with local files brought to the server and named by their upload."""
    text = read_text(path)
    definition = read_definition(text)
    local = {name: value for name, value in definition.referenced().items() if not value.startswith("sha256:")}
    if not local:
        return text
    document = definition.model_dump(mode="json", exclude_defaults=True)
    for name, value in local.items():
        upload = server.call("POST", "/uploads", content=read_bytes(beside(path, name, value)))["id"]
        if name in definition.files:
            document["files"][name] = upload
        else:
            document["workload"]["replay"]["trace"] = upload
    return json.dumps(document)


class Server:
    """A Lodestone server as the command line sees it."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address.rstrip("/")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        timeout = httpx2.Timeout(ANSWER_TIMEOUT_S, connect=CONNECT_TIMEOUT_S)
        try:
            self._client = httpx2.Client(base_url=f"{self.address}/api/v1", headers=headers, timeout=timeout)
        except (httpx2.InvalidURL, ValueError) as error:
            raise RequestError(f"{address!r} is not a server's address: {error}") from None

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def call(self, method: str, path: str, content: bytes | None = None, key: str | None = None) -> Any:
        """Return the JSON that a call answers; with an idempotency `key` a call that got no answer is made once more.

        Raises RequestError for a refusal, ServerAway when there is none.
        """
        try:
            return self._answer(method, path, content, key).json()
        except ServerAway:
            if key is None:
                raise
            return self._answer(method, path, content, key).json()

    def text(self, path: str) -> str:
        """Return the text that a call answers."""
        return self._answer("GET", path, None).text

    def _answer(self, method: str, path: str, content: bytes | None, key: str | None = None) -> httpx2.Response:
        headers = {"Idempotency-Key": key} if key else {}
        try:
            response = self._client.request(method, path, content=content, headers=headers)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ServerAway(f"cannot reach {self.address}: {error}") from None
        if response.is_success:
            return response
        with contextlib.suppress(ValueError, AttributeError):
            detail = response.json().get("detail")
            if detail:
                raise RequestError(str(detail)) if response.status_code < 500 else ServerAway(str(detail))
        raise ServerAway(f"{self.address} answered {response.status_code}, not as Lodestone does")

    def follow(self, experiment_id: str) -> str:
        """Follow an experiment's events to its comparison; return the state it ended in."""
        number, state, away_since = 0, "", None
        while True:
            try:
                for kind, event_number, data in self._events(experiment_id, number):
                    number, away_since = event_number, None
                    if kind == "experiment":
                        state = str(data["data"]["state"])
                        print(state, file=sys.stderr)
                    if kind == "comparison":
                        return state
                found = self.call("GET", f"/experiments/{experiment_id}")
                if State(found["state"]).final and found["headline"] is not None:
                    return str(found["state"])
            except (httpx2.HTTPError, ServerAway) as error:
                away_since = away_since or time.monotonic()
                if time.monotonic() - away_since > AWAY_MAX_S:
                    raise ServerAway(f"lost {self.address}: {error}; the runs go on there") from None
                time.sleep(0.5)

    def _events(self, experiment_id: str, number: int) -> Iterator[tuple[str, int, Any]]:
        """Yield (kind, number, event) of the stream after `number`."""
        path = f"/experiments/{experiment_id}/events"
        with self._client.stream("GET", path, headers={"Last-Event-ID": str(number)}) as response:
            if response.status_code == 204:
                return
            if response.is_client_error:
                raise RequestError(f"the event stream answered {response.status_code}: is the experiment still there?")
            if not response.is_success:
                raise ServerAway(f"the event stream answered {response.status_code}")
            fields: dict[str, str] = {}
            for line in response.iter_lines():
                if line:
                    name, _, value = line.partition(":")
                    fields[name] = value.removeprefix(" ")
                elif "data" in fields:
                    yield fields["event"], int(fields["id"]), json.loads(fields["data"])
                    fields = {}
