// SPDX-License-Identifier: Apache-2.0

/// The path and the verdict that an operation requires to start.
package struct WaitRequirement: Hashable, Sendable {
    var needsProof = false
    /// False for a nearby host: this machine, or a host on one of its links.
    var needsPath = true
    var interfaces = InterfacePolicy()

    package init(needsProof: Bool = false, interfaces: InterfacePolicy = InterfacePolicy()) {
        self.needsProof = needsProof
        self.interfaces = interfaces
    }

    init(_ policy: WaitingPolicy) {
        // A connection to the host is the only proof that a host target needs.
        needsProof = policy.level == .verified
        interfaces = policy.interfaces
    }

    /// The obstacle to work with this requirement; nil without an obstacle.
    ///
    /// A hidden network is no obstacle to work that needs only a path: only an attempt can show the
    /// result.
    func obstacle(in connectivity: Connectivity) -> WaitingPolicy.Obstacle? {
        let path = connectivity.path
        // A path that is the obstacle although the state is online, through a proxy, has its own reason.
        func sentence() -> String { connectivity.reason ?? Conclusion(path).reason ?? "" }
        if needsPath, !path.isUnknown {
            switch path.status {
            case .satisfied: break
            // The proof went through a proxy.
            case _ where needsProof && connectivity.state == .online: break
            case .requiresConnection: return .requiresConnection(sentence())
            // A proxy that was asked has a route, so the missing path is not the obstacle.
            case _ where needsProof && connectivity.fault == .proxy: return .noInternet(sentence())
            default: return .offline(path.diagnosis)
            }
            if let restriction = interfaces.restriction(of: path) { return .notAllowed(restriction) }
        }
        guard needsProof else { return nil }
        switch connectivity.state {
        case .online: return nil
        case .captivePortal: return .captivePortal
        case .limited, .noInternet: return .noInternet(sentence())
        default: return .unverified(sentence())
        }
    }
}
