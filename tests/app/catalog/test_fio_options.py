from __future__ import annotations

import pytest

from app.catalog import fio_options
from app.catalog.fio_options_generate import FIO_VERSION, HIDDEN, help_of, installed_version, rows
from app.catalog.fio_options_generated import TABLE, VERSION
from app.catalog.fio_options_meanings import MEANINGS

needs_fio = pytest.mark.skipif(
    installed_version() != FIO_VERSION, reason=f"the oracle is {FIO_VERSION}, here is {installed_version()}"
)


def test_the_table_is_that_of_the_version_the_code_is_written_for() -> None:
    assert VERSION == FIO_VERSION


@needs_fio
def test_the_table_is_what_the_installed_fio_says_about_names_types_and_units() -> None:
    """All of it but limits and values, which take a call of fio for each option; those are sampled below."""

    def bare(row: str) -> tuple[str, ...]:
        engine, name, _, kind, unit, *_ = row.split("|")
        return engine, name, kind, unit

    assert {bare(row) for row in rows(details=False)} == {bare(row) for row in TABLE.splitlines()}


@needs_fio
@pytest.mark.parametrize("spec", fio_options.all_options()[::9], ids=lambda spec: f"{spec.engine}:{spec.name}")
def test_limits_default_and_values_are_those_that_fio_prints(spec: fio_options.FioOptionSpec) -> None:
    printed = help_of(spec.engine, spec.name)
    assert (spec.alias, spec.default, spec.values) == (printed.alias, printed.default, printed.values)
    if printed.minimum:
        assert spec.minimum == float(printed.minimum)
    if printed.maximum not in ("", "-1"):
        assert spec.maximum == float(printed.maximum)


def test_options_that_the_help_hides_are_known_all_the_same() -> None:
    assert [name for name in HIDDEN if fio_options.find(name) is None] == []


@pytest.mark.parametrize(
    ("alias", "name"), [("readwrite", "rw"), ("blocksize", "bs"), ("timeout", "runtime"), ("ss", "steadystate")]
)
def test_an_alias_finds_the_option_under_its_canonical_name(alias: str, name: str) -> None:
    spec = fio_options.find(alias)
    assert spec is not None
    assert spec.name == name


def test_an_engine_s_option_is_found_with_that_engine_only() -> None:
    assert fio_options.find("hipri", "io_uring") is not None
    assert fio_options.find("hipri", "libaio") is None
    assert "io_uring" in fio_options.engines_with("hipri")


def test_a_misspelt_name_gets_the_nearest_one_first() -> None:
    assert fio_options.closest("iodpeth")[0] == "iodepth"


def test_a_name_unlike_all_others_gets_no_suggestion() -> None:
    assert fio_options.closest("qqqqqqqqqqqq") == ()


def test_no_option_of_3_33_is_called_newer() -> None:
    assert not fio_options.NEWER_OPTIONS.keys() & {spec.name for spec in fio_options.all_options()}


def test_every_meaning_belongs_to_an_option_and_is_one_line() -> None:
    names = {spec.name for spec in fio_options.all_options()}
    assert set(MEANINGS) <= names
    assert all("\n" not in text and text.endswith((".", "…")) for text in MEANINGS.values())


def test_the_options_that_most_jobs_use_have_a_meaning() -> None:
    common = ["rw", "bs", "size", "iodepth", "ioengine", "numjobs", "direct", "runtime", "fsync", "filename"]
    assert all(fio_options.meaning(name) for name in common)
    assert fio_options.meaning("verifysort") == ""
