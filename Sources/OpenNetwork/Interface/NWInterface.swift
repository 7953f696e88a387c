// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

package import NetworkModel
import NetworkState

/// A network interface of this host.
///
/// Mirrors Apple's `NWInterface`. Two interfaces are equal if their indexes and names are. The type is not compared, so
/// that an interface stays equal when its type becomes known later.
public struct NWInterface: Hashable, Sendable, CustomDebugStringConvertible {
    /// The kind of link that an interface is.
    public typealias InterfaceType = DialtonePathTypes.InterfaceType

    /// The kind of link that the interface is.
    public let type: InterfaceType

    /// The name that the kernel gives the interface, such as `eth0`.
    public let name: String

    /// The index that the kernel gives the interface, as `if_nametoindex` returns it.
    public let index: Int

    package init(type: InterfaceType, name: String, index: Int) {
        self.type = type
        self.name = name
        self.index = index
    }

    package init(_ interface: NetworkPath.Interface) {
        self.init(type: interface.type, name: interface.name, index: interface.index)
    }

    /// Returns whether two values are the same interface, with the same index and name.
    public static func == (lhs: NWInterface, rhs: NWInterface) -> Bool {
        lhs.index == rhs.index && lhs.name == rhs.name
    }

    /// Hashes the index and the name, which `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(index)
        hasher.combine(name)
    }

    /// The interface's name.
    public var debugDescription: String { name }
}

extension NWInterface {
    /// Finds the interface called `name`, which may be one of the alternative names that the kernel keeps for it.
    init?(_ name: String) {
        guard let index = InterfaceNames.index(of: name) else { return nil }
        self.init(Int(index))
    }

    /// Finds the interface with the kernel's index `index`, under its primary name.
    ///
    /// If a sandbox hides the kernel's list of interfaces, the type is unknown.
    init?(_ index: Int) {
        let interfaces = (try? KernelSource.currentInterfaces()) ?? []
        if let known = interfaces.first(where: { Int($0.index) == index }) {
            self.init(known.pathInterface)
        } else if let name = UInt32(exactly: index).flatMap(InterfaceNames.name(of:)) {
            self.init(type: .other, name: name, index: index)
        } else {
            return nil
        }
    }
}

extension NWInterface {
    /// A radio technology.
    ///
    /// Mirrors Apple's `NWInterface.RadioType`, which connection reports use; an interface does not carry one.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
    #endif
    public enum RadioType: Sendable {
        /// An IEEE 802.11 radio.
        case wifi(WiFi)

        /// A cellular radio.
        case cell(Cellular)

        /// An IEEE 802.11 amendment.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive(warn)
        #endif
        public enum WiFi: Hashable, Sendable {
            /// 802.11b.
            case b

            /// 802.11a.
            case a

            /// 802.11g.
            case g

            /// 802.11n.
            case n

            /// 802.11ac.
            case ac

            /// 802.11ax.
            case ax
        }

        /// A cellular technology.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive(warn)
        #endif
        public enum Cellular: Sendable {
            /// LTE.
            case lte

            /// 5G anchored on LTE.
            case dualConnectivity5G(NewRadio5GVariant)

            /// 5G on its own.
            case standalone5G(NewRadio5GVariant)

            /// Wideband CDMA.
            case wcdma

            /// GSM.
            case gsm

            /// CDMA.
            case cdma

            /// EV-DO.
            case evdo

            /// A frequency range of 5G New Radio.
            #if hasAttribute(nonexhaustive)
            @nonexhaustive(warn)
            #endif
            public enum NewRadio5GVariant: Hashable, Sendable {
                /// Below 6 GHz.
                case sub6GHz

                /// Millimeter waves.
                case mmWave
            }
        }
    }
}

#endif
