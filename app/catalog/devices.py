"""The device profiles: which model, which value of each of its parameters, and where the value comes from."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

GIB = 1 << 30
MS = 1_000_000  # nanoseconds
S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Definition:
    """A parameter of a device model: its unit, its meaning, and what it may be: a range, or one of some words."""

    name: str
    unit: str
    meaning: str
    least: int = 0
    most: int = 0
    words: tuple[str, ...] = ()
    step: int = 1

    def check(self, value: object) -> int | str:
        """Return the value when it is allowed; ValueError names the parameter and the range."""
        if self.words:
            if value not in self.words:
                raise ValueError(f"{self.name}: {value!r} is not one of {', '.join(self.words)}")
            return str(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"{self.name}: {value!r} is not an integer ({self.range_text()})")
        if not self.least <= value <= self.most:
            raise ValueError(f"{self.name}: {value} is out of range ({self.range_text()})")
        if value % self.step:
            raise ValueError(f"{self.name}: {value} is not a multiple of {self.step}")
        return value

    def range_text(self) -> str:
        """Return the range for a person: `0 to 100 ns`, or the words."""
        return ", ".join(self.words) if self.words else f"{self.least} to {self.most} {self.unit}"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter with the value that a profile gives it."""

    definition: Definition
    value: int | str


