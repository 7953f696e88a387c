// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Notifies the service manager through the datagram socket in `$NOTIFY_SOCKET`.
///
/// It implements the protocol of sd_notify(3), which other managers support too, without linking to systemd. Without
/// that variable it does nothing.
package struct ServiceNotifier: Sendable {
    /// The reason why a message was not delivered.
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The address is neither an absolute path nor an abstract name, or is too long.
        case badAddress(String)
        /// The system call failed with this error.
        case system(Int32)

        /// Whether a later attempt may succeed: the manager's queue was full.
        package var isTemporary: Bool {
            if case .system(let code) = self { [EAGAIN, ENOBUFS, ENOMEM].contains(code) } else { false }
        }

        package var description: String {
            switch self {
            case .badAddress(let address): "$NOTIFY_SOCKET is not a socket address: \(address)"
            case .system(let code): "cannot notify the service manager: \(String(cString: strerror(code)))"
            }
        }
    }

    /// The address of the manager's socket: a path, or `@` and an abstract name; nil if no manager expects messages.
    package let address: String?
    /// The maximum interval between two watchdog messages; nil if the manager expects none.
    package let watchdog: Duration?

    /// Reads the manager's settings from the environment.
    ///
    /// - Parameters:
    ///   - environment: the process's environment.
    ///   - process: this process's ID; a watchdog for another process is ignored.
    package init(environment: [String: String], process: Int32 = getpid()) {
        address = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let isOurs = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdog = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// The time between two heartbeats: half of the watchdog interval, as sd_watchdog_enabled(3) advises.
    package var interval: Duration? { watchdog.map { $0 / 2 } }

    /// Sends a message; does not wait for a manager that does not read.
    package func send(_ message: ServiceMessage) throws(Failure) {
        guard let address else { return }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        // An abstract name begins with a zero byte and is delimited by its length; a path ends with a zero byte.
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
