// SPDX-License-Identifier: Apache-2.0

extension RequestRow {
    /// The rows that run with all other tests.
    static let everyTime: Set = [
        "request: no carrier", "request: silent uplink", "request: silent name server",
        "request: router that reports that nothing is reachable", "request: login by page",
        "request: everything refused",
    ]

    static let all: [RequestRow] =
        ["healthy", "IPv6 dead beyond the router", "first of two name servers dead"].map(answered)
        + ["no carrier", "no address", "no default route", "unreachable default route"].map(offline)
        + [
            "router dead for 1 s", "router that never answered", "router without an uplink",
            "router that reports that nothing is reachable", "silent uplink", "silent uplink, failing forwarder",
            "no name server", "silent name server", "REFUSED", "SERVFAIL",
        ].map(unresolved) + beyond

    private static func answered(_ network: String) -> RequestRow {
        RequestRow(network) { _ in
            [
                .task: ["200"], .waiting: ["200"], .withConnectivity: ["200"], .requester: ["answered"],
                .asyncHTTPClient: ["answered"],
            ]
        }
    }

    private static func offline(_ network: String) -> RequestRow {
        RequestRow(network) { reasons in
            [
                .task: ["-1009: The Internet connection appears to be offline."], .waiting: ["waits"],
                .withConnectivity: reasons.map { "waits: \($0)" },
                .requester: reasons.map { "offline: You are offline. \($0)" },
                .asyncHTTPClient: reasons.map { "offline: You are offline. \($0)" },
            ]
        }
    }

    /// Name servers are the first that the network keeps from an answer.
    private static func unresolved(_ network: String) -> RequestRow {
        RequestRow(network) { reasons in
            [
                .task: ["-1003: The server's name could not be found."], .waiting: ["waits"],
                .withConnectivity: reasons.map { "waits: \($0)" },
                .requester: reasons.map { "nameNotFound: Server not found. \($0)" },
                .asyncHTTPClient: reasons.map { "nameNotFound: Server not found. \($0)" },
            ]
        }
    }

    private static let beyond: [RequestRow] = [
        RequestRow("NXDOMAIN for all names") { reasons in
            [
                .task: ["-1003: The server's name could not be found."], .waiting: ["-1003"],
                .withConnectivity: ["-1003"],
                .requester: reasons.map { "nameNotFound: Server not found. \($0)" },
                .asyncHTTPClient: reasons.map { "nameNotFound: Server not found. \($0)" },
            ]
        },
        RequestRow("login by page") { _ in
            let login =
                "captivePortal: Sign in to the network. This network requires you to sign in before you can go online."
            return [
                .task: ["200"], .waiting: ["200"], .withConnectivity: ["200"], .requester: [login],
                .asyncHTTPClient: [login],
            ]
        },
        RequestRow("HTTPS dropped", over: "https") { reasons in
            [
                .task: ["-1001: The request timed out."], .waiting: ["waits"],
                .withConnectivity: reasons.map { "waits: \($0)" },
                .requester: reasons.map { "timedOut: No answer in time. \($0)" },
                .asyncHTTPClient: reasons.map { "timedOut: No answer in time. \($0)" },
            ]
        },
        RequestRow("foreign certificates", over: "https") { reasons in
            [
                .task: ["-1202: The server's certificate is not trusted."], .waiting: ["-1202"],
                .withConnectivity: ["-1202"], .requester: reasons.map { "tlsFailure: No secure connection. \($0)" },
                .asyncHTTPClient: reasons.map { "tlsFailure: No secure connection. \($0)" },
            ]
        },
        RequestRow("everything refused") { reasons in
            [
                .task: ["-1004: Could not connect to the server."], .waiting: ["-1004"], .withConnectivity: ["-1004"],
                .requester: reasons.map { "cannotConnect: Server not reachable. \($0)" },
                .asyncHTTPClient: reasons.map { "cannotConnect: Server not reachable. \($0)" },
            ]
        },
        RequestRow("names forged to one address that resets") { reasons in
            // The reset may come before the client sees the connection: then it may be of the uplink, which is checked.
            let failures = reasons.flatMap {
                ["connectionLost: Connection lost. \($0)", "cannotConnect: Server not reachable. \($0)"]
            }
            return [
                .task: ["-1005: The network connection was lost.", "-1004: Could not connect to the server."],
                .waiting: ["-1005", "-1004", "waits"],
                .withConnectivity: ["-1005", "-1004"] + reasons.map { "waits: \($0)" },
                .requester: failures, .asyncHTTPClient: failures,
            ]
        },
        RequestRow("accepted in silence") { reasons in
            [
                .task: ["-1001: The request timed out."], .waiting: ["-1001"], .withConnectivity: ["-1001"],
                .requester: reasons.map { "timedOut: No answer in time. \($0)" },
                .asyncHTTPClient: reasons.map { "timedOut: No answer in time. \($0)" },
            ]
        },
        RequestRow("status 503 everywhere") { _ in
            let problem = "serverError: The server has a problem. Your connection works. Please try again later. (503)"
            return [
                .task: ["503"], .waiting: ["503"], .withConnectivity: ["503"], .requester: [problem],
                .asyncHTTPClient: [problem],
            ]
        },
        // The host accepts connections, and so the network carries them.
        RequestRow("large packets lost", over: "https") { reasons in
            [
                .task: ["-1001: The request timed out."], .waiting: ["-1001"], .withConnectivity: ["-1001"],
                .requester: reasons.map { "timedOut: No answer in time. \($0)" },
                .asyncHTTPClient: reasons.map { "timedOut: No answer in time. \($0)" },
            ]
        },
    ]
}
