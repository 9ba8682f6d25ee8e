"""The options of fio 3.33: what each is called, what it takes, and which engine it belongs to.

The table comes from the real fio (see `fio_options_generate.py`); what fio does not print about itself is added here,
with its source, the option table in fio's `options.c` and fio's manual.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

Kind = Literal[
    "STR",
    "STR_ULL",
    "STR_MULTI",
    "STR_VAL",
    "STR_VAL_TIME",
    "STR_VAL_ZONE",
    "STR_STORE",
    "RANGE",
    "INT",
    "ULL",
    "BOOL",
    "FLOAT_LIST",
    "STR_SET",
    "DEPRECATED",
    "SOFT_DEPRECATED",
    "UNSUPPORTED",
]
Unit = Literal["", "s", "us"]

NUMERIC_KINDS: frozenset[Kind] = frozenset({"INT", "ULL", "STR_VAL", "STR_VAL_TIME", "STR_VAL_ZONE"})

# fio stores one value for each of read, write and trim (offsets off1 to off3 in options.c).
PER_DIRECTION = frozenset(
    ["bs", "ba", "bsrange", "percentage_random", "max_latency", "rate", "rate_min", "rate_iops", "rate_iops_min"]
)
# fio stores a lowest and a highest value (off1 and off2).
LOW_AND_HIGH = frozenset({"filesize", "startdelay"})
# Their callbacks turn `N%` into a share of the device or file; elsewhere a percent sign gives a meaningless number.
PERCENTAGES = frozenset({"size", "io_size", "offset", "offset_increment"})
# Refused unless it is a power of two (`pow2` in options.c).
POWERS_OF_TWO = frozenset({"replay_align"})
# Read before all other options of their section (`prio` in options.c), so that kb_base holds for the lines above it.
READ_FIRST = frozenset({"kb_base", "unit_base", "lockfile", "cpus_allowed_policy"})
# Setting the one sets the other to its opposite, or to what is left of a hundred (`inverse`).
INVERSES = {
    "direct": "buffered",
    "buffered": "direct",
    "rwmixread": "rwmixwrite",
    "rwmixwrite": "rwmixread",
}
# Options of the profiles that are compiled into fio: a job accepts them, and they do nothing there.
PROFILE_OPTIONS = {
    **dict.fromkeys(["block", "numruns", "dir", "threads"], "tiobench"),
    **dict.fromkeys(["device-names", "load", "test-duration", "threads-per-queue", "prep"], "act"),
    **dict.fromkeys(["read-req-num-512-blocks", "large-block-op-kbytes"], "act"),
}
# fio's own default (FIO_PREFERRED_ENGINE on Linux).
DEFAULT_ENGINE = "psync"
# Engines that fio's manual describes and that fio on Debian is not built with.
ENGINES_ELSEWHERE = frozenset(
    {"libzbc", "libiscsi", "nfs", "http", "libhdfs", "ime_psync", "ime_psyncv", "ime_aio", "dfs", "xnvme", "libcufile"}
    | {"libblkio", "solarisaio", "windowsaio", "guasi", "binject", "rpma_client", "rpma_server"}
)


# Options that came after 3.33, with the version that has them first (from the option tables of fio's releases).
NEWER_OPTIONS = {
    **dict.fromkeys(["fdp", "fdp_pli"], "3.34"),
    "steadystate_check_interval": "3.35",
    **dict.fromkeys(["fdp_pli_select", "job_start_clock_id", "priohint", "cmdprio_hint"], "3.36"),
    **dict.fromkeys(["md_per_io_size", "pi_act", "pi_chk", "apptag", "apptag_mask"], "3.36"),
    **dict.fromkeys(["num_range", "thinkcycles"], "3.37"),
    **dict.fromkeys(["dp_scheme", "log_issue_time", "verify_write_sequence", "write_mode", "verify_mode"], "3.38"),
    **dict.fromkeys(["libaio_vectored", "deac"], "3.39"),
    **dict.fromkeys(["recover_zbd_write_error", "verify_header_seed", "verify_pattern_interval"], "3.40"),
    **dict.fromkeys(["sprandom", "spr_op", "spr_num_regions", "filetype"], "3.41"),
    **dict.fromkeys(["comm", "end_syncfs", "ramp_size", "spr_cs", "write_zone_remainder"], "3.42"),
}


@dataclass(frozen=True, slots=True)
class FioOptionSpec:
    """One option: `unit` is that of a bare number of time, `engine` is empty when every job may use the option."""

    engine: str
    name: str
    alias: str
    kind: Kind
    unit: Unit
    minimum: int | float | None
    maximum: int | float | None
    default: str
    values: tuple[str, ...]

    @property
    def parts(self) -> int:
        """How many values fio keeps: three for read, write and trim, two for low and high, otherwise one."""
        return 3 if self.name in PER_DIRECTION else 2 if self.name in LOW_AND_HIGH else 1

    @property
    def valueless(self) -> bool:
        """Whether the name may stand alone, without `=`."""
        return self.kind == "STR_SET" or (self.kind == "STR" and self.name in VALUELESS)


# Of the options of type STR without a list of values, those whose callback accepts that there is no value.
VALUELESS = frozenset({"write_bw_log", "write_lat_log", "write_iops_log", "write_hist_log"})


def _number(text: str) -> int | float | None:
    if not text:
        return None
    return float(text) if "." in text else int(text)


@cache
def _table() -> tuple[dict[str, FioOptionSpec], dict[str, dict[str, FioOptionSpec]]]:
    from app.catalog.fio_options_generated import ENGINES, TABLE

    general: dict[str, FioOptionSpec] = {}
    engines: dict[str, dict[str, FioOptionSpec]] = {name: {} for name in ENGINES.split()}
    for row in TABLE.splitlines():
        engine, name, alias, kind, unit, low, high, default, values = row.split("|")
        spec = FioOptionSpec(
            engine,
            name,
            alias,
            kind,  # type: ignore[arg-type]  # the generator's test holds the table to these words
            unit,  # type: ignore[arg-type]
            _number(low),
            _number(high),
            default,
            tuple(values.split()),
        )
        place = engines[engine] if engine else general
        for key in (name, alias):
            if key:
                place.setdefault(key, spec)
    return general, engines


def engines() -> tuple[str, ...]:
    """Return the engines that fio 3.33 as built by Debian can load."""
    return tuple(_table()[1])


def find(name: str, engine: str = DEFAULT_ENGINE) -> FioOptionSpec | None:
    """Return the option of that name or alias: one that all jobs have, otherwise one of the engine's."""
    general, by_engine = _table()
    return general.get(name) or by_engine.get(engine, {}).get(name)


