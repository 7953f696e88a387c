# SPDX-License-Identifier: Apache-2.0

"""Is this machine online, over which interface, is it really the Internet, and if not, why?

A child process that was forked after the first call cannot use this module: its calls raise ChildProcessError. Use
multiprocessing's start method "spawn" or "forkserver".
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import errno
import math
import select
import time
from collections.abc import AsyncGenerator, Callable, Collection, Iterable

from ._library import call, library, new
from ._path import Connectivity, Interface, InterfaceType, Path, PathStatus, UnsatisfiedReason, copy_path

__all__ = [
    "Connectivity",
    "Interface",
    "InterfaceType",
    "Path",
    "PathMonitor",
    "PathStatus",
    "UnsatisfiedReason",
    "current_path",
    "paths",
    "set_endpoints",
    "set_interface_cost",
    "verify",
    "wait_for_internet",
    "wait_for_internet_async",
    "wait_for_path",
    "wait_for_path_async",
]

__version__ = "1.0.0rc1"


def current_path() -> Path:
    """Reads the current path from the kernel, usually in less than a millisecond, and sends no packet."""
    return copy_path("path_copy_current")


def verify(timeout: float | None = None) -> Path:
    """Checks with real requests whether the Internet answers, within about ten seconds.

    Raises TimeoutError after `timeout` seconds. A signal's handler runs after it returns.
    """
    return copy_path("path_copy_verified", -1 if timeout is None else _milliseconds(timeout))


def wait_for_path(timeout: float | None = None) -> Path:
    """Waits until there is a path, and returns it; raises TimeoutError after `timeout` seconds.

    Where a sandbox hides the network, it waits as `wait_for_internet` does.
    """
    path = current_path()
    return path if _is_satisfied(path) else _wait(timeout, _is_hidden(path), _is_satisfied)


async def wait_for_path_async(timeout: float | None = None) -> Path:
    """Waits as `wait_for_path` does, in asyncio's loop; it can be cancelled."""
    path = current_path()
    return path if _is_satisfied(path) else await _wait_async(timeout, _is_hidden(path), _is_satisfied)


def wait_for_internet(timeout: float | None = None) -> Path:
    """Waits until the Internet has answered, and returns the path; raises TimeoutError after `timeout` seconds."""
    return _wait(timeout, True, _is_online)


async def wait_for_internet_async(timeout: float | None = None) -> Path:
    """Waits as `wait_for_internet` does, in asyncio's loop; it can be cancelled."""
    return await _wait_async(timeout, True, _is_online)


async def paths(
    *,
    verify: bool = False,
    required_type: InterfaceType | None = None,
    prohibited_types: Collection[InterfaceType] = (),
) -> AsyncGenerator[Path, None]:
    """The current path first, then each change; a slow loop gets only the newest. It needs asyncio's loop.

    The arguments are those of `PathMonitor`.
    """
    loop = asyncio.get_running_loop()
    last = None
    with PathMonitor(verify=verify, required_type=required_type, prohibited_types=prohibited_types) as monitor:
        while True:
            # The descriptor stays readable until the path is copied, so it is watched only while this loop waits.
            changed: asyncio.Future[None] = loop.create_future()
            loop.add_reader(monitor.fileno(), _finish, changed)
            try:
                await changed
            finally:
                loop.remove_reader(monitor.fileno())
            path = monitor.path
            if path is not None and path != last:
                last = path
                yield path


