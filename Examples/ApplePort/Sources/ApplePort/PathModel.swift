// SPDX-License-Identifier: Apache-2.0

import Combine
import Foundation
import Network

/// The path in an app's model: `NWPathMonitor` behind a published property.
final class PathModel: ObservableObject {
    @Published private(set) var summary = "not known yet"
    @Published private(set) var isExpensive = false

    private let monitor: Network.NWPathMonitor
    private let paths = PassthroughSubject<NWPath, Never>()
    private var subscriptions: Set<Combine.AnyCancellable> = []

    init(queue: DispatchQueue) {
        monitor = NWPathMonitor()
        paths
            .removeDuplicates()
            .receive(on: queue)
            .sink { [weak self] path in self?.take(path) }
            .store(in: &subscriptions)
    }

    /// Starts the monitor; each path is published.
    func start(queue: DispatchQueue) {
        monitor.pathUpdateHandler = { [subject = Sending(paths)] path in subject.value.send(path) }
        monitor.start(queue: queue)
    }

    func stop() {
        monitor.cancel()
        paths.send(completion: .finished)
    }

    private func take(_ path: NWPath) {
        isExpensive = path.isExpensive
        summary = Self.words(for: path)
    }

    private static func words(for path: NWPath) -> String {
        switch path.status {
        case .satisfied:
            let links = path.availableInterfaces.map { "\($0.name) (\(words(for: $0.type)))" }
            let families = [(path.supportsIPv4, "IPv4"), (path.supportsIPv6, "IPv6")].filter(\.0).map(\.1)
            return "satisfied over \(links.joined(separator: ", ")), \(families.joined(separator: " and "))"
        case .requiresConnection: return "needs a connection first"
        case .unsatisfied: return "unsatisfied: \(path.unsatisfiedReason)"
        @unknown default: return "unknown"
        }
    }

    private static func words(for type: NWInterface.InterfaceType) -> String {
        switch type {
        case .wifi: "Wi-Fi"
        case .cellular: "cellular"
        case .wiredEthernet: "wired"
        case .loopback: "loopback"
        case .other: "other"
        @unknown default: "unknown"
        }
    }
}

/// Combine's subjects may be used on any thread, but do not declare this in their types.
struct Sending<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
