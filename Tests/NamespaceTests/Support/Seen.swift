// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// The properties of a path that the topology tests compare, in a readable form.
struct Seen: Equatable, Sendable, CustomStringConvertible {
    var status: NWPath.Status
    var families: [String] = []
    var interfaces: [String] = []
    var gateways: [String] = []
    var cause: Cause?

    static func satisfied(_ families: String..., over interfaces: [String], gateways: [String] = []) -> Seen {
        Seen(status: .satisfied, families: families, interfaces: interfaces, gateways: gateways)
    }

    static func unsatisfied(_ reason: PathDiagnosis.Reason, on interface: String? = nil) -> Seen {
        Seen(status: .unsatisfied, cause: Cause(reason, interface: interface))
    }

    static func requiresConnection(_ interface: String) -> Seen {
        Seen(
            status: .requiresConnection, interfaces: [interface], cause: Cause(.dormant, interface: interface))
    }

    var description: String {
        let reason = cause.map { " \($0.reason)" + ($0.interface.map { " on \($0)" } ?? "") } ?? ""
        return "\(status)\(reason) \(families) over \(interfaces) via \(gateways)"
    }
}

extension Seen {
    init(_ path: NetworkPath) {
        status = path.status
        families = [(path.supportsIPv4, "ipv4"), (path.supportsIPv6, "ipv6")].filter(\.0).map(\.1)
        interfaces = path.interfaces.map(\.name)
        gateways = NWPath(path).gateways.map { gateway in
            if case .hostPort(let host, .any) = gateway { "\(host)" } else { "?\(gateway)" }
        }
        cause = path.diagnosis?.cause
    }
}

extension Lab {
    /// Expects that the live monitor reaches this path, and that a new monitor and a one-time query have it at once.
    func expect(_ expected: Seen, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        do {
            try await live.path { Seen($0) == expected }
        } catch let error as RecorderTimeout {
            Issue.record(
                "live: \(Seen(live.path))\nexpected: \(expected)\n\(error)", sourceLocation: sourceLocation)
        }
        let fresh = Seen(try await freshPath())
        #expect(fresh == expected, sourceLocation: sourceLocation)
        let looked = Seen(try await run { KernelSource.currentState().path })
        #expect(looked == expected, sourceLocation: sourceLocation)
    }

    /// The first path of a monitor that a program starts in the namespace now.
    func freshPath() async throws -> NetworkPath {
        let first = Recorder<NetworkPath>()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { first.record($0.networkPath) }
        try await run { monitor.start(queue: DispatchQueue(label: "fresh")) }
        defer { monitor.cancel() }
        return try await first.next()
    }
}
#endif
