// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Glibc
import Netlink
import SystemSupport
import TestSupport

/// A UDP socket that echoes what it receives, and the client's side of the exchange.
final class Echo: Sendable {
    struct Failure: Error { let number = errno }

    /// What it has received.
    let received = Recorder<String>()
    private let address: NetworkAddress
    private let port: UInt16

    /// Answers in the calling thread's namespace, until the process ends.
    init(on address: NetworkAddress) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure() }
        var name = sockaddr_in(address, port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutableBytes(of: &name) { bytes in
            let name = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(descriptor, name, length) == 0 && getsockname(descriptor, name, &length) == 0
        }
        guard isBound else { throw Failure() }
        (self.address, port) = (address, UInt16(bigEndian: name.sin_port))
        try DedicatedThread.start(name: "echo") { [received] in Self.answer(descriptor, received) }
    }

    private static func answer(_ descriptor: Int32, _ received: Recorder<String>) {
        var bytes = [UInt8](repeating: 0, count: 256)
        while true {
            var name = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutableBytes(of: &name) { address in
                let address = address.assumingMemoryBound(to: sockaddr.self).baseAddress
                let count = recvfrom(descriptor, &bytes, bytes.count, 0, address, &length)
                guard count > 0 else { return }
                received.record(String(decoding: bytes[..<count], as: UTF8.self))
                sendto(descriptor, bytes, count, 0, address, length)
            }
        }
    }

    /// Sends a request from the calling thread's namespace.
    ///
    /// - Returns: the answer; nil when none arrived in time.
    func ask(_ question: String, seconds: Double = 5) throws -> String? {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure() }
        defer { close(descriptor) }
        var name = sockaddr_in(address, port: port)
        let bytes = Array(question.utf8)
        withUnsafeMutableBytes(of: &name) { name in
            let address = name.assumingMemoryBound(to: sockaddr.self).baseAddress
            _ = sendto(descriptor, bytes, bytes.count, 0, address, socklen_t(name.count))
        }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(seconds * 1000)) > 0 else { return nil }
        var answer = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor, &answer, answer.count, 0)
        return count > 0 ? String(decoding: answer[..<count], as: UTF8.self) : nil
    }
}

extension sockaddr_in {
    init(_ address: NetworkAddress, port: UInt16) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &sin_addr) { $0.copyBytes(from: address.bytes) }
    }
}
#endif
