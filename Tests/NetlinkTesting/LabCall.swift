// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)

import CLinux
import LibC
import Netlink
import SystemSupport

/// The system calls of namespaces and tunnels, each in a wrapper that does nothing else.
enum LabCall {
    static func openFile(_ path: String, flags: Int32) throws(NetlinkError) -> Descriptor {
        Descriptor(try Syscall.check("open \(path)") { unsafe open(path, flags | O_CLOEXEC) })
    }

    static func writeText(_ descriptor: Descriptor, _ text: String) throws(NetlinkError) {
        try writeBytes(descriptor, Array(text.utf8))
    }

    static func readBytes(_ descriptor: Descriptor, most: Int) throws(NetlinkError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = try Syscall.check("read") {
            unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor.number, $0.baseAddress, $0.count) }
        }
        return Array(bytes.prefix(count))
    }

    static func writeBytes(_ descriptor: Descriptor, _ bytes: [UInt8]) throws(NetlinkError) {
        _ = try Syscall.check("write") {
            unsafe bytes.withUnsafeBytes { unsafe write(descriptor.number, $0.baseAddress, $0.count) }
        }
    }

    static func enterNamespace(_ descriptor: Descriptor) throws(NetlinkError) {
        _ = try Syscall.check("setns(CLONE_NEWNET)") { CLinux_setns(descriptor.number, CLinux_CLONE_NEWNET) }
    }

    static func unshareNetwork() throws(NetlinkError) {
        _ = try Syscall.check("unshare(CLONE_NEWNET)") { CLinux_unshare(CLinux_CLONE_NEWNET) }
    }

    static func unshareUser() throws(NetlinkError) {
        _ = try Syscall.check("unshare(CLONE_NEWUSER)") { CLinux_unshare(CLinux_CLONE_NEWUSER) }
    }

    static func attachTun(
        _ descriptor: Descriptor, name: String, flags: Int16
    ) throws(NetlinkError) {
        _ = try Syscall.check("ioctl(TUNSETIFF)") { unsafe CLinux_tunSetInterface(descriptor.number, name, flags) }
    }

    static func setTunPersistent(_ descriptor: Descriptor) throws(NetlinkError) {
        _ = try Syscall.check("ioctl(TUNSETPERSIST)") { CLinux_tunSetPersistent(descriptor.number) }
    }

    static var threadIdentifier: Int32 { CLinux_gettid() }
    static var userIdentifier: UInt32 { geteuid() }
    static var groupIdentifier: UInt32 { getegid() }
}

#endif
