//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import Netlink
package import NetworkState

/// A snapshot with what follows from it for every target, judged once.
package final class World: Sendable {
    let snapshot: NetworkSnapshot
    /// The way to anywhere.
    let path: PathEvaluation

    package init(_ snapshot: NetworkSnapshot) {
        self.snapshot = snapshot
        path = PathEvaluator(snapshot).evaluate()
    }

    /// The world after another one of the same hub.
    init(_ snapshot: NetworkSnapshot, after old: World?) {
        self.snapshot = snapshot
        if let old, old.snapshot.differsOnlyInHosts(from: snapshot) {
            path = old.path
        } else {
            path = PathEvaluator(snapshot).evaluate()
        }
    }

    /// Whether nothing differs that could make names resolve otherwise.
    func resolvesAlike(_ other: World) -> Bool {
        guard self !== other else { return true }
        return snapshot.resolver == other.snapshot.resolver
            && (path == other.path || path.withoutSignal == other.path.withoutSignal)
    }

    /// Whether there is nothing more to be known about some questions.
    func answers(_ questions: Set<RouteLookup>) -> Bool {
        if case .unavailable = snapshot.visibility { return true }
        return questions.allSatisfy { snapshot.hosts[$0] != nil }
    }

    /// Which questions have another answer than in an older world, when nothing else is different; nil when something is.
    func questionsThatDiffer(from old: World?) -> [RouteLookup]? {
        guard let old, old.snapshot.differsOnlyInHosts(from: snapshot) else { return nil }
        return snapshot.hosts.compactMap { old.snapshot.hosts[$0.key] == $0.value ? nil : $0.key }
    }
}

extension PathEvaluation {
    /// The path without what changes as a Wi-Fi link moves about in one network.
    fileprivate var withoutSignal: PathEvaluation {
        var path = self
        path.linkQuality = .unknown
        for place in path.interfaces.indices {
            path.interfaces[place].wifi?.accessPoint = nil
            path.interfaces[place].wifi?.quality = .unknown
        }
        return path
    }
}

#endif
