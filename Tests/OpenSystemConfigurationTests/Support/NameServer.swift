// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import Synchronization
import SystemSupport

/// A small DNS server (RFC 1035) on 127.0.0.1 in the calling thread's namespace.
final class NameServer: Sendable {
    /// How it answers a query for a name.
    enum Behaviour: Hashable, Sendable {
        /// With the addresses of the query's family among these.
        case addresses([NetworkAddress])
        /// With `NXDOMAIN`.
        case noSuchName
        /// With `SERVFAIL`.
        case serverFailure
        /// Not at all.
        case silence
    }

    private struct State {
        var behaviours: [String: Behaviour] = [:]
        /// Queries for held names, which are answered later.
        var held: [(answer: [UInt8], to: sockaddr_in)] = []
        var holds: Set<String> = []
    }

    private let state = Mutex(State())
    private let socket: Descriptor
    /// Called with each name that is queried.
    let log: @Sendable (String) -> Void

    /// Opens port 53 and answers on a dedicated thread.
    init(log: @escaping @Sendable (String) -> Void = { _ in }) throws {
        socket = Descriptor(Foundation.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0))
        self.log = log
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket.number, $0, size) == 0 }
        }
        guard isBound else { throw NetlinkError(.system, operation: "bind") }
        try DedicatedThread.start(name: "nameserver") { [weak self, socket] in
            var buffer = [UInt8](repeating: 0, count: 512)
            var sender = sockaddr_in()
            while true {
                var length = size
                let count = withUnsafeMutablePointer(to: &sender) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        recvfrom(socket.number, &buffer, buffer.count, 0, $0, &length)
                    }
                }
                // The socket was shut down: the server has been released.
                guard count > 0, let self else { break }
                self.serve(Array(buffer[..<count]), sender)
            }
        }
    }

    deinit { shutdown(socket.number, Int32(SHUT_RDWR)) }

    func set(_ name: String, _ behaviour: Behaviour) {
        state.withLock { $0.behaviours[name] = behaviour }
    }

    /// Holds the answers for a name until they are released.
    func hold(_ name: String) {
        _ = state.withLock { $0.holds.insert(name) }
    }

    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.holds = []
            return state.held
        }
        for (answer, receiver) in held { send(answer, receiver) }
    }

    private func serve(_ lookup: [UInt8], _ sender: sockaddr_in) {
        guard let (name, type, end) = Self.parse(lookup) else { return }
        log(name)
        let (behaviour, isHeld) = state.withLock { ($0.behaviours[name] ?? .noSuchName, $0.holds.contains(name)) }
        guard let answer = Self.answer(lookup[..<end], type, behaviour) else { return }
        if isHeld {
            state.withLock { $0.held.append((answer, sender)) }
        } else {
            send(answer, sender)
        }
    }

    private func send(_ answer: [UInt8], _ receiver: sockaddr_in) {
        var receiver = receiver
        _ = withUnsafePointer(to: &receiver) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(socket.number, answer, answer.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// The name and type of the only lookup, and where it ends.
    private static func parse(_ bytes: [UInt8]) -> (name: String, type: UInt8, end: Int)? {
        var labels: [String] = []
        var offset = 12
        while offset < bytes.count, bytes[offset] > 0 {
            let end = offset + 1 + Int(bytes[offset])
            guard end < bytes.count else { return nil }
            labels.append(String(decoding: bytes[offset + 1..<end], as: UTF8.self))
            offset = end
        }
        guard offset + 5 <= bytes.count else { return nil }
        return (labels.joined(separator: "."), bytes[offset + 2], offset + 5)
    }

    private static func answer(_ lookup: ArraySlice<UInt8>, _ type: UInt8, _ behaviour: Behaviour) -> [UInt8]? {
        var addresses: [NetworkAddress] = []
        var code: UInt8 = 0
        switch behaviour {
        // A is 1 and AAAA is 28.
        case .addresses(let all): addresses = all.filter { ($0.family == .ipv4 ? 1 : 28) == type }
        case .noSuchName: code = 3
        case .serverFailure: code = 2
        case .silence: return nil
        }
        var bytes = Array(lookup)
        // A response, recursion available; one lookup, no authority, nothing additional.
        bytes[2] = 0x81
        bytes[3] = 0x80 | code
        bytes.replaceSubrange(4..<12, with: [0, 1, 0, UInt8(addresses.count), 0, 0, 0, 0])
        for address in addresses {
            // The name of the lookup, its type, class IN, a minute, and the address.
            bytes += [0xC0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, UInt8(address.byteCount)] + address.bytes
        }
        return bytes
    }
}
