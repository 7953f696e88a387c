// SPDX-License-Identifier: Apache-2.0

extension RequestRow {
    /// The rows that run with all other tests.
    static let everyTime: Set = [
        "request: no carrier", "request: silent uplink", "request: silent name server",
        "request: router that reports that nothing is reachable", "request: login by redirect", "request: everything refused",
    ]

    static let all: [RequestRow] = [
        RequestRow("healthy", [:]),
        RequestRow("no carrier", [:]),
        RequestRow("no address", [:]),
        RequestRow("no default route", [:]),
        RequestRow("unreachable default route", [:]),
        RequestRow("clock ten years fast", over: "https", [:]),
        RequestRow("router dead for 1 s", [:]),
        RequestRow("router that never answered", [:]),
        RequestRow("router without an uplink", [:]),
        RequestRow("router that reports that nothing is reachable", [:]),
        RequestRow("silent uplink", [:]),
        RequestRow("silent uplink, failing forwarder", [:]),
        RequestRow("IPv6 dead beyond the router", [:]),
        RequestRow("no name server", [:]),
        RequestRow("silent name server", [:]),
        RequestRow("REFUSED", [:]),
        RequestRow("SERVFAIL", [:]),
        RequestRow("NXDOMAIN for all names", [:]),
        RequestRow("first of two name servers dead", [:]),
        RequestRow("login by redirect", [:]),
        RequestRow("HTTPS dropped", over: "https", [:]),
        RequestRow("foreign certificates", over: "https", [:]),
        RequestRow("everything refused", [:]),
        RequestRow("accepted in silence", [:]),
        RequestRow("status 503 everywhere", [:]),
        RequestRow("large packets lost", over: "https", [:]),
    ]
}
