// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneNotifications
import Dispatch
import Synchronization
import SystemSupport

/// Watches the real network with each class that delivers changes, for the demonstration.
///
/// Each row has the value that one class has delivered; nothing is derived from another row.
final class VariantWatch: Sendable {
    /// The classes, in the order of the rows.
    enum Variant: String, Hashable, Sendable, CaseIterable {
        case zeroAddress = "SCNetworkReachability, zero address"
        case hostName = "SCNetworkReachability, host name"
        case addressPair = "SCNetworkReachability, address pair"
        case path = "NWPathMonitor"
        case wifiPath = "NWPathMonitor, Wi-Fi only"
        case hostNotification = "Notification of HostMonitor"
        case pathNotification = "Notification of PathMonitor"
    }

    private let values = Mutex<[Variant: String]>([:])
    private let stops = Mutex<[@Sendable () -> Void]>([])
    private let queue = DispatchQueue(label: "dialtone.variants")
    private let receive: @Sendable (Variant, String) -> Void

    /// Creates a watch without starting it.
    ///
    /// - Parameter receive: called with each change; must return quickly.
    init(receive: @escaping @Sendable (Variant, String) -> Void) { self.receive = receive }

    deinit { stop() }

    /// The rows, in order, with the newest value of each.
    var rows: [(variant: Variant, value: String?)] {
        let values = values.withLock { $0 }
        return Variant.allCases.map { ($0, values[$0]) }
    }

    /// Starts watching.
    ///
    /// - Parameter host: the host of the rows that need one.
    func start(host: String) {
        listen(.zeroAddress, ReachabilityListener())
        listen(.hostName, ReachabilityListener(host: host))
        // An address that documentation uses: a route to it is a route to the Internet.
        if let remote = IPv4Address("198.51.100.1") {
            listen(.addressPair, ReachabilityListener(localAddress: IPv4Address.any, remoteAddress: remote))
        }
        watch(.path, NWPathMonitor())
        watch(.wifiPath, NWPathMonitor(requiredInterfaceType: .wifi))
        observeNotifications(of: host)
    }

    /// Stops watching.
    func stop() {
        let stops = stops.withLock { stops in
            defer { stops = [] }
            return stops
        }
        for stop in stops { stop() }
    }

    private func listen(_ variant: Variant, _ listener: ReachabilityListener?) {
        guard let listener else { return }
        listener.start(queue: queue) { [weak self] flags in
            self?.record("\(FlagText.text(flags)) \(FlagText.words(flags))", of: variant)
        }
        whenStopped { listener.stop() }
    }

    private func watch(_ variant: Variant, _ monitor: NWPathMonitor) {
        monitor.pathUpdateHandler = { [weak self] path in
            let links = path.availableInterfaces.map(\.name).joined(separator: ", ")
            let link = links.isEmpty ? "" : " over \(links)"
            self?.record("\(path.status)\(path.status == .satisfied ? link : "")", of: variant)
        }
        monitor.start(queue: queue)
        whenStopped { monitor.cancel() }
    }

    private func observeNotifications(of host: String) {
        let center = NotificationCenter()
        let paths = PathMonitor(center: center)
        observe(.pathNotification, .networkPathDidChange, center)
        paths.start(queue: queue)
        whenStopped { paths.stop() }
        guard let hosts = HostMonitor(hostname: host, center: center) else { return }
        observe(.hostNotification, .hostReachabilityDidChange, center)
        hosts.start(queue: queue)
        whenStopped { hosts.stop() }
    }

    private func observe(_ variant: Variant, _ name: Notification.Name, _ center: NotificationCenter) {
        // The center is released with the monitors, and its observers with it.
        _ = center.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
            let parts = (notification.userInfo ?? [:]).compactMap { key, value -> String? in
                guard let flag = value as? Bool else { return "\(key): \(value)" }
                return flag ? "\(key)" : nil
            }
            self?.record(parts.sorted().joined(separator: ", "), of: variant)
        }
    }

    private func whenStopped(_ stop: @escaping @Sendable () -> Void) { stops.withLock { $0.append(stop) } }

    private func record(_ value: String, of variant: Variant) {
        let isNew = values.withLock { $0.updateValue(value, forKey: variant) != value }
        if isNew { receive(variant, value) }
    }
}

/// Reachability flags in the format that every sample program prints, such as `-R -----l-`.
enum FlagText {
    /// A letter and its meaning.
    struct Letter: Sendable {
        let letter: Character
        let flag: SCNetworkReachabilityFlags
        let meaning: String
    }

    /// The letters in order; the text has a space after the second.
    static let letters: [Letter] = [
        Letter(letter: "W", flag: .cellular, meaning: "over a cellular network"),
        Letter(letter: "R", flag: .reachable, meaning: "reachable"),
        Letter(letter: "t", flag: .transientConnection, meaning: "over a transient connection"),
        Letter(letter: "c", flag: .connectionRequired, meaning: "a connection must be made first"),
        Letter(letter: "C", flag: .connectionOnTraffic, meaning: "traffic establishes the connection"),
        Letter(letter: "i", flag: .interventionRequired, meaning: "the user must act first"),
        Letter(letter: "D", flag: .connectionOnDemand, meaning: "established on demand"),
        Letter(letter: "l", flag: .isLocalAddress, meaning: "an address of this machine"),
        Letter(letter: "d", flag: .isDirect, meaning: "on a link of this machine, without a router"),
    ]

    /// The flags as letters.
    static func text(_ flags: SCNetworkReachabilityFlags) -> String {
        let marks = letters.map { flags.contains($0.flag) ? $0.letter : "-" }
        return String(marks.prefix(2)) + " " + String(marks.dropFirst(2))
    }

    /// The flags in words.
    static func words(_ flags: SCNetworkReachabilityFlags) -> String {
        guard !flags.isEmpty else { return "not reachable" }
        return letters.filter { flags.contains($0.flag) }.map(\.meaning).joined(separator: ", ")
    }
}
