"""Every error that Lodestone raises on purpose; one handler renders those that reach a client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class LodestoneError(Exception):
    """Base of all deliberate errors: a stable code for programs, a sentence for people, details for both."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.details = dict(details or {})


class RequestError(LodestoneError):
    """The caller's fault: rendered with `status` by the web service, as exit status 2 by the command line."""

    status = 400
    code = "bad_request"


class NotFound(RequestError):
    """No such thing, or none that this principal may see."""

    status = 404
    code = "not_found"


class Conflict(RequestError):
    """The thing is in a state that does not allow this."""

    status = 409
    code = "conflict"


class BodyTooLarge(RequestError):
    """The body is, or unpacks to, more than this call takes."""

    status = 413
    code = "too_large"


class UnsupportedType(RequestError):
    """The body says of itself that it is something that this call does not take."""

    status = 415
    code = "unsupported_type"


class TooLarge(RequestError):
    """More than this server takes at once."""

    status = 413
    code = "too_large"


class Unprocessable(RequestError):
    """Understood as a document, but not acceptable; `details` names the key or the line."""

    status = 422
    code = "unprocessable"


class QueueFull(RequestError):
    """Nothing is wrong with the request, but it has to come later."""

    status = 503
    code = "queue_full"


class InvalidDefinition(Unprocessable):
    """An experiment definition that cannot run; `details["problems"]` lists each with its key and line."""

    code = "invalid_definition"


class RunFailure(LodestoneError):
    """A run could not be carried out; `phase` says where. Never raised for a workload that merely exits non-zero."""

    code = "run_failed"
    phase = "run"
    attempts_allowed = 1
    """How often the run may be attempted in all when it ends like this."""

    def __init__(
        self, message: str, *, retry_after_s: float | None = None, details: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message, details=details)
        self.retry_after_s = retry_after_s


class RunnerUnavailable(RunFailure):
    """The runner cannot take the run now; it is offered again later."""

    code = "runner_unavailable"
    phase = "claim"
    attempts_allowed = 5


class PreparationFailed(RunFailure):
    """The run cannot be set up: a patch that does not apply, an image that is missing, a job that does not fit."""

    code = "preparation_failed"
    phase = "prepare"


class RunLost(RunFailure):
    """The guest, the host or the deadline was lost while running; tried once more."""

    code = "run_lost"
    phase = "run"
    attempts_allowed = 2


class RunOverdue(RunFailure):
    """The run did not end within the definition's `timeout`."""

    code = "run_overdue"
    phase = "run"

    def __init__(self, timeout_s: float) -> None:
        super().__init__(f"not finished within its time limit of {timeout_s:g} s")


class OutputUnreadable(RunFailure):
    """The run ended, but what it wrote cannot be read."""

    code = "output_unreadable"
    phase = "parse"


class RunCancelled(Exception):
    """Raised inside a runner when the store asked it to stop."""


class ClaimLost(Exception):
    """This attempt's lease has passed to somebody else: nothing of it may be stored."""
