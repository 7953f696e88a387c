# SPDX-License-Identifier: Apache-2.0

"""Small networks, in which C, Python and GLib are asked whether there is a path. docs/c.md has the table."""

import json
import signal
from dataclasses import dataclass, field

import pytest
from conftest import PYTHON, ROOT

DEFAULT = "route add default via 192.0.2.1"


@dataclass
class Case:
    name: str
    #: What ip(8) runs before the programs start, in a namespace with the link up0, and while they watch.
    before: list[str] = field(default_factory=list)
    change: list[str] = field(default_factory=list)
    #: The same at the far end.
    far: list[str] = field(default_factory=list)
    reason: str | None = None
    cause: str | None = None
    expected: dict = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)
    link: bool = True
    is_stopped: bool = False


UP = {"status": 1, "interfaces": ["up0"], "wired": 1}
DOWN = {"status": 2}
STORM = [f"addr {action} 198.18.{i // 250}.{i % 250 + 1}/32 dev up0" for i in range(2000) for action in ("add", "del")]

CASES = [
    Case("no link", link=False, expected=DOWN, reason="This machine has no network interface except loopback.", cause="noInterface"),
    Case("a default route", change=[DEFAULT], expected=UP | {"ipv4": 1, "ipv6": 0, "gateways": ["192.0.2.1"]}),
    Case("an address without a route", expected=DOWN,
         reason="There is an address, but no route to the Internet: check that a gateway is set.", cause="noRoute"),
    Case("a route to one private network", change=["route add 10.0.0.0/8 via 192.0.2.1"], expected=DOWN,
         reason="There is an address, but no route to the Internet: check that a gateway is set.", cause="noRoute"),
    Case("carrier lost", [DEFAULT], far=["link set far0 down"], expected=DOWN,
         reason="No carrier on up0: is the cable in?", cause="noCarrier"),
    Case("link switched off", [DEFAULT], ["link set up0 down"], expected=DOWN,
         reason="up0 is switched off.", cause="allDown"),
    Case("last address deleted", [DEFAULT], ["addr del 192.0.2.2/24 dev up0"], expected=DOWN,
         reason="up0 has no address: check the router's DHCP.", cause="noAddress"),
    Case("blackhole default", [DEFAULT], ["route replace blackhole default"], expected=DOWN,
         reason="A routing rule on this machine blocks outgoing traffic (VPN kill switch?).", cause="routeUnreachable"),
    Case("policy rule to another table", change=[DEFAULT + " table 100", "rule add from all lookup 100"], expected=UP | {"ipv4": 1}),
    Case("policy rule that prohibits", [DEFAULT], ["rule add from all prohibit priority 10"], expected=DOWN,
         reason="A routing rule on this machine blocks outgoing traffic (VPN kill switch?).", cause="routeUnreachable"),
    Case("overflow, then a change", [DEFAULT], [*STORM, "route del default"], is_stopped=True, expected=DOWN, reason="There is an address, but no route to the Internet: check that a gateway is set.", cause="noRoute"),
    Case("metered", change=[DEFAULT], arguments=["expensive=up0"], expected=UP | {"expensive": 1, "constrained": 1}),
    Case("source-specific IPv6 default", ["addr add 2001:db8:1::2/64 dev up0 nodad"],
         ["route add ::/0 from 2001:db8:1::/64 via fe80::1 dev up0"], expected=UP | {"ipv4": 0, "ipv6": 1}),
]
RECORDED = {}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case, network, programs):
    if case.link:
        network.link()
        network.ip(*case.before)
    watches = [
        network.start([programs / "answer", *case.arguments, "watch"]),
        network.start([programs / "answer", *case.arguments, "handler"]),
        network.start([*PYTHON, *case.arguments, "watch"]),
    ]
    glib = network.start([programs / "glib-monitor"])
    for watch in [*watches, glib]:
        watch.wait_for(lambda line: True, "the first answer")
    if case.is_stopped:
        for watch in [*watches, glib]:
            watch.process.send_signal(signal.SIGSTOP)
    network.ip(*case.change)
    network.ip(*case.far, far=True)
    if case.is_stopped:
        for watch in [*watches, glib]:
            watch.process.send_signal(signal.SIGCONT)

    expected = case.expected | {"reason": case.reason, "cause": case.cause}
    matches = lambda line: json.loads(line).items() >= expected.items()  # noqa: E731
    for watch in watches:
        # The first line may be as expected already.
        if not matches(watch.lines[-1]):
            watch.wait_for(matches, str(expected))
    # A program that starts now gives the same answer.
    for command in [[programs / "answer"], PYTHON]:
        line = network.run([*command, *case.arguments, "once"], check=True).stdout
        assert matches(line), line
    # GLib's answer is recorded, not judged: it has received these events too by now.
    RECORDED[case.name] = (expected, (glib.drain() or "").split()[-1])


def test_the_table_of_the_documentation_is_as_recorded():
    if set(RECORDED) != {case.name for case in CASES}:
        pytest.skip("not all cases were run")
    rows = [
        f"| {case.name} | {word(expected['status'] == 1)} | {expected['reason'] or ''} | {word(glib == 'up')} |"
        for case in CASES
        for expected, glib in [RECORDED[case.name]]
    ]
    table = "\n".join(rows)
    assert table in (ROOT / "docs/c.md").read_text(), f"the table is not\n{table}"


def word(answer):
    return "yes" if answer else "no"
