//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink

/// Finds the one thing to tell a person when there is no path: the nearest obstacle that they could remove.
struct ObstacleExplainer {
    let snapshot: NetworkSnapshot
    let requirements: PathRequirements

    /// A link that would carry the path but for something it waits for.
    var dormantLink: NetworkInterface? {
        candidates.first(where: \.isDormant)
    }

    /// Weighs what the kernel said of each family against the state of the links.
    ///
    /// A route that was found but cannot be used says most. Else the links say what is missing; only when nothing is
    /// missing there does it matter whether packets are rejected or just have no route.
    func obstacle(_ verdicts: [FamilyEvaluator.Verdict]) -> Obstacle {
        let blocked = verdicts.compactMap { verdict -> Obstacle? in
            if case .blocked(let obstacle) = verdict { obstacle } else { nil }
        }
        if let farthest = blocked.max(by: { Self.distance($0.reason) < Self.distance($1.reason) }) { return farthest }
        let ofLinks = obstacleOfLinks
        guard ofLinks.reason == .noRoute else { return ofLinks }
        let isRejected = verdicts.contains(.rejected) || snapshot.hasRejectingRule
        return isRejected ? Obstacle(.routeUnreachable) : ofLinks
    }

    private var obstacleOfLinks: Obstacle {
        let candidates = candidates
        guard !candidates.isEmpty else { return Obstacle(.noInterface) }
        let up = candidates.filter(\.isUp)
        guard !up.isEmpty else {
            if let blocked = candidates.first(where: { $0.radioBlock != nil }) {
                return Obstacle(.radioOff, interface: blocked.name)
            }
            return Obstacle(.allDown, interface: candidates.only?.name)
        }
        let running = up.filter(\.isRunning)
        guard !running.isEmpty else { return Obstacle(.noCarrier, interface: up.first?.name) }
        if running.contains(where: { $0.addresses.contains(where: \.canReachBeyondLink) }) { return Obstacle(.noRoute) }
        let tentative = running.first { $0.addresses.contains { $0.isTentative && !$0.address.isLinkLocal } }
        if let tentative { return Obstacle(.addressTentative, interface: tentative.name) }
        return Obstacle(.noAddress, interface: running.first?.name)
    }

    /// The links that a person would expect to lead out: hardware and Ethernet first, whatever is on otherwise.
    ///
    /// A bridge of containers, a dummy or a resting tunnel is no uplink that somebody forgot to plug in.
    /// When there is nothing else, such a bridge is told of if it runs.
    private var candidates: [NetworkInterface] {
        let links = snapshot.interfaces.filter {
            !$0.isLoopback && !$0.isEnslaved && requirements.allows($0, in: snapshot)
        }
        let uplinks = snapshot.uplinks(among: links).filter { !snapshot.isInternalBridge($0) || $0.isRunning }
        return uplinks.isEmpty ? links.filter(\.isUp) : uplinks
    }

    /// How far packets got: the farther, the more the obstacle says.
    private static func distance(_ reason: Obstacle.Reason) -> Int {
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
    /// The element, when there is just one.
    fileprivate var only: Element? { count == 1 ? first : nil }
}
