// SPDX-License-Identifier: Apache-2.0

import LibC

// Sockets of other programs on this machine: unix(7). A name is a path, or an abstract name, which begins with a zero
// byte. A name that is too long results in ENAMETOOLONG.
extension Sockets {
    /// Opens a stream to a unix socket.
    package static func openStream(toUnixSocket name: [UInt8]) throws(SystemError) -> Descriptor {
        let descriptor = try openSocket(ofFamily: AF_UNIX, .stream)
        let address = try UnixAddress(name)
        try SystemCall.check {
            unsafe pass(address.value, length: address.length) { unsafe LibC.connect(descriptor.number, $0, $1) }
        }
        return descriptor
    }

    /// Sends a datagram to a unix socket.
    package static func sendDatagram(_ bytes: [UInt8], toUnixSocket name: [UInt8]) throws(SystemError) {
        let descriptor = try openSocket(ofFamily: AF_UNIX, .datagram)
        let address = try UnixAddress(name)
        _ = try SystemCall.check {
            unsafe pass(address.value, length: address.length) {
                unsafe sendto(descriptor.number, bytes, bytes.count, SocketConstant.noSignal, $0, $1)
            }
        }
    }

    /// Opens a unix socket that receives datagrams under a name, which must be free.
    package static func openDatagramSocket(atUnixName name: [UInt8]) throws(SystemError) -> Descriptor {
        let descriptor = try openSocket(ofFamily: AF_UNIX, .datagram)
        let address = try UnixAddress(name)
        try SystemCall.check {
            unsafe pass(address.value, length: address.length) { unsafe bind(descriptor.number, $0, $1) }
        }
        return descriptor
    }

    private struct UnixAddress {
        var value = sockaddr_un()
        let length: Int

        init(_ name: [UInt8]) throws(SystemError) {
            // A path ends with a zero byte; an abstract name is delimited by the length of the address.
            let bytes = name.first == 0 ? name : name + [0]
            guard bytes.count <= MemoryLayout.size(ofValue: value.sun_path) else { throw SystemError(ENAMETOOLONG) }
            length = (MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + bytes.count
            value.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &value.sun_path) { unsafe $0.copyBytes(from: bytes) }
        }
    }
}
