"""reports, and shares of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "report",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=True),
        sa.Column("text_digest", sa.String(length=64), nullable=False),
        sa.Column("document_digest", sa.String(length=64), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=True),
        sa.Column("headline", sa.String(), nullable=True),
        sa.Column("figures", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["user_account.id"]),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_report_owner_id_created", "report", ["owner_id", "id"])
    op.create_index("ix_report_project_id", "report", ["project_id"])
    op.create_index("ix_report_text_digest", "report", ["text_digest"])
    with op.batch_alter_table("share") as share:
        share.alter_column("experiment_id", existing_type=sa.String(), nullable=True)
        share.add_column(sa.Column("report_id", sa.String(), nullable=True))
        share.create_foreign_key("fk_share_report_id", "report", ["report_id"], ["id"])
        share.create_index("ix_share_report_id", ["report_id"])


def downgrade() -> None:
    op.execute("DELETE FROM share WHERE experiment_id IS NULL")
    with op.batch_alter_table("share") as share:
        share.drop_index("ix_share_report_id")
        share.drop_constraint("fk_share_report_id", type_="foreignkey")
        share.drop_column("report_id")
        share.alter_column("experiment_id", existing_type=sa.String(), nullable=False)
    op.drop_table("report")
