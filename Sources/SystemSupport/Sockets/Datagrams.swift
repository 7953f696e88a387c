// SPDX-License-Identifier: Apache-2.0

import LibC
import NetworkModel

extension Sockets {
    package struct Sender: Sendable {
        let host: NetworkAddress
        let port: UInt16
    }

    /// Receives a pending datagram; nil if none is pending.
    package static func receiveDatagram(
        _ descriptor: Descriptor, into buffer: inout [UInt8]
    ) throws(SystemError) -> (count: Int, sender: Sender)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let count = try SystemCall.attempt {
            unsafe withUnsafeMutableBytes(of: &storage) { address in
                unsafe recvfrom(
                    descriptor.number, &buffer, buffer.count, 0,
                    address.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
            }
        }
        guard let count else { return nil }
        let sender = unsafe withUnsafeBytes(of: &storage) { bytes in
            unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.flatMap { unsafe NetworkAddress($0) }.map {
                unsafe Sender(host: $0, port: UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
            }
        }
        return sender.map { (count, $0) }
    }

    package static func sendDatagram(
        _ descriptor: Descriptor, _ bytes: [UInt8], to receiver: Sender
    ) throws(SystemError) {
        _ = try SystemCall.check {
            unsafe withAddress(receiver.host, receiver.port) {
                unsafe sendto(descriptor.number, bytes, bytes.count, SocketConstant.noSignal, $0, $1)
            }
        }
    }
}
