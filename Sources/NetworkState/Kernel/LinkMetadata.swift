// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)

import Netlink
import SystemSupport

/// Link metadata from sources other than the kernel's link list: radio switches and NetworkManager.
struct LinkMetadata: Equatable {
    var managed: [ManagedDevice] = []
    var switches: [RadioSwitch] = []

    /// Returns a link completed with these facts.
    func complete(_ link: NetworkInterface, _ message: LinkMessage?, _ wifi: WiFiReader.Entry?) -> NetworkInterface {
        var link = link
        link.wifi = wifi?.link
        link.metered = device(link, message)?.metered ?? .unknown
        switch link.type {
        case .wifi: link.radioBlock = switches.block(of: .wlan, named: wifi?.radio)
        case .cellular: link.radioBlock = switches.block(of: .wwan, named: nil)
        default: break
        }
        return link
    }

    /// Whether NetworkManager reports a link as a modem's.
    func isModem(_ message: LinkMessage) -> Bool {
        managed.contains {
            $0.isModem && $0.isLink(named: message.name ?? "", hardwareAddress: message.hardwareAddress)
        }
    }

    private func device(_ link: NetworkInterface, _ message: LinkMessage?) -> ManagedDevice? {
        let own = managed.filter { $0.isLink(named: link.name, hardwareAddress: message?.hardwareAddress) }
        // NetworkManager may list both a modem and its data link.
        return own.first { $0.metered != .unknown } ?? own.first
    }
}

/// Monitors link facts from sources other than rtnetlink: Wi-Fi, radio switches, NetworkManager, and cost settings.
///
/// It waits only for NetworkManager's first answer, and for a bounded time.
struct LinkMetadataMonitor: ~Copyable {
    private var wifiEvents: WiFiEvents?
    /// The file descriptors for poll(2); negative where there is nothing to wait for.
    private(set) var wifiDescriptor: Int32 = -1
    var radioDescriptor: Int32 { radios.descriptorNumber }
    var managerDescriptor: Int32 { manager.descriptorNumber }
    private var radios = RadioSwitches()
    private var manager: NetworkManagerWatch
    private(set) var costs = CostPolicy.ofProcess

    /// The parts that have changed.
    struct Changes: OptionSet {
        let rawValue: UInt8
        /// Wi-Fi state has changed and must be reread.
        static let wifi = Self(rawValue: 1)
        /// ``current`` or ``costs`` has changed.
        static let metadata = Self(rawValue: 2)
    }

    init(bus: BusAddress?) {
        manager = NetworkManagerWatch(bus)
    }

    /// When to update even without an event.
    var deadline: Double? { manager.deadline }

    var current: LinkMetadata {
        LinkMetadata(managed: Array(manager.devices.values), switches: radios.switches)
    }

    /// Whether there is a Wi-Fi switch and all of them are off.
    var isWiFiSwitchedOff: Bool { radios.isWiFiOff }

    /// Waits for pending answers of NetworkManager, so that the first state is complete.
    mutating func awaitFirstAnswer(within seconds: Double) {
        let end = MonotonicTime.now + seconds
        _ = manager.update()
        while manager.isExpectingAnswer, MonotonicTime.now < end {
            PollSet.wait(readable: [manager.descriptorNumber], seconds: end - MonotonicTime.now)
            _ = manager.update()
        }
    }

    /// Handles the events that have arrived.
    ///
    /// - Parameters:
    ///   - isWiFiReady: whether ``wifiDescriptor`` can be read.
    ///   - areRadiosReady: whether ``radioDescriptor`` can be read.
    ///   - hasKernelEvent: whether the kernel has just reported a change.
    mutating func update(isWiFiReady: Bool, areRadiosReady: Bool, hasKernelEvent: Bool) -> Changes {
        var changes: Changes = []
        if isWiFiReady, wifiEvents?.drain() == true { changes.insert(.wifi) }
        if areRadiosReady, radios.update() { changes.insert(.metadata) }
        if manager.update(hasKernelEvent: hasKernelEvent) { changes.insert(.metadata) }
        let costs = CostPolicy.ofProcess
        if costs != self.costs {
            self.costs = costs
            changes.insert(.metadata)
        }
        return changes
    }

    /// Rereads the radio switches.
    mutating func refreshRadios() {
        _ = radios.update()
    }

    /// Subscribes to Wi-Fi events.
    ///
    /// - Returns: whether the subscription is new, so that earlier events may have been missed.
    mutating func subscribeToWiFi() -> Bool {
        guard wifiDescriptor < 0 else { return false }
        do throws(NetlinkError) {
            guard let events = try WiFiEvents() else { return false }
            wifiDescriptor = events.descriptorNumber
            wifiEvents = consume events
            return true
        } catch {
            // A sandbox refused the subscription; the link's flags still show joining and leaving.
            return false
        }
    }
}

#endif
