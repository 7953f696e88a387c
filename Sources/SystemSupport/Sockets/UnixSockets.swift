// SPDX-License-Identifier: Apache-2.0

import LibC

// Sockets of other programs on this machine: unix(7). A name is a path, or an abstract name, which begins with a zero
// byte. A name that is too long results in ENAMETOOLONG.
extension Sockets {
    /// Opens a stream to a unix socket.
    package static func openStream(toUnixSocket name: [UInt8]) throws(SystemError) -> Descriptor {
        try unsafe openUnixSocket(.stream, name) { unsafe Int(LibC.connect($0, $1, $2)) }
    }

    /// Sends a datagram to a unix socket.
    package static func sendDatagram(_ bytes: [UInt8], toUnixSocket name: [UInt8]) throws(SystemError) {
        _ = try unsafe openUnixSocket(.datagram, name) {
            unsafe sendto($0, bytes, bytes.count, SocketConstant.noSignal, $1, $2)
        }
    }

    /// Opens a unix socket that receives datagrams under a name, which must be free.
    package static func openDatagramSocket(atUnixName name: [UInt8]) throws(SystemError) -> Descriptor {
        try unsafe openUnixSocket(.datagram, name) { unsafe Int(bind($0, $1, $2)) }
    }

    /// Opens a unix socket, and passes its number and the address of a name to a system call.
    private static func openUnixSocket(
        _ kind: Kind, _ name: [UInt8], _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int
    ) throws(SystemError) -> Descriptor {
        // A path ends with a zero byte; an abstract name is delimited by the length of the address.
        let bytes = name.first == 0 ? name : name + [0]
        var address = sockaddr_un()
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { throw SystemError(ENAMETOOLONG) }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let length = (MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + bytes.count
        let descriptor = try openSocket(ofFamily: AF_UNIX, kind)
        try SystemCall.check {
            unsafe pass(address, length: length) { unsafe call(descriptor.number, $0, $1) }
        }
        return descriptor
    }
}
