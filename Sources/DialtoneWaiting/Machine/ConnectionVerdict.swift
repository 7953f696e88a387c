// SPDX-License-Identifier: Apache-2.0

/// Decides what happens to a request whose connection could not be established, by the cause.
package enum ConnectionVerdict: Hashable, Sendable {
    /// The network cannot carry the connection: wait until it can.
    case wait(WaitReason)
    /// Waiting does not help: the host, its name, or the request is at fault.
    case fail(RequestFailure)

    /// Decides by the cause.
    ///
    /// - Parameters:
    ///   - cause: why the connection could not be established, as `HostEnvironment.obstacle(to:within:)` determines it;
    ///     nil if the network could carry it.
    ///   - failure: the failure that the client reported.
    package init(_ cause: HostError?, after failure: RequestFailure) {
        switch cause?.code {
        case .noRoute?, .routerSilent?, .resolverSilent?, .resolverFailed?, .resolverRefused?, .resolverUnreachable?:
            self = .wait(.hostUnreachable(cause))
        case .nameNotFound?, .noAddress?: self = .fail(RequestFailure(.nameNotFound))
        case .unreachable?: self = .fail(RequestFailure(.cannotConnect))
        default: self = .fail(failure)
        }
    }
}
