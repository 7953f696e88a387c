// SPDX-License-Identifier: Apache-2.0

extension Connectivity {
    /// Why this machine is not online, in one sentence for a user; nil while it is online.
    ///
    /// It names the nearest cause that is known: the fault of the path, the proxy or the name servers concerned, or what
    /// happened to the requests of the latest check. The command, the dashboard and the log use the same sentence.
    public var reason: String? { state.reason(over: path, evidence) }
}

extension InternetCheck.Report {
    /// Why the check did not verify the Internet, in one sentence for a user; nil if it did.
    ///
    /// A check that sent nothing because there is no path has the path's diagnosis.
    public var reason: String? {
        switch verdict {
        case .verified: nil
        case .partial:
            explanation.map {
                $0.hasPrefix("HTTPS") ? $0 : "\(GeneralReason.noHTTPS.withoutFullStop): \($0.loweredFirstLetter)"
            } ?? GeneralReason.noHTTPS
        case .captivePortal: GeneralReason.login
        case .noInternet(let reason): explanation ?? reason.description
        case .inconclusive: GeneralReason.undetermined
        }
    }
}

extension ConnectivityState {
    /// Why a machine in this state is not online, in one sentence for a user; nil for `online`.
    ///
    /// - Parameters:
    ///   - path: the path that the state describes.
    ///   - report: the report of the latest check over it; nil without a check.
    package func reason(over path: NetworkPath, _ report: InternetCheck.Report?) -> String? {
        switch self {
        case .online: return nil
        case .unknown:
            if case .unavailable(let sentence) = path.limitation { return sentence }
            return GeneralReason.unreadable
        case .offline:
            // A proxy that was asked has a route, so it is what keeps this machine offline, not the missing path.
            if let report, report.failedProxy != nil { return report.reason }
            return path.diagnosis?.description ?? GeneralReason.noPath
        case .requiresConnection: return path.diagnosis?.description ?? GeneralReason.onDemand
        case .unverified: return report == nil ? GeneralReason.unchecked : GeneralReason.undetermined
        case .captivePortal: return GeneralReason.login
        case .limited: return report?.reason ?? GeneralReason.noInternet
        }
    }
}

/// The reasons that depend on neither a path nor a report.
package enum GeneralReason {
    package static let unreadable = "The network state cannot be read."
    package static let noPath = "There is no path."
    package static let onDemand = "A connection is available on demand."
    package static let unchecked = "The Internet has not been checked yet."
    package static let undetermined = "Whether this is the Internet could not be determined."
    package static let login = "The network requires a login: open its page in a browser."
    package static let noHTTPS = "HTTPS does not pass."
    package static let noInternet = "The Internet cannot be reached."
}

extension String {
    /// The sentence as it follows a colon: it starts in lower case, except for an abbreviation such as DNS.
    fileprivate var loweredFirstLetter: String {
        dropFirst().first?.isUppercase == true ? self : prefix(1).lowercased() + dropFirst()
    }
}
