"""A simulated machine that runs fio jobs in virtual time: workload, block layer, device, in integer nanoseconds."""

from workers.simulator.job import JobParameters, Recording
from workers.simulator.kinds import TRACE_NAMES
from workers.simulator.parameters import (
    DeviceParameters,
    HostParameters,
    QueueParameters,
    SimulationParameters,
)
from workers.simulator.result import DirectionResult, JobResult, SimulationResult, merge_groups, merge_jobs
from workers.simulator.simulation import Progress, SimulationCancelled, SimulatorFault, simulate

__all__ = [
    "TRACE_NAMES",
    "DeviceParameters",
    "DirectionResult",
    "HostParameters",
    "JobParameters",
    "JobResult",
    "Progress",
    "QueueParameters",
    "Recording",
    "SimulationCancelled",
    "SimulationParameters",
    "SimulationResult",
    "SimulatorFault",
    "merge_groups",
    "merge_jobs",
    "simulate",
]
