"""What every domain value has in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value that knows all its keys, guesses no types, holds no infinities; bytes are base64 in JSON."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        defer_build=True,
        ser_json_bytes="base64",
        val_json_bytes="base64",
    )
