// SPDX-License-Identifier: Apache-2.0

import Netlink

/// Finds the one cause to report when there is no path: the nearest one that a person could fix.
struct DiagnosisFinder {
    private let snapshot: NetworkSnapshot
    /// The links that a person expects to lead to the Internet: hardware and Ethernet, or else all that are up.
    ///
    /// A container bridge, a dummy or an unused tunnel is not an unplugged uplink. If there is no uplink at all, such a
    /// bridge is reported if it is running.
    private let candidates: [NetworkInterface]

    init(snapshot: NetworkSnapshot, filter: PathFilter) {
        self.snapshot = snapshot
        let links = snapshot.interfaces.filter {
            !$0.isLoopback && !$0.isEnslaved && filter.allows($0, in: snapshot)
        }
        let uplinks = snapshot.uplinks(among: links).filter { $0.isRunning || !snapshot.isInternalBridge($0) }
        candidates = uplinks.isEmpty ? links.filter(\.isUp) : uplinks
    }

    /// A link that would carry the path if it were not waiting for something.
    var dormantLink: NetworkInterface? {
        candidates.first(where: \.isDormant)
    }

    /// Combines the kernel's answers for each family with the state of the links.
    ///
    /// A route that was found but cannot be used is the most specific cause. Otherwise the state of the links decides.
    /// Only if the links are fine does it matter whether packets are rejected or have no route.
    func diagnosis(_ verdicts: [FamilyEvaluator.Outcome]) -> PathDiagnosis {
        let blocked = verdicts.compactMap { verdict -> PathDiagnosis? in
            if case .blocked(let diagnosis) = verdict { diagnosis } else { nil }
        }
        if let farthest = blocked.max(by: { Self.distance($0.reason) < Self.distance($1.reason) }) { return farthest }
        let ofLinks = diagnosisOfLinks
        guard ofLinks.reason == .noRoute else { return ofLinks }
        let isRejected = verdicts.contains(.rejected) || snapshot.hasRejectingRule
        return isRejected ? PathDiagnosis(.routeUnreachable) : ofLinks
    }

    private var diagnosisOfLinks: PathDiagnosis {
        guard !candidates.isEmpty else { return PathDiagnosis(.noInterface) }
        guard let firstUp = candidates.first(where: \.isUp) else {
            if let blocked = candidates.first(where: { $0.radioBlock != nil }) {
                return PathDiagnosis(.radioOff, interface: blocked.pathInterface)
            }
            return PathDiagnosis(.allDown, interface: candidates.only?.pathInterface)
        }
        let running = candidates.filter(\.isRunning)
        guard !running.isEmpty else { return PathDiagnosis(.noCarrier, interface: firstUp.pathInterface) }
        if running.contains(where: { $0.addresses.contains(where: \.canReachBeyondLink) }) {
            return PathDiagnosis(.noRoute)
        }
        let tentative = running.first { $0.addresses.contains { $0.isTentative && !$0.address.isLinkLocal } }
        if let tentative { return PathDiagnosis(.addressTentative, interface: tentative.pathInterface) }
        return PathDiagnosis(.noAddress, interface: running.first?.pathInterface)
    }

    /// Ranks a cause by how far packets got: the farther, the more specific the cause.
    private static func distance(_ reason: PathDiagnosis.Reason) -> Int {
        switch reason {
        case .noInterface, .allDown, .radioOff: 0
        case .noCarrier: 1
        case .dormant: 2
        case .noAddress: 3
        case .addressTentative: 4
        case .noRoute, .routeUnreachable: 5
        }
    }
}

extension Array {
    /// The element of an array with one element.
    fileprivate var only: Element? { count == 1 ? first : nil }
}