class PathMonitor:
    """Follows the path from its creation to `close()`, for an event loop that waits for `fileno()`.

    With `verify`, it checks with real requests whether the Internet answers, and then must allow all types of interface.
    """

    def __init__(
        self,
        *,
        verify: bool = False,
        required_type: InterfaceType | None = None,
        prohibited_types: Collection[InterfaceType] = (),
    ) -> None:
        self._monitor: int | None = None
        prohibited = list(prohibited_types)
        for type in prohibited if required_type is None else [required_type, *prohibited]:
            if not isinstance(type, InterfaceType):
                raise ValueError(f"{type!r} is not a valid InterfaceType")
        if verify and (required_type is not None or prohibited):
            raise ValueError("a monitor that verifies the Internet must allow all types of interface")
        self._monitor = new("path_monitor_create")
        try:
            if required_type is not None:
                call("path_monitor_require_interface_type", self._monitor, required_type.value)
            for type in prohibited:
                call("path_monitor_prohibit_interface_type", self._monitor, type.value)
            if verify:
                call("path_monitor_verify_internet", self._monitor)
            self._descriptor = call("path_monitor_get_fd", self._monitor)
            call("path_monitor_start", self._monitor)
        except BaseException:
            self.close()
            raise

    def fileno(self) -> int:
        """The descriptor, which is readable while there is a path that was not read yet. Do not read from it."""
        if self._monitor is None:
            raise ValueError("the monitor is closed")
        return self._descriptor

    @property
    def path(self) -> Path | None:
        """The newest path; None before the first one. Reading it makes the descriptor wait for the next change."""
        if self._monitor is None:
            raise ValueError("the monitor is closed")
        try:
            return copy_path("path_monitor_copy_path", self._monitor)
        except BlockingIOError:
            return None

    def close(self) -> None:
        """Stops the monitor, and closes its descriptor."""
        monitor, self._monitor = self._monitor, None
        library.dialtone_path_monitor_release(monitor)

    def __enter__(self) -> PathMonitor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_monitor", None) is not None:
            self.close()


def set_endpoints(endpoints: Iterable[str]) -> None:
    """Replaces the endpoints that this process queries to verify the Internet, before the first check.

    Each is a URL, or a URL and the expected answer, such as "https://example.org/ok.txt body:OK". Raises ValueError for an
    invalid one, and OSError after the first check.
    """
    names = list(endpoints)
    texts = [_text(text) for text in names]
    try:
        call("set_endpoints", (ctypes.c_char_p * len(texts))(*texts), len(texts))
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        form = 'each must be a URL that begins with http:// or https://, or one and the expected answer, such as "body:OK"'
        raise ValueError(f"{names!r} are not endpoints: {form}") from None


def set_interface_cost(interface: str, *, expensive: bool, constrained: bool = False) -> None:
    """Sets what an interface costs in this process, instead of what NetworkManager reports or its type suggests."""
    name = _text(interface)
    if not 0 < len(name) < 16:
        raise ValueError(f"{interface!r} is not the name of an interface, which has 1 to 15 bytes")
    call("set_interface_cost", name, expensive, constrained)


def _finish(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _text(text: str) -> bytes:
    if "\0" in text:
        raise ValueError("embedded null character")
    return text.encode()


def _is_satisfied(path: Path) -> bool:
    return path.status is PathStatus.SATISFIED


def _is_hidden(path: Path) -> bool:
    return path.connectivity is Connectivity.UNKNOWN


def _is_online(path: Path) -> bool:
    return path.connectivity is Connectivity.ONLINE


def _milliseconds(seconds: float) -> int:
    return math.ceil(min(max(seconds, 0) * 1000, 2**31 - 1))


def _wait(timeout: float | None, verify: bool, is_reached: Callable[[Path], bool]) -> Path:
    deadline = None if timeout is None else time.monotonic() + timeout
    with PathMonitor(verify=verify) as monitor:
        while True:
            # Unlike a wait inside the library, this one is interrupted by signals.
            poller = select.poll()
            poller.register(monitor, select.POLLIN)
            if not poller.poll(None if deadline is None else _milliseconds(deadline - time.monotonic())):
                raise _timeout()
            path = monitor.path
            if path is not None and is_reached(path):
                return path


async def _wait_async(timeout: float | None, verify: bool, is_reached: Callable[[Path], bool]) -> Path:
    async def search() -> Path:
        async with contextlib.aclosing(paths(verify=verify)) as found:
            async for path in found:
                if is_reached(path):
                    return path
        raise _timeout()

    try:
        return await asyncio.wait_for(search(), timeout)
    except asyncio.TimeoutError:
        raise _timeout() from None


def _timeout() -> TimeoutError:
    return TimeoutError(errno.ETIMEDOUT, "the network was not ready in time")
