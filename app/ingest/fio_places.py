"""Where a job's files lie on the device, and which part of them a clone works on (fio 3.33's filesetup.c)."""

from __future__ import annotations

from app.domain.fio import FioJob
from app.ingest.fio_refusal import SECTOR_BYTES, Loads, refuse, three, whole

FILE_ALIGNMENT_BYTES = 1 << 20
"""Files are laid out at megabyte borders, as partitioning tools and extent allocators do."""

FILES_MAX = 4096
"""Files of one clone; each takes some hundred bytes of state."""


class Layout:
    """Where files lie on the device: one after the other, in the order in which jobs name them."""

    def __init__(self, capacity_bytes: int) -> None:
        self.capacity_bytes = capacity_bytes
        self._files: dict[str, tuple[int, int]] = {}
        self._end = 0

    def place(self, name: str, size_bytes: int) -> tuple[int, int] | None:
        """Return (offset, size) of a file, made if it is new; None when the device is full."""
        if name in self._files:
            offset, size = self._files[name]
            if size >= size_bytes:
                return offset, size
            if offset + size != self._end:
                return None
            self._end = offset
            del self._files[name]
        start = -(-self._end // FILE_ALIGNMENT_BYTES) * FILE_ALIGNMENT_BYTES
        if start + size_bytes > self.capacity_bytes:
            return None
        self._files[name] = start, size_bytes
        self._end = start + size_bytes
        return start, size_bytes


class Extent:
    """Which bytes of the device a clone works on, and how many it transfers.

    Several files share `size` evenly, unless `filesize` says how large each is; an offset is one into each file, and
    grows by `offset_increment` from clone to clone.
    """

    def __init__(self, job: FioJob, clone: int, layout: Layout, made: Loads) -> None:
        names = _names(job, clone, made)
        shared = 1 if "filesize" in job.settings else len(names)
        regions = []
        amount = 0
        for name in names:
            region, part = _region(job, clone, name, shared, layout, made)
            regions.append(region)
            amount += part
        if "filesize" in job.settings and len(names) > 1:
            amount = min(amount, whole(job, "size", 0) or amount)
        self.files = tuple(regions) if len(regions) > 1 else ()
        self.offset_bytes = regions[0][0]
        self.region_bytes = sum(size for _, size in regions)
        self.smallest_bytes = min(size for _, size in regions)
        io_size = _part(job, "io_size", self.region_bytes, made)
        self.io_bytes = (io_size or amount) * whole(job, "loops", 1)


def _names(job: FioJob, clone: int, made: Loads) -> list[str]:
    if "filename" in job.settings:
        names = str(job.options["filename"]).split(":")
        if len(names) > 1 and any(name.startswith("/dev/") for name in names):
            refuse(made, job, "filename", "this runner models one device; name one")
    else:
        count = whole(job, "nrfiles", 1)
        if not 1 <= count <= FILES_MAX:
            refuse(made, job, "nrfiles", f"this runner models 1 to {FILES_MAX} files a job; {count} are asked for")
        names = [f"{job.name}.{clone}.{number}" for number in range(count)]
    if len(names) > FILES_MAX:
        refuse(made, job, "filename", f"this runner models 1 to {FILES_MAX} files a job; {len(names)} are named")
    return names


def _region(
    job: FioJob, clone: int, name: str, shared: int, layout: Layout, made: Loads
) -> tuple[tuple[int, int], int]:
    """Return where a clone works in a file (offset and size on the device), and how much it would transfer there."""
    on_device = name.startswith("/dev/")
    if on_device:
        file_bytes, start = layout.capacity_bytes, 0
    else:
        start, file_bytes = _placed(job, clone, name, shared, layout, made)
    offset = _offset(job, clone, file_bytes, made)
    if offset % SECTOR_BYTES:
        refuse(made, job, "offset", f"direct I/O needs whole sectors of {SECTOR_BYTES} bytes; {offset} is none")
    if offset >= file_bytes:
        refuse(made, job, "offset", f"the offset of {offset} bytes lies beyond the {file_bytes} bytes of the file")
    reach = file_bytes - offset
    amount = _part(job, "size", file_bytes, made) if job.options.get("size") is not None else None
    if amount is not None:
        amount = amount // shared if isinstance(job.options.get("size"), int) else amount
        if on_device and amount > reach:
            refuse(made, job, "size", f"the device has {file_bytes} bytes, fewer than offset + size")
    region = reach if amount is None else min(amount, reach)
    region_bytes = region // SECTOR_BYTES * SECTOR_BYTES
    if not region_bytes:
        refuse(made, job, "size", f"{region} bytes hold no sector of {SECTOR_BYTES}")
    transferred = region if amount is None or shared > 1 else amount
    return (start + offset, region_bytes), transferred


def _placed(job: FioJob, clone: int, name: str, shared: int, layout: Layout, made: Loads) -> tuple[int, int]:
    file_bytes = _file_bytes(job, clone, shared, layout, made)
    placed = layout.place(f"{job.options.get('directory', '')}/{name}", file_bytes)
    if placed is None:
        refuse(
            made,
            job,
            "filesize" if "filesize" in job.settings else "size",
            f"the files do not fit the device of {layout.capacity_bytes} bytes; make them smaller",
        )
    return placed


def _file_bytes(job: FioJob, clone: int, shared: int, layout: Layout, made: Loads) -> int:
    for name in ("filesize", "size"):
        value = job.options.get(name)
        if isinstance(value, str) and value.endswith("%"):
            return int(layout.capacity_bytes * float(value[:-1]) / 100)
        option = job.settings.get(name)
        if isinstance(value, str) and option is not None and option.parts:
            refuse(made, job, name, f"this runner models files of one size; give {name} one value")
        if isinstance(value, int) and value > 0:
            if name == "filesize":
                return value
            # rounded up to whole sectors, so that an even share of the size is not cut at the end
            part = -(-(value // shared) // SECTOR_BYTES) * SECTOR_BYTES if shared > 1 else value
            return part + _offset(job, clone, part, made)
    refuse(made, job, "size", f"job {job.name}: fio needs a size= or filesize= for a file")


def _offset(job: FioJob, clone: int, file_bytes: int, made: Loads) -> int:
    """Return where in a file a clone begins (fio's get_start_offset)."""
    increment = job.options.get("offset_increment", 0)
    if isinstance(increment, str) and increment.endswith("%"):
        increment = int(file_bytes * float(increment[:-1]) / 100)
    step = int(increment) if isinstance(increment, int | float) else 0
    value = job.options.get("offset")
    if not (isinstance(value, str) and value.endswith("%")):
        return (_part(job, "offset", file_bytes, made) or 0) + clone * step
    # only an offset in percent is aligned, upwards
    align = whole(job, "offset_align", 0) or min(block or 4096 for block in three(job, "bs", 4096))
    raw = int(file_bytes * float(value[:-1]) / 100) + clone * step
    return -(-raw // align) * align


def _part(job: FioJob, name: str, of_bytes: int, made: Loads) -> int | None:
    value = job.options.get(name)
    if value is None:
        return None
    if isinstance(value, str) and value.endswith("%"):
        part = int(of_bytes * float(value[:-1]) / 100)
        return part // FILE_ALIGNMENT_BYTES * FILE_ALIGNMENT_BYTES or SECTOR_BYTES
    if isinstance(value, str):
        refuse(made, job, name, f"this runner does not model {name}={value}")
    return int(value) or None