def engines_with(name: str) -> tuple[str, ...]:
    """Return the engines that have an option of that name or alias of their own."""
    return tuple(engine for engine, options in _table()[1].items() if name in options)


def all_options() -> tuple[FioOptionSpec, ...]:
    """Return every option once, in fio's order, those of all jobs first."""
    general, by_engine = _table()
    places = (general, *by_engine.values())
    return tuple(spec for place in places for key, spec in place.items() if key == spec.name)


MAX_CLOSE_NAMES = 3
_MAX_NAME_CHARS = 60  # comparing takes time quadratic in the length, and no option is half as long


def closest(name: str, engine: str = DEFAULT_ENGINE) -> tuple[str, ...]:
    """Return up to three option names that differ from the given one in less than half of its letters, best first."""
    if len(name) > _MAX_NAME_CHARS:
        return ()
    general, by_engine = _table()
    limit = (len(name) + 1) // 2
    distances = {key: _distance(name, key, limit) for place in (general, by_engine.get(engine, {})) for key in place}
    near = sorted((distance, key) for key, distance in distances.items() if distance <= limit)
    best = near[0][0] if near else 0
    return tuple(key for distance, key in near[:MAX_CLOSE_NAMES] if distance <= best + 1)


def _distance(one: str, other: str, limit: int) -> int:
    """Count the letters to add, drop or change (Levenshtein); gives up beyond the limit."""
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    previous = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        current = [at]
        for column, against in enumerate(other, 1):
            current.append(min(current[-1] + 1, previous[column] + 1, previous[column - 1] + (letter != against)))
        if min(current) > limit:
            return limit + 1
        previous = current
    return previous[-1]


def meaning(name: str) -> str:
    """Return what an option does, in one line of our own words; empty for the rarer ones."""
    from app.catalog.fio_options_meanings import MEANINGS

    return MEANINGS.get(name, "")
