//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Netlink

/// Hears what is announced elsewhere than among links, addresses and routes: Wi-Fi, radio switches, NetworkManager, and the
/// costs that the program sets.
///
/// Nothing here waits, but for the first answer of NetworkManager, and for that not long.
struct Surroundings: ~Copyable {
    private var wifiEvents: WiFiEvents?
    private var wifiDescriptor: Int32 = -1
    private var radios = RadioSwitches()
    private var manager: NetworkManagerWatch
    private(set) var costs = CostRules.current

    /// What has changed.
    struct News: OptionSet {
        let rawValue: UInt8
        /// Something about Wi-Fi: read it again.
        static let wifi = Self(rawValue: 1)
        /// ``facts`` or ``costs``.
        static let facts = Self(rawValue: 2)
    }

    init(bus: BusAddress?) {
        manager = NetworkManagerWatch(bus)
    }

    /// The numbers for poll(2); negative where there is nothing to wait for.
    var descriptorNumbers: [Int32] {
        [wifiDescriptor, radios.descriptorNumber, manager.descriptorNumber]
    }

    /// When to look again even if nothing happens.
    var deadline: Double? { manager.deadline }

    var facts: LinkFacts {
        LinkFacts(managed: Array(manager.devices.values), switches: radios.switches)
    }

    /// There is a Wi-Fi switch, and all of them are off.
    var isWiFiSwitchedOff: Bool { radios.isWiFiOff }

    /// Waits for the answers of NetworkManager that are on their way, so that the first state is the right one.
    mutating func settle(within seconds: Double) {
        let end = MonotonicTime.now + seconds
        _ = manager.update()
        while manager.isExpectingAnswer, MonotonicTime.now < end {
            _ = Readiness.wait(for: [manager.descriptorNumber], seconds: end - MonotonicTime.now)
            _ = manager.update()
        }
    }

    /// Takes in what has happened.
    ///
    /// - Parameters:
    ///   - ready: which of ``descriptorNumbers`` can be read.
    ///   - hasNews: whether the kernel has told of a change just now.
    mutating func update(ready: some Collection<Bool>, hasNews: Bool) -> News {
        let ready = Array(ready)
        var news: News = []
        if ready[0], wifiEvents?.drain() == true { news.insert(.wifi) }
        if ready[1], radios.update() { news.insert(.facts) }
        if manager.update(hasNews: hasNews) { news.insert(.facts) }
        let costs = CostRules.current
        if costs != self.costs {
            self.costs = costs
            news.insert(.facts)
        }
        return news
    }

    /// Looks whether a radio that is off has been switched off.
    mutating func refreshRadios() {
        _ = radios.update()
    }

    /// From now on hears of what happens to Wi-Fi.
    ///
    /// - Returns: whether it did not until now, so that something may have been missed.
    mutating func listenToWiFi() -> Bool {
        guard wifiDescriptor < 0 else { return false }
        do throws(NetlinkError) {
            guard let events = try WiFiEvents() else { return false }
            wifiDescriptor = events.descriptorNumber
            wifiEvents = consume events
            return true
        } catch {
            // Refused by a sandbox: joining and leaving still show in the link's flags.
            return false
        }
    }
}
#endif