@dataclass(frozen=True, slots=True)
class DeviceProfile:
    """A named device: the model (`kind`), its values, what they are taken from, and what was checked against."""

    name: str
    title: str
    kind: str
    values: Mapping[str, int | str]
    sources: tuple[str, ...]
    default_scheduler: str

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return every parameter of the device's model, with this profile's value."""
        return tuple(Parameter(definition, self.values[definition.name]) for definition in definitions(self.kind))


def _ns(name: str, meaning: str, most: int) -> Definition:
    return Definition(name, "ns", meaning, 0, most)


_COMMON = (
    Definition("capacity_bytes", "bytes", "size of the device", 1 << 20, 1 << 50, step=4096),
    Definition("hw_queues", "queues", "hardware queues, to which the CPUs are spread", 1, 1024),
    Definition("queue_depth", "commands", "commands that one hardware queue can hold", 1, 10_240),
    Definition("rotational", "flag", "1 when the kernel is told that the device rotates", 0, 1),
    Definition("discard", "flag", "1 when the device takes discards (trim)", 0, 1),
    Definition("write_cache", "flag", "1 when the device says that its write cache is volatile (write back)", 0, 1),
    Definition("fua", "flag", "1 when the kernel may send FUA; else it sends a flush after the write", 0, 1),
    Definition("flush_queued", "flag", "1 when a flush is a queued command (NVMe), 0 when it excludes others", 0, 1),
)

_KINDS: Mapping[str, tuple[Definition, ...]] = MappingProxyType(
    {
        "constant": (
            _ns("service_ns", "time of every command but a flush, however many are outstanding", 10 * S),
            _ns("flush_ns", "time of a flush", 10 * S),
        ),
        "hdd": (
            Definition("rpm", "1/min", "spindle speed", 1_000, 60_000),
            _ns("read_seek_min_ns", "shortest seek before a read", 100 * MS),
            _ns("read_seek_span_ns", "what a full stroke adds to it; a seek over d of D adds span x sqrt(d/D)", S),
            _ns("write_seek_min_ns", "shortest seek before a write", 100 * MS),
            _ns("write_seek_span_ns", "what a full stroke adds to it", S),
            Definition("zones", "zones", "recording zones, equal in capacity", 1, 1_000),
            Definition("outer_bytes_per_s", "bytes/s", "sustained rate of the first zone", 10**6, 10**10),
            Definition("inner_bytes_per_s", "bytes/s", "sustained rate of the last zone", 10**6, 10**10),
            _ns("command_overhead_ns", "firmware time from one command to the decision for the next", 100 * MS),
            Definition(
                "ncq_window", "commands", "oldest commands that the firmware chooses among; 1 is FIFO", 1, 10_240
            ),
            Definition("ncq_age_per_mille", "per mille", "weight of waiting time against positioning time", 0, 1_000),
            _ns("positioning_error_ns", "the firmware expects a command up to so much later than it is", S),
            Definition("readahead_bytes", "bytes", "read on after a read, into the track buffer; 0 is off", 0, GIB),
            Definition("link_bytes_per_s", "bytes/s", "rate of the host link", 10**6, 10**11),
            Definition("write_cache_bytes", "bytes", "size of the write cache, when that is on", 1 << 20, GIB),
            Definition("write_cache_entries", "writes", "separate writes that it holds", 1, 16_384),
            Definition("destage_window", "writes", "oldest cached writes of which the nearest is destaged", 1, 16_384),
        ),
        "flash": (
            Definition("channels", "channels", "flash channels", 1, 256),
            Definition("dies_per_channel", "dies", "dies behind each channel, each serving one page at a time", 1, 256),
            Definition("stripe_bytes", "bytes", "consecutive data on one die; one read of a die", 4096, 1 << 20),
            Definition("page_types", "types", "kinds of pages: 1 SLC, 2 MLC, 3 TLC", 1, 3),
            _ns("first_page_read_ns", "array read of the fastest page type (tR)", 10 * MS),
            _ns("second_page_read_ns", "of the second", 10 * MS),
            _ns("third_page_read_ns", "of the third", 10 * MS),
            Definition("read_retry_per_million", "ppm", "page reads that need a retry", 0, 1_000_000),
            _ns("read_retry_ns", "what a retry adds", 100 * MS),
            _ns("program_ns", "array time of one program (tProg)", S),
            Definition("program_bytes", "bytes", "data programmed at once in a die: page x planes", 4096, 16 << 20),
            Definition("program_suspend", "", "whether a read may suspend a program", words=("no", "yes")),
            _ns("program_suspend_ns", "what suspending costs the read", 100 * MS),
            Definition("channel_bytes_per_s", "bytes/s", "rate of one flash channel", 10**6, 10**12),
            Definition("link_bytes_per_s", "bytes/s", "rate of the host link, in each direction", 10**6, 10**12),
            _ns("controller_ns", "latency that the controller adds to a command", 100 * MS),
            _ns("controller_busy_ns", "time between two commands; the reciprocal of the most IOPS", 100 * MS),
            _ns("buffer_write_ns", "latency of a write once its data has arrived", 100 * MS),
            Definition("write_buffer_bytes", "bytes", "write buffer", 1 << 20, 1 << 40),
            Definition("waf_percent", "percent", "flash writes for each random host write, folded in", 100, 10_000),
            Definition("power_loss_protection", "", "whether the write buffer outlives the power", words=("no", "yes")),
            _ns("flush_ns", "time of a flush, after the buffer is written out where that is not protected", S),
        ),
        "stalling": (
            Definition("channels", "channels", "independent servers; a block's address decides which", 1, 1024),
            Definition("stripe_bytes", "bytes", "consecutive data on one channel", 512, GIB),
            Definition("read_service_ns", "ns", "mean service time of a read in its channel", 1, 10 * S),
            Definition("write_service_ns", "ns", "mean service time of a write in its channel", 1, 10 * S),
            Definition("service_shape", "", "shape of the gamma distribution of service; 0 is constant", 0, 16),
            Definition("on_ns", "ns", "mean time between two pauses", 1_000, 1_000 * S),
            Definition("on_shape", "", "shape of its gamma distribution", 0, 16),
            Definition("off_ns", "ns", "mean length of a pause of the whole device", 0, 1_000 * S),
            Definition("off_shape", "", "shape of its gamma distribution", 0, 16),
        ),
    }
)

# Names that people use for a parameter.
ALIASES: Mapping[str, str] = MappingProxyType({"ncq": "queue_depth"})

_LIBATA = "fua: libata leaves FUA off by default (libata.fua=0); flush_queued: FLUSH CACHE EXT is no NCQ command"

_PROFILES = (
    DeviceProfile(
        name="constant",
        title="A device that always takes 80 µs (like null_blk)",
        kind="constant",
        values={
            "capacity_bytes": 1024 * GIB,
            "hw_queues": 1,
            "queue_depth": 1023,
            "rotational": 0,
            "discard": 1,
            "write_cache": 0,
            "fua": 0,
            "flush_queued": 1,
            "service_ns": 80_000,
            "flush_ns": 80_000,
        },
        sources=("chosen: for testing everything above the device",),
        default_scheduler="none",
    ),
    DeviceProfile(
        name="hdd-ent",
        title="Enterprise SATA disk, 4 TB, 7200 rpm, write cache off",
        kind="hdd",
        values={
            "capacity_bytes": 4_000_787_030_016,
            "hw_queues": 1,
            "queue_depth": 32,
            "rotational": 1,
            "discard": 0,
            "rpm": 7200,
            "read_seek_min_ns": 230_000,
            "read_seek_span_ns": 13_440_000,
            "write_seek_min_ns": 320_000,
            "write_seek_span_ns": 14_775_000,
            "zones": 16,
            "outer_bytes_per_s": 200_000_000,
            "inner_bytes_per_s": 100_000_000,
            "command_overhead_ns": 50_000,
            "ncq_window": 32,
            "ncq_age_per_mille": 5,
            "positioning_error_ns": 0,
            "readahead_bytes": 1 << 20,
            "link_bytes_per_s": 600_000_000,
            "write_cache": 0,
            "fua": 0,
            "flush_queued": 0,
            "write_cache_bytes": 64 << 20,
            "write_cache_entries": 512,
            "destage_window": 32,
        },
        sources=(
            "seeks: WD Ultrastar DC HC310 OEM specification, p. 23: track to track 0.23 / 0.32 ms, average 7.4 / 8.2 ms"
            " (read / write); span = (average - minimum) x 15/8, as the mean of sqrt(d/D) over random pairs is 8/15",
            "capacity: 7,814,037,168 sectors, the IDEMA count for 4 TB; link: SATA 6 Gbit/s after 8b/10b",
            "queue_depth: 32 tags of ATA NCQ",
            "rates: 2:1 from the outermost to the innermost zone, the usual ratio of 3.5-inch disks; 16 zones assumed",
            "command_overhead_ns, readahead_bytes, ncq_age_per_mille: assumed; the last keeps a command from starving",
            "write_cache: off, as the specification gives random rates; its size, entries and window: assumed",
            _LIBATA,
        ),
        default_scheduler="mq-deadline",
    ),
    DeviceProfile(
        name="hdd-cons",
        title="Consumer SATA disk, 2 TB, 7200 rpm, volatile write cache on",
        kind="hdd",
        values={
            "capacity_bytes": 2_000_398_934_016,
            "hw_queues": 1,
            "queue_depth": 32,
            "rotational": 1,
            "discard": 0,
            "rpm": 7200,
            "read_seek_min_ns": 1_000_000,
            "read_seek_span_ns": 22_875_000,
            "write_seek_min_ns": 1_200_000,
            "write_seek_span_ns": 23_062_000,
            "zones": 16,
            "outer_bytes_per_s": 143_000_000,
            "inner_bytes_per_s": 71_500_000,
            "command_overhead_ns": 50_000,
            "ncq_window": 32,
            "ncq_age_per_mille": 5,
            "positioning_error_ns": 32_000_000,
            "readahead_bytes": 1 << 20,
            "link_bytes_per_s": 600_000_000,
            "write_cache": 1,
            "fua": 0,
            "flush_queued": 0,
            "write_cache_bytes": 64 << 20,
            "write_cache_entries": 640,
            "destage_window": 10,
        },
        sources=(
            "fitted to a Seagate ST2000DM006 as measured in the validation document of ublk-disksim"
            " (github.com/lumir-sliva): 4 KiB random reads at depths 1 to 32, sequential rate, 30 s of random writes,"
            " flushes after cached writes",
            "one parameter for one figure: seeks for the mean at depth 1 (their minimum assumed); positioning_error_ns"
            " for the gain from depth 1 to 32; destage_window for the time that a cached write adds to a flush;"
            " write_cache_entries for the random writes of 30 s; outer_bytes_per_s for the sequential rate",
            "capacity: 3,907,029,168 sectors, the IDEMA count for 2 TB; link: SATA 6 Gbit/s after 8b/10b; 64 MB cache",
            _LIBATA,
            "rates 2:1 from the outermost to the innermost zone, 16 zones, command_overhead_ns, readahead_bytes,"
            " ncq_age_per_mille, slower write seeks: assumed",
        ),
        default_scheduler="mq-deadline",
    ),
    DeviceProfile(
        name="nvme-flash",
        title="Data-centre NVMe SSD, 800 GB MLC, PCIe 3.0 x4, power-loss protected, steady state",
        kind="flash",
        values={
            "capacity_bytes": 800_166_076_416,
            "hw_queues": 31,
            "queue_depth": 1023,
            "rotational": 0,
            "discard": 1,
            "channels": 18,
            "dies_per_channel": 2,
            "stripe_bytes": 16_384,
            "page_types": 2,
            "first_page_read_ns": 53_500,
            "second_page_read_ns": 57_700,
            "third_page_read_ns": 57_700,
            "read_retry_per_million": 15_000,
            "read_retry_ns": 20_000,
            "program_ns": 1_100_000,
            "program_bytes": 65_536,
            "program_suspend": "yes",
            "program_suspend_ns": 20_000,
            "channel_bytes_per_s": 400_000_000,
            "link_bytes_per_s": 2_800_000_000,
            "controller_ns": 6_000,
            "controller_busy_ns": 2_170,
            "buffer_write_ns": 8_500,
            "write_buffer_bytes": 32 << 20,
            "waf_percent": 480,
            "write_cache": 0,
            "fua": 0,
            "flush_queued": 1,
            "power_loss_protection": "yes",
            "flush_ns": 10_000,
        },
        sources=(
            "Intel SSD DC P3700 product specification 330566: 20 nm MLC, PCIe 3.0 x4, up to 460,000 random read IOPS"
            " (controller_busy_ns), 2.8 GB/s of reads (link), typical latency 20 µs (buffer_write_ns)",
            "fitted to two rows measured by AnandTech (article 11209, pp. 4-6), 4 KiB random reads: depth 1 at 12.8k"
            " IOPS and 77.9 µs with p99 96 µs (array read times, retries); depth 16 at 167.2k IOPS and 93.9 µs (dies)",
            "18 channels of 400 MB/s, 2 dies each serving one page at a time, 64 KiB programmed at once: assumed",
            "program_ns and waf_percent: assumed, for about 1.9 GB/s of sequential and 90,000 IOPS of random writes",
            "queue_depth: NVMe, 1,024 entries of which one stays free; 31 queues as the controller offers",
        ),
        default_scheduler="none",
    ),
    DeviceProfile(
        name="stalling",
        title="A flash device beyond its write cliff, of 2012: 80 % of the time it stands still",
        kind="stalling",
        values={
            "capacity_bytes": 128 * GIB,
            "hw_queues": 1,
            "queue_depth": 128,
            "rotational": 0,
            "discard": 0,
            "channels": 16,
            "stripe_bytes": 4096,
            "read_service_ns": 568_000,
            "write_service_ns": 434_000,
            "service_shape": 8,
            "on_ns": 58_000_000,
            "on_shape": 16,
            "off_ns": 203_000_000,
            "off_shape": 4,
            "write_cache": 0,
            "fua": 0,
            "flush_queued": 0,
        },
        sources=(
            "fitted to the fio output of the mail '[RFC][PATCH 0/9 v1] ext4: extent status tree implementation (step2)'"
            " (linux-ext4, 24 December 2012): 4 jobs x depth 16, 4 KiB randrw; both directions, both runs, all"
            " percentiles from 1 to 99.99, and the IOPS; how is told in docs/simulator.md",
            "queue_depth: 128, nr_requests of the block layer of that time, so that no thread sleeps for a request",
        ),
        default_scheduler="none",
    ),
)

DEVICES: Mapping[str, DeviceProfile] = MappingProxyType({profile.name: profile for profile in _PROFILES})


def definitions(kind: str) -> tuple[Definition, ...]:
    """Return the parameters of a device model, those that every device has first; ValueError for an unknown kind."""
    if kind not in _KINDS:
        raise ValueError(f"kind: {kind!r} is not one of {', '.join(_KINDS)}")
    return (*_COMMON, *_KINDS[kind])


def profile(name: str) -> DeviceProfile:
    """Return the profile of that name; ValueError names the close ones."""
    if name not in DEVICES:
        raise ValueError(f"profile: there is no {name!r}{_close(name, DEVICES)}")
    return DEVICES[name]


def resolve(name: str, overrides: Mapping[str, object] | None = None) -> tuple[str, dict[str, int | str]]:
    """Return a profile's model and all its values, those given replaced; units are those of the parameters' names.

    Raises ValueError naming the key, and the range or the names that come close.
    """
    chosen = profile(name)
    known = {definition.name: definition for definition in definitions(chosen.kind)}
    values = dict(chosen.values)
    for key, value in (overrides or {}).items():
        target = ALIASES.get(key, key)
        if target != key and target in (overrides or {}):
            raise ValueError(f"{key}: it is another name of {target}, which is given too; give one of them")
        if target not in known:
            raise ValueError(f"{key}: {name} has no such parameter{_close(key, known)}")
        values[target] = known[target].check(value)
    return chosen.kind, values


def _close(word: str, names: Mapping[str, object]) -> str:
    close = difflib.get_close_matches(word, names, n=3)
    return f"; did you mean {' or '.join(close)}?" if close else f"; there are {', '.join(names)}"
