"""Where a job's files lie on the device, and which part of them a clone works on (fio 3.33's filesetup.c)."""

from __future__ import annotations

from app.domain.fio import FioJob
from app.ingest.fio_refusal import SECTOR_BYTES, Loads, refuse, whole

FILE_ALIGNMENT_BYTES = 1 << 20
"""Files are laid out at megabyte borders, as partitioning tools and extent allocators do."""


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
    """Which bytes of the device a clone works on, and how many it transfers."""

    def __init__(self, job: FioJob, clone: int, layout: Layout, made: Loads) -> None:
        names = str(job.options.get("filename", "")).split(":") if "filename" in job.settings else []
        if len(names) > 1:
            refuse(made, job, "filename", "this runner models one file a job; name one")
        on_device = bool(names) and names[0].startswith("/dev/")
        size = job.options.get("size")
        if on_device:
            file_bytes, start = layout.capacity_bytes, 0
        else:
            file_bytes = self._file_bytes(job, layout, made)
            name = names[0] if names else f"{job.name}.{clone}.0"
            placed = layout.place(f"{job.options.get('directory', '')}/{name}", file_bytes)
            if placed is None:
                refuse(
                    made,
                    job,
                    "filesize" if "filesize" in job.settings else "size",
                    f"the files do not fit the device of {layout.capacity_bytes} bytes; make them smaller",
                )
            start, file_bytes = placed
        offset = self._part(job, "offset", file_bytes, made) or 0
        if offset % SECTOR_BYTES:
            refuse(made, job, "offset", f"direct I/O needs whole sectors of {SECTOR_BYTES} bytes; {offset} is none")
        if offset >= file_bytes:
            refuse(made, job, "offset", f"the offset of {offset} bytes lies beyond the {file_bytes} bytes of the file")
        amount = self._part(job, "size", file_bytes, made) if size is not None else file_bytes
        reach = file_bytes - offset
        region = reach if amount is None or amount > reach else amount
        if on_device and size is not None and amount is not None and amount > reach:
            refuse(made, job, "size", f"the device has {file_bytes} bytes, fewer than offset + size")
        io_size = self._part(job, "io_size", file_bytes, made)
        self.offset_bytes = start + offset
        self.region_bytes = region // SECTOR_BYTES * SECTOR_BYTES
        if not self.region_bytes:
            refuse(made, job, "size", f"{region} bytes hold no sector of {SECTOR_BYTES}")
        self.io_bytes = (io_size or amount or region) * whole(job, "loops", 1)

    @staticmethod
    def _file_bytes(job: FioJob, layout: Layout, made: Loads) -> int:
        for name in ("filesize", "size"):
            value = job.options.get(name)
            if isinstance(value, str) and value.endswith("%"):
                return int(layout.capacity_bytes * float(value[:-1]) / 100)
            option = job.settings.get(name)
            if isinstance(value, str) and option is not None and option.parts:
                refuse(made, job, name, f"this runner models files of one size; give {name} one value")
            if isinstance(value, int) and value > 0:
                return value + (Extent._part(job, "offset", value, made) or 0 if name == "size" else 0)
        refuse(made, job, "size", f"job {job.name}: fio needs a size= or filesize= for a file")

    @staticmethod
    def _part(job: FioJob, name: str, whole: int, made: Loads) -> int | None:
        value = job.options.get(name)
        if value is None:
            return None
        if isinstance(value, str) and value.endswith("%"):
            return int(whole * float(value[:-1]) / 100) // FILE_ALIGNMENT_BYTES * FILE_ALIGNMENT_BYTES or SECTOR_BYTES
        if isinstance(value, str):
            refuse(made, job, name, f"this runner does not model {name}={value}")
        return int(value) or None
