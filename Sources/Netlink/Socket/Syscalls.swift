// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)

import CLinux
import LibC
package import SystemSupport

/// Every system call of this module, each in a wrapper that does nothing else.
///
/// A failure becomes a `NetlinkError` that names the call; a call that a signal interrupts (`EINTR`) is repeated.
package enum Syscall {
    package static func openSocket(protocol: Int32) throws(NetlinkError) -> Descriptor {
        Descriptor(try check("socket(AF_NETLINK)") { socket(AF_NETLINK, CLinux_SOCK_RAW_CLOEXEC, `protocol`) })
    }

    static func bindSocket(_ descriptor: Descriptor) throws(NetlinkError) {
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        _ = try check("bind") {
            unsafe withUnsafeBytes(of: &address) {
                unsafe bind(
                    descriptor.number, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
            }
        }
    }

    /// The port that the kernel assigned to a bound socket.
    static func port(_ descriptor: Descriptor) throws(NetlinkError) -> UInt32 {
        var address = sockaddr_nl()
        var length = socklen_t(MemoryLayout<sockaddr_nl>.size)
        _ = try check("getsockname") {
            unsafe withUnsafeMutableBytes(of: &address) {
                unsafe getsockname(descriptor.number, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
            }
        }
        return address.nl_pid
    }

    static func setOption(
        _ descriptor: Descriptor, level: Int32, _ option: Int32, _ value: Int32
    ) throws(NetlinkError) {
        _ = try check("setsockopt(\(level), \(option))") {
            var value = value
            return unsafe setsockopt(descriptor.number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    static func setReceiveTimeout(_ descriptor: Descriptor, seconds: Int) throws(NetlinkError) {
        _ = try check("setsockopt(SO_RCVTIMEO)") {
            var value = timeval(tv_sec: seconds, tv_usec: 0)
            return unsafe setsockopt(
                descriptor.number, SOL_SOCKET, SO_RCVTIMEO, &value, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    static func sendBytes(_ descriptor: Descriptor, _ bytes: [UInt8]) throws(NetlinkError) {
        _ = try check("send") {
            unsafe bytes.withUnsafeBytes { unsafe send(descriptor.number, $0.baseAddress, $0.count, 0) }
        }
    }

    /// Receives one datagram.
    ///
    /// The count is its true length, which may exceed the buffer's.
    static func receive(
        _ descriptor: Descriptor, into buffer: inout [UInt8], waiting: Bool
    ) throws(NetlinkError) -> (count: Int, sender: UInt32) {
        var address = sockaddr_nl()
        var length = socklen_t(MemoryLayout<sockaddr_nl>.size)
        let flags = CLinux_MSG_TRUNC | (waiting ? 0 : CLinux_MSG_DONTWAIT)
        let count = try check("recvfrom") {
            unsafe buffer.withUnsafeMutableBytes { buffer in
                unsafe withUnsafeMutableBytes(of: &address) { address in
                    unsafe recvfrom(
                        descriptor.number, buffer.baseAddress, buffer.count, flags,
                        address.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
                }
            }
        }
        return (count, address.nl_pid)
    }

    /// Receives several datagrams, each into a slot of the buffer, and waits for the first only: see `CLinux_receive`.
    static func receive(
        _ descriptor: Descriptor, into buffer: inout [UInt8], slot: Int, _ lengths: inout [UInt32]
    ) throws(NetlinkError) -> Int {
        let count = min(lengths.count, buffer.count / slot)
        return Int(
            try check("recvmmsg") {
                unsafe buffer.withUnsafeMutableBytes { buffer in
                    unsafe lengths.withUnsafeMutableBufferPointer { lengths in
                        unsafe CLinux_receive(
                            descriptor.number, buffer.baseAddress, slot, UInt32(count), lengths.baseAddress)
                    }
                }
            })
    }

    static func attachFilter(
        _ descriptor: Descriptor, _ program: [CLinux_FilterInstruction]
    ) throws(NetlinkError) {
        _ = try check("setsockopt(SO_ATTACH_FILTER)") {
            unsafe program.withUnsafeBufferPointer {
                unsafe CLinux_attachFilter(descriptor.number, $0.baseAddress, UInt16(truncatingIfNeeded: $0.count))
            }
        }
    }

    /// The unique ID of the network namespace that a socket belongs to.
    static func namespaceCookie(_ descriptor: Descriptor) throws(NetlinkError) -> UInt64 {
        var cookie: UInt64 = 0
        _ = try check("getsockopt(SO_NETNS_COOKIE)") { unsafe CLinux_namespaceCookie(descriptor.number, &cookie) }
        return cookie
    }

    /// Turns -1 into the error in `errno`, and repeats the call after a signal.
    package static func check<Value: SignedInteger>(
        _ operation: @autoclosure () -> String, _ call: () -> Value
    ) throws(NetlinkError) -> Value {
        do {
            return Value(try SystemCall.check { Int(call()) })
        } catch {
            throw NetlinkError(error, operation: operation())
        }
    }
}

#endif
