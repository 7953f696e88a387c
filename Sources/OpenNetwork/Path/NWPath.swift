//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

/// What is known about reaching a network: whether it is usable, over what, and with what properties.
///
/// Mirrors Apple's `NWPath`. A path is a snapshot that never changes; copies share one object and cost a pointer. Two
/// paths are equal when everything known about them is, which is more than the public properties show.
public struct NWPath: Equatable, Sendable {
    private let state: PathState

    package init(_ contents: PathContents) {
        state = PathState(contents)
    }

    /// Everything known about the path.
    package var contents: PathContents { state.contents }

    /// The path of a monitor that has not started: unsatisfied, no interfaces, nothing supported.
    package static let unstarted = NWPath(PathContents())

    /// Whether connections can use the path.
    public var status: NWPath.Status { contents.status }

    /// The first reason found for an unsatisfied path; `.notAvailable` when there is none to give.
    public var unsatisfiedReason: NWPath.UnsatisfiedReason { contents.unsatisfiedReason }

    /// The interfaces the path can use, most preferred first.
    public var availableInterfaces: [NWInterface] { contents.availableInterfaces }

    /// Whether the path uses an interface that costs by volume, such as cellular or a phone's hotspot.
    public var isExpensive: Bool { contents.isExpensive }

    /// Whether the user asked for little data to be used.
    ///
    /// Linux knows no such wish: true only where the program, or who configures it, says so (`CostPolicy`).
    public var isConstrained: Bool { contents.isConstrained }

    /// Whether the path has very little capacity, such as a satellite link.
    ///
    /// Linux does not tell: true only where the program, or who configures it, says so (`CostPolicy`).
    public var isUltraConstrained: Bool { contents.isUltraConstrained }

    /// How capable the link is expected to be; no reason to refrain from connecting.
    ///
    /// Measured on Wi-Fi only, by the signal's strength: good from -67 dBm, moderate from -77 dBm, else minimal; a word is given up
    /// only 3 dB below where it begins. It is measured at every change and every 30 seconds.
    public var linkQuality: NWPath.LinkQuality { contents.linkQuality }

    /// Whether the path can carry IPv4.
    public var supportsIPv4: Bool { contents.supportsIPv4 }

    /// Whether the path can carry IPv6.
    public var supportsIPv6: Bool { contents.supportsIPv6 }

    /// Whether a DNS server is configured.
    public var supportsDNS: Bool { contents.supportsDNS }

    /// The routers the path leaves through, as addresses with port 0; link-local ones carry their interface.
    public var gateways: [NWEndpoint] { contents.gateways }

    /// The local end of a connection's path; always `nil` for the paths of a monitor.
    public var localEndpoint: NWEndpoint? { nil }

    /// The remote end of a connection's path; always `nil` for the paths of a monitor.
    public var remoteEndpoint: NWEndpoint? { nil }

    /// Whether traffic on this path may use an interface of the given type.
    ///
    /// A tunnel counts as `.other`, and also as the type of the link that carries it when that is known.
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
        contents.usedInterfaceTypes.contains(type)
    }
}

#endif
