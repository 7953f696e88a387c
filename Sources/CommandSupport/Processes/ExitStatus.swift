// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
package import Dialtone

/// The command's exit statuses, which scripts rely on.
package enum ExitStatus: Int32 {
    case online = 0
    case offline = 1
    case captivePortal = 2
    case limited = 3
    case unknown = 4
    case usage = 64
    case internalError = 70
    case timedOut = 124

    /// The exit status for a state.
    ///
    /// - Parameter isPassive: whether only the path was requested; a path is then enough for status 0.
    package init(_ state: ConnectivityState, isPassive: Bool = false) {
        switch state {
        case .online: self = .online
        case .unverified: self = isPassive ? .online : .unknown
        case .offline, .requiresConnection: self = .offline
        case .captivePortal: self = .captivePortal
        case .limited, .noInternet: self = .limited
        case .unknown: self = .unknown
        }
    }

    /// The error that ends the command with this status.
    package var exit: ExitCode { ExitCode(rawValue) }
}
