// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtonePresentation

/// Describes the state of the network on the page.
enum ConnectivityText {
    /// The reason for being offline, unknown or limited, as a sentence; nil if there is nothing to explain.
    static func reason(_ connectivity: Connectivity) -> String? {
        switch connectivity.state {
        case .online: return nil
        case .unknown, .offline, .requiresConnection: return Wording.reason(connectivity.path)
        case .unverified:
            return connectivity.evidence == nil
                ? "The Internet has not been checked yet." : "Whether this is the Internet could not be determined."
        case .captivePortal: return "The network requires a login: open its page in a browser."
        case .limited:
            guard connectivity.evidence?.verdict == .partial else {
                return connectivity.evidence?.explanation ?? "The Internet cannot be reached."
            }
            return "\(Wording.onlyHTTP.sentenceCased): something is intercepting the connection."
        }
    }

    /// The verdict of a check, in a few words.
    static func verdict(_ verdict: InternetCheck.Verdict) -> String {
        switch verdict {
        case .verified: "The Internet answers"
        case .partial: "Only HTTP passes"
        case .captivePortal: "A login page answers"
        case .noInternet: "The Internet does not answer"
        case .inconclusive: "Unknown"
        }
    }

    /// The status of a path.
    static func status(_ path: NetworkPath) -> String {
        if path.isUnknown { return "Unknown" }
        return switch path.status {
        case .satisfied: "Connected"
        case .requiresConnection: "Available on demand"
        default: "Not connected"
        }
    }
}
