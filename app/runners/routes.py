"""The calls that say what this server offers."""

from __future__ import annotations

from fastapi import APIRouter

from app.runners import service
from app.runners.schemas import DeviceOffer, ExampleOffer, MechanismOffer, RunnerOffer, Selftest, WorkloadOffer
from app.web.context import Identifier, InContext

router = APIRouter(tags=["offers"])


@router.get("/runners")
def runners(context: InContext) -> list[RunnerOffer]:
    """List the kinds of runners with what each honours, ignores and refuses."""
    with context.database.read() as session:
        return service.runner_offers(session)


@router.get("/workloads")
def workloads() -> list[WorkloadOffer]:
    """List the kinds of workloads."""
    return service.workload_offers()


@router.get("/devices")
def devices() -> list[DeviceOffer]:
    """List the device profiles with every default and its source."""
    return service.device_offers()


@router.get("/devices/{name}")
def device(name: Identifier) -> DeviceOffer:
    """Return one device profile."""
    return service.device_offer(name)


@router.get("/mechanisms")
def mechanisms() -> list[MechanismOffer]:
    """List the switches of the simulated kernel; none is modelled by direct I/O on a raw device."""
    return []


@router.get("/selftest")
def selftest() -> Selftest:
    """Return the simulator's table against the closed forms, as `lodestone selftest` prints it."""
    return service.selftest_of_the_simulator()


@router.get("/examples")
def examples() -> list[ExampleOffer]:
    """List definitions that are ready to run."""
    return service.example_offers()
