//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
/// Talks to the kernel's protocols that are found by name: generic netlink (genetlink(7)).
///
/// It speaks for one network namespace, and belongs to one thread or actor at a time.
public struct GenericNetlink: ~Copyable {
    private var socket: RequestSocket
    private var wifi: GenericFamily?
    private var wireGuard: GenericFamily?

    /// `GENL_ID_CTRL`: the family that knows the others.
    static let control = MessageType(rawValue: 16)
    private static let controlVersion: UInt8 = 2

    /// Opens a socket.
    ///
    /// - Parameter namespace: where; nil is the calling thread's network namespace.
    /// - Throws: `system`: see `NetlinkSocket`.
    public init(in namespace: NetworkNamespace? = nil) throws(NetlinkError) {
        socket = try RequestSocket(.generic, in: namespace)
    }

    /// The family with a name; nil when this kernel, as it runs now, does not have it.
    public mutating func family(named name: String) throws(NetlinkError) -> GenericFamily? {
        // GENL_NAMSIZ.
        guard name.utf8.count < 16, !name.utf8.contains(0) else { return nil }
        var found: GenericFamily?
        do {
            try socket.exchange(Self.control, [], operation: "CTRL_CMD_GETFAMILY \(name)") {
                GenericHeader.write(GenericFamily.Command.getFamily, version: Self.controlVersion, to: &$0)
                $0.attribute(GenericFamily.Attribute.name, name)
            } read: { (_, payload) throws(NetlinkError) in
                found = try GenericFamily(payload)
            }
        } catch let error {
            if error.code == .kernel, error.errno == .noSuchEntry { return nil }
            throw error
        }
        return found
    }

    /// The family with a name among those that are there already.
    ///
    /// Asking for one by its name makes the kernel look for a module that provides it, and wait for `modprobe`.
    mutating func loadedFamily(named name: String) throws(NetlinkError) -> GenericFamily? {
        try families().first { $0.name == name }
    }

    /// The family of Wi-Fi, looked up once; nil while this kernel has no Wi-Fi.
    mutating func wifiFamily() throws(NetlinkError) -> GenericFamily? {
        if wifi == nil { wifi = try loadedFamily(named: Self.wifiFamilyName) }
        return wifi
    }

    /// The family of WireGuard, looked up once; nil while this kernel has no WireGuard.
    mutating func wireGuardFamily() throws(NetlinkError) -> GenericFamily? {
        if wireGuard == nil { wireGuard = try loadedFamily(named: Self.wireGuardFamilyName) }
        return wireGuard
    }

    /// Overwrites what answers left in memory.
    mutating func wipe() { socket.wipe() }

    /// Every family that this kernel has now.
    public mutating func families() throws(NetlinkError) -> [GenericFamily] {
        try socket.dump(Self.control, "CTRL_CMD_GETFAMILY") {
            GenericHeader.write(GenericFamily.Command.getFamily, version: Self.controlVersion, to: &$0)
        } read: { (payload) throws(NetlinkError) in
            try GenericFamily(payload)
        }
    }

    /// Everything that a command of a family lists.
    mutating func dump<Message>(
        _ family: GenericFamily, command: UInt8, _ operation: String, write: (inout MessageWriter) -> Void = { _ in },
        read: (RawSpan) throws(NetlinkError) -> Message?
    ) throws(NetlinkError) -> [Message] {
        try socket.dump(family.type, operation) {
            GenericHeader.write(command, version: UInt8(truncatingIfNeeded: family.version), to: &$0)
            write(&$0)
        } read: { (payload) throws(NetlinkError) in
            try read(payload)
        }
    }

    /// What a command of a family says of one thing; nil when the kernel knows no such thing.
    mutating func ask<Message>(
        _ family: GenericFamily, command: UInt8, _ operation: String, write: (inout MessageWriter) -> Void,
        read: (RawSpan) throws(NetlinkError) -> Message?
    ) throws(NetlinkError) -> Message? {
        var found: Message?
        do {
            try socket.exchange(family.type, [], operation: operation) {
                GenericHeader.write(command, version: UInt8(truncatingIfNeeded: family.version), to: &$0)
                write(&$0)
            } read: { (_, payload) throws(NetlinkError) in
                found = try read(payload)
            }
        } catch let error {
            let absences: [Errno] = [.noSuchEntry, .noSuchDevice, .notSupported]
            guard error.code == .kernel, let number = error.errno, absences.contains(number) else { throw error }
        }
        return found
    }
}
#endif
