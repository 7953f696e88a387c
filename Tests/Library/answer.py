# SPDX-License-Identifier: Apache-2.0

"""Prints what the Python package says, as answer.c does for C.

answer.py once | watch | verify ENDPOINT… | wait SECONDS [ENDPOINT…] | wait async [ENDPOINT…]
"""

import asyncio
import json
import sys

import dialtone


def show(path: dialtone.Path) -> None:
    fields = {
        "status": path.status.value,
        "connectivity": path.connectivity.value,
        "reason": path.reason,
        "cause": path.cause,
        "portal": path.portal_url,
        "ipv4": int(path.has_ipv4),
        "ipv6": int(path.has_ipv6),
        "expensive": int(path.is_expensive),
        "constrained": int(path.is_constrained),
        "wired": int(dialtone.InterfaceType.WIRED in path.interface_types),
        "interfaces": [interface.name for interface in path.interfaces],
        "gateways": list(path.gateways),
    }
    print(json.dumps(fields, separators=(",", ":")), flush=True)


async def watch() -> None:
    async for path in dialtone.paths():
        show(path)


def main(arguments: list[str]) -> None:
    while arguments[0].startswith("expensive="):
        dialtone.set_interface_cost(arguments.pop(0).removeprefix("expensive="), expensive=True, constrained=True)
    mode, *rest = arguments
    if mode == "watch":
        asyncio.run(watch())
    elif mode == "verify":
        dialtone.set_endpoints(rest)
        show(dialtone.verify())
    elif mode == "wait":
        if rest[1:]:
            dialtone.set_endpoints(rest[1:])
        is_async = rest[0] == "async"
        show(asyncio.run(dialtone.wait_for_path_async()) if is_async else dialtone.wait_for_path(float(rest[0])))
    else:
        show(dialtone.current_path())


main(sys.argv[1:])
