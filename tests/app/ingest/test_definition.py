"""A definition that is wrong is refused with its key and its line, whatever is wrong with it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import InvalidDefinition
from app.ingest.definition import DEFINITION_MAX_CHARS, read_definition
from tests.support.definitions import noop

GOOD = """\
title: x
runner: simulator
device: {profile: nvme-flash, scheduler: none}
workload:
  fio: |
    [a]
    rw=read
variants:
  - name: before
  - name: after
    device: {scheduler: mq-deadline}
repeat: 3
timeout: 10m
"""


def problems(text: str) -> list[tuple[str | None, int | None, str]]:
    with pytest.raises(InvalidDefinition) as caught:
        read_definition(text)
    return [(entry["key"], entry["line"], entry["message"]) for entry in caught.value.details["problems"]]


def test_a_good_one_is_read() -> None:
    definition = read_definition(GOOD)
    assert definition.timeout == 600
    assert definition.variants[1].device == {"scheduler": "mq-deadline"}
    assert definition.workload.fio == "[a]\nrw=read\n"


@pytest.mark.parametrize(
    ("change", "to", "key", "line", "words"),
    [
        ("repeat: 3", "repat: 3", "repat", 12, "unknown key; did you mean repeat?"),
        ("repeat: 3", "repeat: 0", "repeat", 12, "greater than or equal to 1"),
        ("repeat: 3", "repeat: yes", "repeat", 12, "integer"),
        ("repeat: 3", "repeat: 3\nrepeat: 4", "repeat", 13, "stands twice"),
        ("timeout: 10m", "timeout: 10 x", "timeout", 13, "is not a duration"),
        ("runner: simulator", "runner: Simulator", "runner", 2, "no name of this kind"),
        ("  - name: before", "  - nme: before", "variants.0.name", 9, "missing"),
        ("- name: after", "- name: before", "variants", 8, "two variants are named"),
        ("{profile: nvme-flash, scheduler: none}", "{scheduler: none}", "device.profile", 3, "missing"),
        ("{profile: nvme-flash, scheduler: none}", "{profile: [1]}", "device.profile", 3, "string"),
    ],
)
def test_faults_name_key_and_line(change: str, to: str, key: str, line: int, words: str) -> None:
    assert change in GOOD
    found = problems(GOOD.replace(change, to))
    assert any(found_key == key and found_line == line and words in text for found_key, found_line, text in found), (
        found
    )


def test_on_and_no_stay_text() -> None:
    text = GOOD.replace("scheduler: none", "scheduler: no")
    assert read_definition(text).device.scheduler == "no"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1]",
        "a: [",
        "{",
        "{" * 100_000,
        "- " * 20_000,
        '{"runner": NaN}',
        '{"runner": 1, "runner": 2}',
        "a: &a [*a]",
        "a: &a [1, 2]\nb: &b [*a, *a]\nc: [*b, *b]",
        "x: !!python/object:os.system ls",
        "x: !local y",
        "\x00",
        "%YAML 9.x\n---\na",
        '"\\xZZ"',
        "? [a]\n: b",
        "a: 1\n---\nb: 2",
        '{"title": "\\ud800"}',
    ],
)
def test_what_is_no_definition_is_refused(text: str) -> None:
    assert problems(text)


def test_an_alias_bomb_is_refused_quickly() -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    assert any("values" in message for _, _, message in problems("\n".join(levels)))


def test_a_text_over_the_limit_is_refused() -> None:
    assert "at most" in problems("#" * (DEFINITION_MAX_CHARS + 1))[0][2]


def test_a_definition_with_too_many_runs_is_refused() -> None:
    text = json.dumps(noop(repeat=1000, matrix={"kernel": [f"k{n}" for n in range(20)]}))
    assert "one experiment holds" in problems(text)[0][2]


@given(st.text(max_size=300))
def test_no_text_raises_anything_else(text: str) -> None:
    with pytest.raises(InvalidDefinition):
        read_definition(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*noop(), "x"]), inner, max_size=4),
        max_leaves=12,
    )
)
def test_no_json_value_raises_anything_else(value: object) -> None:
    with pytest.raises(InvalidDefinition):
        read_definition(json.dumps(value))
