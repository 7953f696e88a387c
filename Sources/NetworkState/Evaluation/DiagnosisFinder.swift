// SPDX-License-Identifier: Apache-2.0

import Netlink

/// Finds the one cause to report when there is no path: the nearest one that a person could fix.
struct DiagnosisFinder {
    private let interfaces: [NetworkInterface]
    private let hasRejectingRule: Bool
    /// The links that a person expects to lead to the Internet: hardware and Ethernet, or else all that are up.
    ///
    /// A container bridge, a dummy or an unused tunnel is not an unplugged uplink. If there is no uplink at all, such a
    /// bridge is reported if it is running. These are places in the snapshot's links.
    private let candidates: [Int]

    init(snapshot: NetworkSnapshot, filter: PathFilter) {
        interfaces = snapshot.interfaces
        hasRejectingRule = snapshot.hasRejectingRule
        let links = snapshot.interfaces
        let allowed = links.indices.filter {
            !links.isLoopback(at: $0) && !links.isEnslaved(at: $0)
                && (filter.isUnrestricted || filter.allows(links[$0], in: snapshot))
        }
        let uplinks = snapshot.uplinks(among: allowed).filter {
            links[$0].flags.isRunning || !snapshot.isInternalBridge(at: $0)
        }
        candidates = uplinks.isEmpty ? allowed.filter { links[$0].flags.contains(.up) } : uplinks
    }

    /// A link that would carry the path if it were not waiting for something.
    var dormantLink: NetworkPath.Interface? {
        candidates.first { interfaces[$0].flags.isDormant }.map { interfaces[$0].pathInterface }
    }

    /// Combines the kernel's answers for each family with the state of the links.
    ///
    /// A route that was found but cannot be used is the most specific cause. Otherwise the state of the links decides.
    /// Only if the links are fine does it matter whether packets are rejected or have no route.
    func diagnosis(_ outcomes: [FamilyEvaluator.Outcome]) -> PathDiagnosis {
        let blocked = outcomes.compactMap { outcome -> PathDiagnosis? in
            if case .blocked(let diagnosis) = outcome { diagnosis } else { nil }
        }
        if let farthest = blocked.max(by: { Self.distance($0) < Self.distance($1) }) { return farthest }
        let ofLinks = diagnosisOfLinks
        guard ofLinks.reason == .noRoute else { return ofLinks }
        let isRejected = outcomes.contains(.rejected) || hasRejectingRule
        return isRejected ? PathDiagnosis(.routeUnreachable) : ofLinks
    }

    private var diagnosisOfLinks: PathDiagnosis {
        guard !candidates.isEmpty else { return PathDiagnosis(.noInterface) }
        guard let firstUp = candidates.first(where: { interfaces[$0].flags.contains(.up) }) else {
            let blocked = candidates.first { interfaces[$0].radioBlock != nil }
            if let blocked { return diagnosis(.radioOff, blocked) }
            return diagnosis(.allDown, candidates.count == 1 ? candidates.first : nil)
        }
        let running = candidates.filter { interfaces[$0].flags.isRunning }
        guard !running.isEmpty else { return diagnosis(.noCarrier, firstUp) }
        if running.contains(where: { interfaces[$0].addresses.contains(where: \.canReachBeyondLink) }) {
            return PathDiagnosis(.noRoute)
        }
        let tentative = running.first {
            interfaces[$0].addresses.contains { $0.isTentative && !$0.address.isLinkLocal }
        }
        return diagnosis(tentative == nil ? .noAddress : .addressTentative, tentative ?? running.first)
    }

    private func diagnosis(_ reason: PathDiagnosis.Reason, _ place: Int?) -> PathDiagnosis {
        PathDiagnosis(reason, interface: place.map { interfaces[$0].pathInterface })
    }

    /// Ranks a cause by how far packets got: the farther, the more specific the cause.
    private static func distance(_ diagnosis: PathDiagnosis) -> Int {
        switch diagnosis.reason {
        // Packets leave.
        case .noAddress where diagnosis.borrowedAddress != nil: 6
        case .noInterface, .allDown, .radioOff: 0
        case .noCarrier: 1
        case .dormant: 2
        case .noAddress: 3
        case .addressTentative: 4
        case .noRoute, .routeUnreachable: 5
        }
    }
}
