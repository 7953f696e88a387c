//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a path and the evidence over it must be like for work to begin.
package struct WaitRequirement: Hashable, Sendable {
    var needsProof = false
    /// False for a host that is near: on this machine, or on one of its links.
    var needsPath = true
    var interfaces = InterfacePolicy()

    package init(needsProof: Bool = false, interfaces: InterfacePolicy = InterfacePolicy()) {
        self.needsProof = needsProof
        self.interfaces = interfaces
    }

    init(_ policy: WaitingPolicy) {
        // A host is proven by a connection to it, and needs no other proof.
        needsProof = policy.level == .verified
        interfaces = policy.interfaces
    }

    /// What is in the way; nil when nothing is.
    ///
    /// A network that cannot be seen is no obstacle to work that needs only a path: nobody knows better than the attempt.
    func obstacle(in connectivity: Connectivity) -> WaitReason? {
        let path = connectivity.path
        if needsPath, !path.isUnknown {
            switch path.status {
            case .satisfied: break
            case .requiresConnection: return .requiresConnection
            default: return .offline(path.diagnosis)
            }
            if let restriction = interfaces.restriction(of: path) { return .notAllowed(restriction) }
        }
        guard needsProof else { return nil }
        switch connectivity.state {
        case .online: return nil
        case .captivePortal: return .captivePortal
        case .limited: return .noInternet
        default: return .unverified
        }
    }
}
