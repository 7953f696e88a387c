// SPDX-License-Identifier: Apache-2.0

/// The kind of a netlink message: `nlmsg_type`.
///
/// The values of rtnetlink (`linux/rtnetlink.h`) and the control values of every protocol (`linux/netlink.h`).
public struct MessageType: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// The kernel's number.
    public let rawValue: UInt16

    /// Creates a type from the kernel's number; unknown numbers are kept.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `NLMSG_NOOP`: to be ignored.
    public static let noOperation = Self(rawValue: 1)
    /// `NLMSG_ERROR`: the answer to a request, an error or (errno 0) an acknowledgement.
    public static let error = Self(rawValue: 2)
    /// `NLMSG_DONE`: the end of a dump.
    public static let done = Self(rawValue: 3)
    /// `NLMSG_OVERRUN`: data was lost.
    public static let overrun = Self(rawValue: 4)

    /// `RTM_NEWLINK`.
    public static let newLink = Self(rawValue: 16)
    /// `RTM_DELLINK`.
    public static let deleteLink = Self(rawValue: 17)
    /// `RTM_GETLINK`.
    public static let getLink = Self(rawValue: 18)
    /// `RTM_SETLINK`.
    public static let setLink = Self(rawValue: 19)
    /// `RTM_NEWADDR`.
    public static let newAddress = Self(rawValue: 20)
    /// `RTM_DELADDR`.
    public static let deleteAddress = Self(rawValue: 21)
    /// `RTM_GETADDR`.
    public static let getAddress = Self(rawValue: 22)
    /// `RTM_NEWROUTE`.
    public static let newRoute = Self(rawValue: 24)
    /// `RTM_DELROUTE`.
    public static let deleteRoute = Self(rawValue: 25)
    /// `RTM_GETROUTE`.
    public static let getRoute = Self(rawValue: 26)
    /// `RTM_NEWNEIGH`.
    public static let newNeighbor = Self(rawValue: 28)
    /// `RTM_DELNEIGH`.
    public static let deleteNeighbor = Self(rawValue: 29)
    /// `RTM_GETNEIGH`.
    public static let getNeighbor = Self(rawValue: 30)
    /// `RTM_NEWRULE`.
    public static let newRule = Self(rawValue: 32)
    /// `RTM_DELRULE`.
    public static let deleteRule = Self(rawValue: 33)
    /// `RTM_GETRULE`.
    public static let getRule = Self(rawValue: 34)
    /// `RTM_NEWNETCONF`.
    public static let newConfiguration = Self(rawValue: 80)
    /// `RTM_DELNETCONF`.
    public static let deleteConfiguration = Self(rawValue: 81)
    /// `RTM_GETNETCONF`.
    public static let getConfiguration = Self(rawValue: 82)
    /// `RTM_NEWNEXTHOP`.
    public static let newNextHop = Self(rawValue: 104)
    /// `RTM_DELNEXTHOP`.
    public static let deleteNextHop = Self(rawValue: 105)
    /// `RTM_GETNEXTHOP`.
    public static let getNextHop = Self(rawValue: 106)
}
