// SPDX-License-Identifier: Apache-2.0

import DialtoneHistory
import LibC
import Logging
import SystemSupport

/// Notifies the service manager through the datagram socket in `$NOTIFY_SOCKET`.
///
/// It implements the protocol of sd_notify(3), which other managers support too, without linking to systemd. Without
/// that variable it does nothing.
struct ServiceNotifier: Sendable {
    /// The address of the manager's socket: a path, or `@` and an abstract name; nil if no manager expects messages.
    let address: String?
    /// The maximum interval between two watchdog messages; nil if the manager expects none.
    let watchdog: Duration?

    /// Reads the manager's settings from the environment.
    ///
    /// - Parameter process: this process's ID; a watchdog for another process is ignored.
    init(environment: [String: String], process: Int32 = getpid()) {
        address = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let isOurs = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdog = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// The time between two of them: half of the watchdog interval, as sd_watchdog_enabled(3) advises.
    var interval: Duration? { watchdog.map { $0 / 2 } }

    /// Sends a message; does not wait for a manager that does not read.
    ///
    /// - Throws: `EINVAL` also if the address is neither an absolute path nor an abstract name.
    func send(_ message: ServiceMessage) throws(SystemError) {
        guard let address else { return }
        let isAbstract = address.hasPrefix("@")
        guard isAbstract ? address.utf8.count > 1 : address.hasPrefix("/"), !address.utf8.contains(0) else {
            throw SystemError(EINVAL)
        }
        let name = isAbstract ? [0] + address.utf8.dropFirst() : Array(address.utf8)
        try Sockets.sendDatagram(Array(message.text.utf8), toUnixSocket: name)
    }
}

/// A message from a service to its manager (sd_notify(3)): lines of `NAME=value`.
struct ServiceMessage: Hashable, Sendable {
    /// The lines, joined by line feeds.
    let text: String

    private init(_ text: String) { self.text = text }

    static let ready = ServiceMessage("READY=1")
    /// The service reloads its configuration; `ready` ends that.
    ///
    /// - Parameter time: the reading of CLOCK_MONOTONIC.
    static func reloading(at time: Duration) -> ServiceMessage {
        ServiceMessage("RELOADING=1\nMONOTONIC_USEC=\(Int(time / .microseconds(1)))")
    }
    static let stopping = ServiceMessage("STOPPING=1")
    /// The service is running: resets the watchdog.
    static let alive = ServiceMessage("WATCHDOG=1")

    /// A status text, on one line: control characters, which could start another line, become spaces.
    static func status(_ words: String) -> ServiceMessage {
        let line = String(
            String.UnicodeScalarView(
                words.unicodeScalars.prefix(500).map { $0.properties.generalCategory == .control ? " " : $0 }))
        return ServiceMessage("STATUS=" + line)
    }

    /// Combines both into one message.
    func and(_ other: ServiceMessage) -> ServiceMessage { ServiceMessage(text + "\n" + other.text) }
}

/// Reports to the service manager and to the history that the server is running.
struct ServiceReporter: Sendable {
    let notifier: ServiceNotifier
    let history: HistoryStore
    let logger: Logger
    var time = TimeSource.system

    /// Reports that the service is ready, and then that it is alive, until the task is cancelled.
    ///
    /// The watchdog message is sent only while connections are accepted and the history's queue is working. A queue
    /// that waits for a disk counts as working: a restart would wait for the same disk, and lose the records in memory.
    ///
    /// - Parameter responds: waits until the server has handled an event, and returns whether it is serving; it does not return
    ///   while the server hangs.
    func run(status: String, responds: @escaping @Sendable () async -> Bool) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [history] in
                let interval = Duration.seconds(history.configuration.tickInterval)
                while await pause(interval) { history.tick() }
            }
            group.addTask {
                // Without this message, systemd stops the service, so retry if the manager's queue is full.
                while !deliver(ServiceMessage.ready.and(.status(status))) {
                    guard await pause(.milliseconds(200)) else { return }
                }
                guard let interval = notifier.interval else { return }
                while await pause(interval) {
                    if await responds(), history.isResponding { _ = deliver(.alive) }
                }
            }
        }
    }

    func beginReload() async { await insist(.reloading(at: time.moment.monotonic)) }

    func endReload(status: String) async { await insist(.ready.and(.status(status))) }

    func end() async { await insist(.stopping) }

    /// Sends a message, again for up to a second while the manager's queue is full.
    private func insist(_ message: ServiceMessage) async {
        for _ in 0..<10 {
            if deliver(message) { return }
            _ = await pause(.milliseconds(100))
        }
    }

    /// Returns false once the task is cancelled.
    private func pause(_ duration: Duration) async -> Bool { (try? await time.sleep(for: duration)) != nil }

    /// - Returns: whether the message needs no further attempt.
    private func deliver(_ message: ServiceMessage) -> Bool {
        do {
            try notifier.send(message)
            return true
        } catch {
            logger.debug("service manager", metadata: ["error": "\(error)"])
            // The manager's queue may be full.
            return ![EAGAIN, ENOBUFS, ENOMEM].contains(error.number)
        }
    }
}
