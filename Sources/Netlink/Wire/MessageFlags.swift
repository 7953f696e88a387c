// SPDX-License-Identifier: Apache-2.0

/// The flags of a netlink header: `nlmsg_flags` (`linux/netlink.h`).
public struct MessageFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The kernel's bits.
    public let rawValue: UInt16

    /// Creates flags from the kernel's bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `NLM_F_REQUEST`: a request to the kernel.
    public static let request = Self(rawValue: 0x1)
    /// `NLM_F_MULTI`: one of several, ended by `done`.
    public static let multipart = Self(rawValue: 0x2)
    /// `NLM_F_ACK`: answer even on success.
    public static let acknowledge = Self(rawValue: 0x4)
    /// `NLM_F_DUMP_INTR`: the table changed while it was dumped, so the dump may be inconsistent.
    public static let dumpInterrupted = Self(rawValue: 0x10)

    /// `NLM_F_DUMP` on a get request: the whole table.
    public static let dump = Self(rawValue: 0x300)

    /// `NLM_F_REPLACE` on a new request or its notification: an existing object was replaced.
    public static let replace = Self(rawValue: 0x100)
    /// `NLM_F_EXCL`: fail if the object exists.
    public static let exclusive = Self(rawValue: 0x200)
    /// `NLM_F_CREATE`: create the object if it does not exist.
    public static let create = Self(rawValue: 0x400)
    /// `NLM_F_APPEND`: add after an existing object.
    public static let append = Self(rawValue: 0x800)

    /// `NLM_F_CAPPED` on an error: the request is not repeated in full.
    static let capped = Self(rawValue: 0x100)
    /// `NLM_F_ACK_TLVS` on an error: extended-acknowledgement attributes follow.
    static let acknowledgementAttributes = Self(rawValue: 0x200)
}
