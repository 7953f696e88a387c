// SPDX-License-Identifier: Apache-2.0

/// Contains the types that Apple nests in `NWPath` and `NWInterface`.
///
/// On Linux `OpenNetwork` exports this name instead of the shorter ones below. Their cases are then visible to a
/// program whose only import is `Network`, and the short names remain free for its other modules.
public enum DialtonePathTypes {}

// The short names within this package; a program uses those in `NetworkPath`.
package typealias InterfaceType = NetworkPath.InterfaceType
package typealias PathStatus = NetworkPath.Status
package typealias UnsatisfiedReason = NetworkPath.UnsatisfiedReason
package typealias LinkQuality = NetworkPath.LinkQuality

// On Apple platforms these are the system's own types. Elsewhere `OpenNetwork` declares Apple's nested names for the
// types below.
#if canImport(Darwin)
@_exported public import Network

extension NetworkPath {
    /// The kind of link that an interface is.
    public typealias InterfaceType = NWInterface.InterfaceType
    /// Whether connections can use a path.
    public typealias Status = NWPath.Status
    /// Apple's reason why a path is unsatisfied.
    public typealias UnsatisfiedReason = NWPath.UnsatisfiedReason
}
#else

extension NetworkPath {
    /// The kind of link that an interface is: Apple's `NWInterface.InterfaceType`.
    public typealias InterfaceType = DialtonePathTypes.InterfaceType
    /// Whether connections can use a path: Apple's `NWPath.Status`.
    public typealias Status = DialtonePathTypes.PathStatus
    /// Why a path is unsatisfied: Apple's `NWPath.UnsatisfiedReason`.
    public typealias UnsatisfiedReason = DialtonePathTypes.UnsatisfiedReason
}

extension DialtonePathTypes {
    // Deliberately not `CaseIterable`: Apple's is not, and programs add that conformance themselves.
    /// The kind of link that an interface is: Apple's `NWInterface.InterfaceType`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
    #endif
    public enum InterfaceType: Hashable, Sendable {
        /// A tunnel, or anything that the other cases do not describe.
        case other
        /// Wi-Fi.
        case wifi
        /// A modem of a mobile network.
        case cellular
        /// Real or virtual Ethernet that is not a tunnel.
        case wiredEthernet
        /// The loopback interface of this host.
        case loopback
    }

    /// Whether connections can use a path: Apple's `NWPath.Status`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
    #endif
    public enum PathStatus: Hashable, Sendable {
        /// A usable route exists.
        case satisfied
        /// No usable route exists, or policy forbids it.
        case unsatisfied
        /// No route exists yet, but trying to connect may bring one up.
        case requiresConnection
    }

    /// Why a path is unsatisfied: Apple's `NWPath.UnsatisfiedReason`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
    #endif
    public enum UnsatisfiedReason: Hashable, Sendable {
        /// No reason is given. Satisfied paths have this value too.
        case notAvailable
        /// The user forbids cellular data: on Linux, the modem's radio is switched off (rfkill).
        case cellularDenied
        /// The user forbids Wi-Fi: on Linux, its radio is switched off (rfkill) and nothing else is on.
        case wifiDenied
        /// The user forbids access to the local network.
        case localNetworkDenied
        /// A required VPN is not up.
        ///
        /// Never set on Linux, which cannot know of a required VPN: a kill switch is diagnosed as `routeUnreachable`.
        case vpnInactive
    }
}
#endif

extension DialtonePathTypes {
    /// How capable a link is expected to be: Apple's `NWPath.LinkQuality`, also on systems that do not have it yet.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
    #endif
    public enum LinkQuality: String, Hashable, Sendable {
        /// Not measured.
        case unknown
        /// Barely usable.
        case minimal
        /// Usable for most things, with interruptions.
        case moderate
        /// As good as the link can be.
        case good
    }
}

extension NetworkPath {
    /// How capable a link is expected to be: Apple's `NWPath.LinkQuality`, also on systems that do not have it yet.
    public typealias LinkQuality = DialtonePathTypes.LinkQuality
}

extension NetworkPath.InterfaceType {
    /// The types in the order of their values in C, both in Apple's interface and in `dialtone.h`.
    package static var all: [Self] { [.other, .wifi, .cellular, .wiredEthernet, .loopback] }

    /// Creates the type with a value in C; nil for an undefined value.
    package init?(cValue: UInt32) {
        guard cValue < Self.all.count else { return nil }
        self = Self.all[Int(cValue)]
    }

    /// The value in C; that of `other` for a type that Apple adds.
    package var cValue: UInt32 { UInt32(Self.all.firstIndex(of: self) ?? 0) }
}
