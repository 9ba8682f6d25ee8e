"""The parameters of the device models: unit, meaning and range of each."""

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
            Definition(
                "servers", "servers", "commands served at a time, in order of arrival; 0 is all of them", 0, 1024
            ),
            Definition(
                "service_distribution",
                "",
                "how a command's time is distributed around its mean",
                words=("constant", "exponential"),
            ),
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
            _ns("erase_ns", "array time of an erase (tBERS)", S),
            Definition("block_bytes", "bytes", "data between two erases: an erase block x planes", 65_536, GIB),
            Definition("channel_bytes_per_s", "bytes/s", "rate of one flash channel", 10**6, 10**12),
            Definition("link_bytes_per_s", "bytes/s", "rate of the host link, in each direction", 10**6, 10**12),
            _ns("controller_ns", "latency that the controller adds to a command", 100 * MS),
            _ns("controller_busy_ns", "time between two commands; the reciprocal of the most IOPS", 100 * MS),
            _ns("buffer_write_ns", "latency of a write once its data has arrived", 100 * MS),
            Definition("write_buffer_bytes", "bytes", "write buffer", 1 << 20, 1 << 40),
            Definition("collection", "", "whether written pages are mapped and collected", words=("no", "yes")),
            Definition(
                "over_provisioning_per_mille", "per mille", "spare pages, as a share of the capacity", 20, 10_000
            ),
            Definition(
                "precondition",
                "",
                "how it was written before the run; workload: as the run writes",
                words=("empty", "sequential", "random", "workload"),
            ),
            Definition("mapped_pages", "pages", "4 KiB pages that the map follows, for all", 32_768, 1 << 22),
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


def definitions(kind: str) -> tuple[Definition, ...]:
    """Return the parameters of a device model, those that every device has first; ValueError for an unknown kind."""
    if kind not in _KINDS:
        raise ValueError(f"kind: {kind!r} is not one of {', '.join(_KINDS)}")
    return (*_COMMON, *_KINDS[kind])
