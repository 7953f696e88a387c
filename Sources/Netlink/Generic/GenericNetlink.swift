// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
/// A client of the kernel's protocols that are found by name: generic netlink (genetlink(7)).
///
/// It belongs to one network namespace, and to one thread or actor at a time.
public struct GenericNetlink: ~Copyable {
    private var socket: RequestSocket
    private var wifi: GenericFamily?
    private var wireGuard: GenericFamily?

    /// `GENL_ID_CTRL`: the family that lists the others.
    static let control = MessageType(rawValue: 16)
    private static let controlVersion: UInt8 = 2

    /// Opens a socket, in the calling thread's network namespace.
    ///
    /// - Throws: `system`: see `NetlinkSocket`.
    public init() throws(NetlinkError) { try self.init(NetlinkSocket(.generic)) }

    /// Uses a socket, which may be one of another namespace.
    package init(_ socket: consuming NetlinkSocket) throws(NetlinkError) { self.socket = try RequestSocket(socket) }

    /// The family with a name, if it is loaded already.
    ///
    /// A query by name makes the kernel look for a module that provides the family, and wait for `modprobe`.
    mutating func loadedFamily(named name: String) throws(NetlinkError) -> GenericFamily? {
        try families().first { $0.name == name }
    }

    /// The Wi-Fi family, looked up once; nil while this kernel has no Wi-Fi.
    mutating func wifiFamily() throws(NetlinkError) -> GenericFamily? {
        if wifi == nil { wifi = try loadedFamily(named: Self.wifiFamilyName) }
        return wifi
    }

    /// The WireGuard family, looked up once; nil while this kernel has no WireGuard.
    mutating func wireGuardFamily() throws(NetlinkError) -> GenericFamily? {
        if wireGuard == nil { wireGuard = try loadedFamily(named: Self.wireGuardFamilyName) }
        return wireGuard
    }

    /// Overwrites the memory that held answers.
    mutating func wipe() { socket.wipe() }

    /// Every family that is loaded in this kernel.
    public mutating func families() throws(NetlinkError) -> [GenericFamily] {
        try socket.dump(Self.control, "CTRL_CMD_GETFAMILY") {
            GenericHeader.write(GenericFamily.Command.getFamily, version: Self.controlVersion, to: &$0)
        } read: { (payload) throws(NetlinkError) in
            try GenericFamily(payload)
        }
    }

    /// The objects that a command of a family lists.
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

    /// The kernel's answer about one object; nil when the object does not exist.
    mutating func query<Message>(
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
            let absences: [NetlinkError.Errno] = [.noSuchEntry, .noSuchDevice, .notSupported]
            guard error.code == .kernel, let number = error.errno, absences.contains(number) else { throw error }
        }
        return found
    }
}
#endif
