// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import NetworkState
import Synchronization

extension ReachabilityHub {
    /// Returns the hub of the calling thread's network namespace, which uses the kernel and the C library's resolver.
    static func current() -> ReachabilityHub {
        let source = KernelSource.shared()
        return registry.withLock { registry in
            if let entry = registry[ObjectIdentifier(source)], let hub = entry.hub, entry.source === source {
                return hub
            }
            let hub = ReachabilityHub(
                source: source, everything: { KernelSource.currentSnapshot(hosts: $0) },
                answers: { try? KernelSource.currentAnswers($0, interfaces: $1) }, lookup: NameAnswer.ofSystem)
            registry = registry.filter { $0.value.hub != nil }
            registry[ObjectIdentifier(source)] = Entry(hub: hub, source: source)
            return hub
        }
    }

    private struct Entry {
        weak var hub: ReachabilityHub?
        weak var source: KernelSource?
    }

    private static let registry = Mutex<[ObjectIdentifier: Entry]>([:])
}

#endif
