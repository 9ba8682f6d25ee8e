"""The digest is the identity of what an experiment does, not of how it was written."""

from __future__ import annotations

import hashlib

from app.domain.digest import digest_of
from app.ingest.definition import definition_from, read_definition
from tests.support.definitions import noop


def digest(**changes: object) -> str:
    return digest_of(definition_from(noop(**changes)))


def test_title_and_description_do_not_count() -> None:
    assert digest() == digest(title="another", description="words")


def test_defaults_written_out_do_not_count() -> None:
    assert digest() == digest(order="interleaved", threshold_percent=2, timeout="10m", filesystem={"type": "raw"})


def test_one_quantity_written_in_two_ways_is_one() -> None:
    assert digest(machine={"memory": "128GiB"}) == digest(machine={"memory": 128 << 30})


def test_what_changes_the_runs_counts() -> None:
    others = [digest(seed=2), digest(repeat=7), digest(timeout=5), digest(workload={"fio": "[a]\nsize=2m\n"})]
    assert len({digest(), *others}) == 5


def patched(*patches: object) -> str:
    return digest(variants=[{"name": "before"}, {"name": "after", "patches": list(patches)}])


def test_a_patch_counts_by_its_content() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
    name = hashlib.sha256(diff.encode()).hexdigest()
    assert patched(diff) == patched(name) == patched({"patch": f"sha256:{name}"})
    others = [patched(), patched(diff + "\n"), patched({"patch": name, "revert": True}), patched(diff, diff)]
    assert len({patched(diff), *others}) == 5


def test_yaml_and_json_of_one_document_are_one() -> None:
    yaml = """
runner: noop
device: {profile: constant}
workload: {fio: "[a]\\nsize=1m\\n"}
variants:
- name: before
- {name: after, device: {noop_iops: 1100}}
repeat: 6
"""
    assert digest_of(read_definition(yaml)) == digest()
