"""Every table of the truth; domain values lie in them as JSON text."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

LOCAL_USER = "local"
DEFAULT_PROJECT = "default"


def _milliseconds(*, nullable: bool = False) -> Column[int]:
    return Column(BigInteger, nullable=nullable)


class User(SQLModel, table=True):
    """Who owns things; a private server has one, `local`."""

    __tablename__ = "user_account"

    id: str = Field(primary_key=True, max_length=64)
    name: str
    created_ms: int = Field(sa_column=_milliseconds())


class Project(SQLModel, table=True):
    """What experiments are grouped in."""

    __tablename__ = "project"

    id: str = Field(primary_key=True, max_length=64)
    name: str
    owner_id: str = Field(foreign_key="user_account.id", index=True)
    created_ms: int = Field(sa_column=_milliseconds())


class Experiment(SQLModel, table=True):
    """A frozen definition, what became of its runs, and its comparison once they are over."""

    __tablename__ = "experiment"
    __table_args__ = (Index("ix_experiment_owner_id_created", "owner_id", "id"),)

    id: str = Field(primary_key=True, max_length=32)
    owner_id: str = Field(foreign_key="user_account.id")
    project_id: str = Field(foreign_key="project.id", index=True)
    title: str
    digest: str = Field(index=True, max_length=64)
    definition: str = Field(sa_column=Column(Text, nullable=False))
    notices: str = Field(default="[]", sa_column=Column(Text, nullable=False))
    runner: str
    state: str = Field(index=True, max_length=16)
    verdict: str | None = Field(default=None, max_length=16)
    headline: str | None = None
    comparison: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    runs_total: int
    runs_ended: int = 0
    event_count: int = 0
    cancel_requested: bool = False
    rerun_of: str | None = Field(default=None, max_length=32)
    created_ms: int = Field(sa_column=_milliseconds())
    started_ms: int | None = Field(default=None, sa_column=_milliseconds(nullable=True))
    ended_ms: int | None = Field(default=None, sa_column=_milliseconds(nullable=True))


class Run(SQLModel, table=True):
    """One execution of one variant and the lease under which it is executed."""

    __tablename__ = "run"
    __table_args__ = (
        UniqueConstraint("experiment_id", "position"),
        Index("ix_run_offer", "state", "runner", "experiment_id", "position"),
    )

    id: str = Field(primary_key=True, max_length=32)
    experiment_id: str = Field(foreign_key="experiment.id")
    position: int
    runner: str
    variant: str
    cell: str = "{}"
    replicate: int
    seed: int = Field(sa_column=Column(BigInteger, nullable=False))
    state: str = Field(max_length=16)
    attempt: int = 0
    worker: str | None = None
    not_before_ms: int = Field(default=0, sa_column=_milliseconds())
    lease_ms: int | None = Field(default=None, sa_column=_milliseconds(nullable=True))
    progress: str | None = None
    failure: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    started_ms: int | None = Field(default=None, sa_column=_milliseconds(nullable=True))
    ended_ms: int | None = Field(default=None, sa_column=_milliseconds(nullable=True))


class RunOutcome(SQLModel, table=True):
    """What a run brought back, written once."""

    __tablename__ = "run_outcome"

    run_id: str = Field(sa_column=Column(ForeignKey("run.id"), primary_key=True))
    experiment_id: str = Field(foreign_key="experiment.id", index=True)
    attempt: int
    samples: str = Field(sa_column=Column(Text, nullable=False))
    evidence: str = Field(sa_column=Column(Text, nullable=False))
    stored_ms: int = Field(sa_column=_milliseconds())


class RunArtifact(SQLModel, table=True):
    """A file of a run by name; the bytes lie under their digest."""

    __tablename__ = "run_artifact"

    run_id: str = Field(sa_column=Column(ForeignKey("run.id"), primary_key=True))
    name: str = Field(primary_key=True, max_length=100)
    digest: str = Field(max_length=64)
    size_bytes: int = Field(sa_column=Column(BigInteger, nullable=False))
    media_type: str


class Event(SQLModel, table=True):
    """Something that happened in an experiment, numbered within it; progress of a run stands once."""

    __tablename__ = "event"
    __table_args__ = (Index("ix_event_run_kind", "run_id", "kind"),)

    experiment_id: str = Field(sa_column=Column(ForeignKey("experiment.id"), primary_key=True))
    number: int = Field(primary_key=True)
    kind: str = Field(max_length=16)
    run_id: str | None = Field(default=None, max_length=32)
    data: str = Field(sa_column=Column(Text, nullable=False))
    at_ms: int = Field(sa_column=_milliseconds())


class Report(SQLModel, table=True):
    """Results that were measured elsewhere: the text, what was read out of it, and what is shown of that."""

    __tablename__ = "report"
    __table_args__ = (Index("ix_report_owner_id_created", "owner_id", "id"),)

    id: str = Field(primary_key=True, max_length=32)
    owner_id: str = Field(foreign_key="user_account.id")
    project_id: str = Field(foreign_key="project.id", index=True)
    title: str
    kind: str | None = Field(default=None, max_length=16)
    text_digest: str = Field(index=True, max_length=64)
    document_digest: str = Field(max_length=64)
    size_bytes: int = Field(sa_column=Column(BigInteger, nullable=False))
    verdict: str | None = Field(default=None, max_length=16)
    headline: str | None = None
    figures: int
    content: str = Field(sa_column=Column(Text, nullable=False))
    created_ms: int = Field(sa_column=_milliseconds())


class PatchSeries(SQLModel, table=True):
    """A text that holds patches, by content, with what was read out of it; `arrival` orders lists."""

    __tablename__ = "patch_series"
    __table_args__ = (Index("ix_patch_series_owner_id_arrival", "owner_id", "arrival"),)

    digest: str = Field(primary_key=True, max_length=64)
    owner_id: str = Field(sa_column=Column(ForeignKey("user_account.id"), primary_key=True))
    project_id: str = Field(foreign_key="project.id", index=True)
    arrival: str = Field(max_length=32)
    title: str
    author: str | None = None
    version: int
    patches: int
    total: int | None = None
    files: int
    added: int = Field(sa_column=Column(BigInteger, nullable=False))
    deleted: int = Field(sa_column=Column(BigInteger, nullable=False))
    size_bytes: int = Field(sa_column=Column(BigInteger, nullable=False))
    source: str | None = None
    content: str = Field(sa_column=Column(Text, nullable=False))
    created_ms: int = Field(sa_column=_milliseconds())


class Share(SQLModel, table=True):
    """A frozen, revocable, read-only copy of an experiment's or a report's comparison under an unguessable name."""

    __tablename__ = "share"

    slug: str = Field(primary_key=True, max_length=64)
    experiment_id: str | None = Field(default=None, foreign_key="experiment.id", index=True)
    report_id: str | None = Field(default=None, foreign_key="report.id", index=True)
    owner_id: str = Field(foreign_key="user_account.id")
    snapshot: str = Field(sa_column=Column(Text, nullable=False))
    created_ms: int = Field(sa_column=_milliseconds())
    revoked_ms: int | None = Field(default=None, sa_column=_milliseconds(nullable=True))


class Upload(SQLModel, table=True):
    """A file that somebody brought, by content."""

    __tablename__ = "upload"

    digest: str = Field(primary_key=True, max_length=64)
    owner_id: str = Field(sa_column=Column(ForeignKey("user_account.id"), primary_key=True))
    size_bytes: int = Field(sa_column=Column(BigInteger, nullable=False))
    created_ms: int = Field(sa_column=_milliseconds())


class IdempotencyKey(SQLModel, table=True):
    """A request that was carried out under a key its sender chose; repeating it changes nothing."""

    __tablename__ = "idempotency_key"

    owner_id: str = Field(sa_column=Column(ForeignKey("user_account.id"), primary_key=True))
    key: str = Field(primary_key=True, max_length=255)
    request_digest: str = Field(max_length=64)
    experiment_id: str = Field(foreign_key="experiment.id")
    created_ms: int = Field(sa_column=_milliseconds())
