# SPDX-License-Identifier: Apache-2.0

"""The values: a path and its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from ._library import library, new

_Item = TypeVar("_Item")


class PathStatus(Enum):
    """Whether there is a path."""

    SATISFIED = 1
    UNSATISFIED = 2
    #: There is no path, but connecting may bring one up.
    SATISFIABLE = 3

    @classmethod
    def _missing_(cls, value: object) -> PathStatus | None:
        """A number of a newer library is unknown to this package."""
        return cls.UNSATISFIED if isinstance(value, int) else None


class Connectivity(Enum):
    """Whether this machine is online."""

    #: The network cannot be read.
    UNKNOWN = 0
    OFFLINE = 1
    #: There is no path, but connecting may bring one up.
    SATISFIABLE = 2
    #: There is a path; whether it leads to the Internet has not been checked.
    UNVERIFIED = 3
    #: The network requires a login first.
    CAPTIVE_PORTAL = 4
    #: Something passes, but not the whole Internet; or too little was asked to know more.
    LIMITED = 5
    #: The Internet has answered.
    ONLINE = 6
    #: There is a path, but nothing beyond it answers.
    NO_INTERNET = 7

    @classmethod
    def _missing_(cls, value: object) -> Connectivity | None:
        """A number of a newer library is unknown to this package."""
        return cls.UNKNOWN if isinstance(value, int) else None


class InterfaceType(Enum):
    """The kind of a link."""

    #: A tunnel, or anything that the other values do not describe.
    OTHER = 0
    WIFI = 1
    CELLULAR = 2
    WIRED = 3
    LOOPBACK = 4

    @classmethod
    def _missing_(cls, value: object) -> InterfaceType | None:
        """A number of a newer library is unknown to this package."""
        return cls.OTHER if isinstance(value, int) else None


class UnsatisfiedReason(Enum):
    """Why there is no path, in Apple's terms; `Path.reason` says more."""

    NOT_AVAILABLE = 0
    CELLULAR_DENIED = 1
    WIFI_DENIED = 2

    @classmethod
    def _missing_(cls, value: object) -> UnsatisfiedReason | None:
        """A number of a newer library is unknown to this package."""
        return cls.NOT_AVAILABLE if isinstance(value, int) else None


@dataclass(frozen=True)
class Interface:
    """An interface of a path."""

    name: str
    type: InterfaceType
    #: The index in the kernel.
    index: int


@dataclass(frozen=True)
class Path:
    """What is known about the network at one moment."""

    status: PathStatus
    connectivity: Connectivity
    #: A sentence that says why this machine is not online; None while it is, or while there is a path that is not checked.
    reason: str | None
    #: The login page's URL, which the network chose.
    portal_url: str | None
    unsatisfied_reason: UnsatisfiedReason
    #: The usable interfaces, the most preferred first.
    interfaces: tuple[Interface, ...]
    #: The types of the links in use, also as the carrier of a tunnel.
    interface_types: frozenset[InterfaceType]
    #: The addresses of the routers.
    gateways: tuple[str, ...]
    has_ipv4: bool
    has_ipv6: bool
    #: Whether a name server is configured.
    has_dns: bool
    #: Whether traffic is charged by volume.
    is_expensive: bool
    #: Whether the path should be used sparingly.
    is_constrained: bool
    #: The name of the reason, such as "noCarrier"; None without a reason. A newer library may have other names.
    cause: str | None = None


def copy_path(name: str, *arguments: object) -> Path:
    """Calls a function that returns a new path, and copies and releases it."""
    path = new(name, *arguments)
    try:
        return _read(path)
    finally:
        library.dialtone_path_release(path)


def _read(path: int) -> Path:
    return Path(
        status=PathStatus(library.dialtone_path_get_status(path)),
        connectivity=Connectivity(library.dialtone_path_get_connectivity(path)),
        reason=_text(library.dialtone_path_get_reason(path)),
        portal_url=_text(library.dialtone_path_get_portal_url(path)),
        unsatisfied_reason=UnsatisfiedReason(library.dialtone_path_get_unsatisfied_reason(path)),
        interfaces=tuple(_interface(item) for item in _items(library.dialtone_path_get_interface, path)),
        interface_types=frozenset(
            type for type in InterfaceType if library.dialtone_path_uses_interface_type(path, type.value)
        ),
        gateways=tuple(item.decode() for item in _items(library.dialtone_path_get_gateway, path)),
        has_ipv4=library.dialtone_path_has_ipv4(path),
        has_ipv6=library.dialtone_path_has_ipv6(path),
        has_dns=library.dialtone_path_has_dns(path),
        is_expensive=library.dialtone_path_is_expensive(path),
        is_constrained=library.dialtone_path_is_constrained(path),
        cause=_text(library.dialtone_path_get_cause(path)),
    )


def _interface(pointer: int) -> Interface:
    return Interface(
        name=library.dialtone_interface_get_name(pointer).decode(),
        type=InterfaceType(library.dialtone_interface_get_type(pointer)),
        index=library.dialtone_interface_get_index(pointer),
    )


def _items(function: Callable[[int, int], _Item | None], path: int) -> Iterator[_Item]:
    index = 0
    while (item := function(path, index)) is not None:
        yield item
        index += 1


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()
