# SPDX-License-Identifier: Apache-2.0

"""pyroute2: the dump and the events of its IPRoute, as a program would use it. Speaks the lines of line.h."""

import errno
import os
import time

from pyroute2 import IPRoute


def line(event, state):
    os.write(1, f"{time.monotonic_ns()} {event} {state}\n".encode())


def is_default(message):
    return (
        message["event"] in ("RTM_NEWROUTE", "RTM_DELROUTE")
        and message["dst_len"] == 0
        and message["table"] == 254
        and message["family"] == 2
    )


def watch(event):
    with IPRoute() as kernel:
        kernel.bind()
        defaults = sum(1 for route in kernel.get_routes(family=2) if is_default(route))
        line(event, "up" if defaults else "down")
        while True:
            for message in kernel.get():
                if is_default(message):
                    defaults += 1 if message["event"] == "RTM_NEWROUTE" else -1
                    line("change", "up" if defaults > 0 else "down")
                elif message["event"] not in ("RTM_NEWROUTE", "RTM_DELROUTE"):
                    line("change", "-")


def main():
    event = "first"
    while True:
        try:
            watch(event)
        except OSError as error:
            # Events were lost: the socket is no longer usable.
            if error.errno != errno.ENOBUFS:
                raise
            event = "change"


main()
