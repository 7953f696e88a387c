//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Dispatch
import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// A path, as far as the tests of topologies are concerned, in a form that reads well in a failure.
struct Seen: Equatable, Sendable, CustomStringConvertible {
    var status: NWPath.Status
    var families: [String] = []
    var interfaces: [String] = []
    var gateways: [String] = []
    var obstacle: Obstacle?

    static func satisfied(_ families: String..., over interfaces: [String], gateways: [String] = []) -> Seen {
        Seen(status: .satisfied, families: families, interfaces: interfaces, gateways: gateways)
    }

    static func unsatisfied(_ reason: Obstacle.Reason, on interface: String? = nil) -> Seen {
        Seen(status: .unsatisfied, obstacle: Obstacle(reason, interface: interface))
    }

    static func requiresConnection(_ interface: String) -> Seen {
        Seen(
            status: .requiresConnection, interfaces: [interface], obstacle: Obstacle(.dormant, interface: interface))
    }

    var description: String {
        let reason = obstacle.map { " \($0.reason)" + ($0.interface.map { " on \($0)" } ?? "") } ?? ""
        return "\(status)\(reason) \(families) over \(interfaces) via \(gateways)"
    }
}

extension Seen {
    init(_ path: PathContents) {
        status = path.status
        families = [(path.supportsIPv4, "ipv4"), (path.supportsIPv6, "ipv6")].filter(\.0).map(\.1)
        interfaces = path.availableInterfaces.map(\.name)
        gateways = path.gateways.map { gateway in
            if case .hostPort(let host, .any) = gateway { "\(host)" } else { "?\(gateway)" }
        }
        obstacle = path.obstacle
    }
}

extension Lab {
    /// Expects that the live monitor comes to this path, and that a new one, and a look without a monitor, say the same at
    /// once.
    func expect(_ expected: Seen, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        do {
            try await live.path { Seen($0) == expected }
        } catch let error as RecorderTimeout {
            Issue.record(
                "live: \(Seen(live.path))\nexpected: \(expected)\n\(error)", sourceLocation: sourceLocation)
        }
        let fresh = Seen(try await freshPath())
        #expect(fresh == expected, sourceLocation: sourceLocation)
        let looked = Seen(try await run { NWPath.current(PathRequirements(), awaitingCosts: 0).contents })
        #expect(looked == expected, sourceLocation: sourceLocation)
    }

    /// What a monitor says first that a program starts in the namespace now.
    func freshPath() async throws -> PathContents {
        let first = Recorder<PathContents>()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { first.record($0.contents) }
        try await run { monitor.start(queue: DispatchQueue(label: "fresh")) }
        defer { monitor.cancel() }
        return try await first.next()
    }
}
#endif
