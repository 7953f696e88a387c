//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells the service manager how the service is, over the datagram socket that it names in `$NOTIFY_SOCKET`.
///
/// The protocol of sd_notify(3), which other managers speak too; nothing of systemd is needed. Without that variable there is
/// nobody to tell, and nothing is done.
package struct ServiceNotifier: Sendable {
    /// Why a message did not arrive.
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The address is neither an absolute path nor an abstract name, or it is too long.
        case badAddress(String)
        /// The system refused, with this error.
        case system(Int32)

        package var description: String {
            switch self {
            case .badAddress(let address): "$NOTIFY_SOCKET is no address of a socket: \(address)"
            case .system(let code): "the service manager was not told: \(String(cString: strerror(code)))"
            }
        }
    }

    /// The address of the manager's socket: a path, or `@` and an abstract name; nil when nobody wants to be told.
    package let address: String?
    /// How often the manager wants a sign of life, at the least; nil when it wants none.
    package let watchdog: Duration?

    /// Reads what the manager asked for.
    ///
    /// - Parameters:
    ///   - environment: the process's environment.
    ///   - process: this process's number; a watchdog for another is not ours.
    package init(environment: [String: String], process: Int32 = getpid()) {
        address = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let isOurs = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdog = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// How often to give a sign of life: twice as often as asked for, as sd_watchdog_enabled(3) advises.
    package var beat: Duration? { watchdog.map { $0 / 2 } }

    /// Sends a message; does not wait for a manager that does not read.
    package func send(_ message: ServiceMessage) throws(Failure) {
        guard let address else { return }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        // An abstract name begins with a zero byte and ends with its length; a path ends with a zero byte.
        let isAbstract = address.hasPrefix("@")
        var bytes = Array(address.utf8)
        if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
        guard isAbstract || address.hasPrefix("/"), bytes.count > 1,
            bytes.count <= MemoryLayout.size(ofValue: name.sun_path),
            !address.utf8.contains(0)
        else { throw .badAddress(address) }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let length = (MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + bytes.count
        let socket = try Self.open()
        defer { close(socket) }
        let text = Array(message.text.utf8)
        let sent = withUnsafePointer(to: name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                sendto(socket, text, text.count, Self.flags, address, socklen_t(length))
            }
        }
        if sent < 0 { throw .system(errno) }
    }

    #if canImport(Darwin)
    private static let flags: Int32 = MSG_DONTWAIT
    private static func open() throws(Failure) -> Int32 {
        let number = socket(AF_UNIX, SOCK_DGRAM, 0)
        if number < 0 { throw .system(errno) }
        return number
    }
    #else
    private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    private static func open() throws(Failure) -> Int32 {
        #if canImport(Glibc)
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
        let kind = Int32(SOCK_DGRAM) | Int32(SOCK_CLOEXEC)
        #endif
        let number = socket(AF_UNIX, kind, 0)
        if number < 0 { throw .system(errno) }
        return number
    }
    #endif
}
