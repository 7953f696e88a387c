// SPDX-License-Identifier: Apache-2.0

/// Decides what happens to a request whose connection could not be established, by the cause.
enum ConnectionVerdict: Hashable, Sendable {
    /// The network cannot carry the connection: wait until it can.
    case wait(WaitingPolicy.Obstacle)
    /// Waiting does not help: the host, its name, or the request is at fault.
    case fail(RequestFailure)

    /// Decides by the cause.
    ///
    /// - Parameters:
    ///   - cause: why the connection could not be established, as `HostEnvironment.obstacle(to:within:)` determines it;
    ///     nil if the network could carry it.
    ///   - failure: the failure that the client reported.
    ///   - internet: why the Internet cannot be reached, if that was determined: a router whose uplink is down reports
    ///     hosts as unreachable, or drops the packets, and name servers beyond it, or that forward to it, fail.
    init(_ cause: HostError?, after failure: RequestFailure, internet: WaitingPolicy.Obstacle? = nil) {
        if cause == nil, failure.kind.mayBeOfUplink, let internet {
            self = .wait(internet)
            return
        }
        switch cause?.code {
        case let code? where Self.nameServerCodes.contains(code): self = .wait(internet ?? .hostUnreachable(cause))
        case .noRoute?, .routerSilent?: self = .wait(.hostUnreachable(cause))
        case .nameNotFound?, .noAddress?: self = .fail(RequestFailure(.nameNotFound))
        case .unreachable?: self = .fail(RequestFailure(.cannotConnect))
        case .denied?: self = .fail(RequestFailure(.notAllowed))
        default: self = .fail(failure)
        }
    }

    /// The errors of name servers that give no answer about a name.
    static let nameServerCodes: Set<HostError.Code> = [
        .resolverSilent, .resolverFailed, .resolverRefused, .resolverUnreachable,
    ]
}

extension RequestFailure.Kind {
    /// Whether a failure to connect may be due to a router's uplink, which nothing on this machine shows.
    var mayBeOfUplink: Bool { self == .cannotConnect || self == .timedOut }
}
