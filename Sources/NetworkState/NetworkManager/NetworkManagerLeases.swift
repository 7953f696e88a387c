// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import SystemSupport

/// Reads the DHCPv4 leases of NetworkManager's active connections over the system bus, which needs no privileges.
package enum NetworkManagerLeases {
    /// The options of each lease, by the names that NetworkManager gives them, such as `ip_address`.
    ///
    /// It blocks the thread, for `seconds` at most, and returns the leases that have been received by then. Without
    /// NetworkManager it returns at once.
    package static func current(within seconds: Double) -> [[String: String]] { current(.system, within: seconds) }

    static func current(_ address: BusAddress?, within seconds: Double) -> [[String: String]] {
        guard let address, let socket = UnixStream(address) else { return [] }
        var stream = BusStream(user: UnixStream.userIdentifier)
        var exchange: LeaseExchange?
        let deadline = MonotonicTime.now + seconds
        while exchange?.isComplete != true, MonotonicTime.now < deadline {
            do throws(BusError) {
                for (serial, call) in exchange?.dequeueCalls() ?? [] { stream.send(call, serial: serial) }
                stream.sent(try socket.write(stream.output))
                // The socket's buffer is larger than all calls together, so this rarely waits for space.
                let wait = deadline - MonotonicTime.now
                PollSet.wait(readable: [socket.number], seconds: stream.output.isEmpty ? wait : min(wait, 0.01))
                guard let bytes = try socket.read() else { continue }
                let messages = try stream.receive(bytes[...])
                if stream.isOpen, exchange == nil { exchange = LeaseExchange() }
                for message in messages { try exchange?.handle(message) }
            } catch {
                break
            }
        }
        return exchange?.leases ?? []
    }
}

/// The calls that read the leases, and their replies, without a socket: replies in, calls and leases out.
struct LeaseExchange {
    /// The options of the leases received so far.
    private(set) var leases: [[String: String]] = []
    /// Whether every call has been answered.
    var isComplete: Bool { questions.isEmpty }

    private enum Question { case greeting, connections, connection, lease }
    private var questions: [UInt32: Question] = [:]
    private var calls: [(serial: UInt32, call: BusCall)] = []
    private var lastSerial: UInt32 = 0

    /// Each container's bridge is an active connection, too.
    private static let mostConnections = 64
    private static let manager = NetworkManagerView.name

    init() {
        send(BusCall(bus: "Hello"), .greeting)
        get("ActiveConnections", of: Self.manager, at: "/org/freedesktop/NetworkManager", .connections)
    }

    /// Returns the calls to send now, and removes them.
    mutating func dequeueCalls() -> [(serial: UInt32, call: BusCall)] {
        defer { calls = [] }
        return calls
    }

    /// Handles one message.
    ///
    /// - Throws: `refused` if the bus rejects this program.
    mutating func handle(_ message: BusMessage) throws(BusError) {
        guard message.kind == .reply || message.kind == .error, let serial = message.answers,
            let question = questions.removeValue(forKey: serial)
        else { return }
        let answer = message.kind == .reply ? message.body.first : nil
        switch question {
        case .greeting: if answer == nil { throw .refused }
        case .connections:
            for path in (answer?.list ?? []).prefix(Self.mostConnections).compactMap(\.text) {
                get("Dhcp4Config", of: Self.manager + ".Connection.Active", at: path, .connection)
            }
        case .connection:
            // The path "/" means no object.
            guard let path = answer?.text, path != "/" else { return }
            get("Options", of: Self.manager + ".DHCP4Config", at: path, .lease)
        case .lease:
            if let options = answer?.dictionary { leases.append(options.compactMapValues(\.text)) }
        }
    }

    private mutating func get(_ property: String, of interface: String, at path: String, _ question: Question) {
        send(
            BusCall(
                destination: Self.manager, path: path, interface: "org.freedesktop.DBus.Properties", member: "Get",
                arguments: [interface, property]), question)
    }

    private mutating func send(_ call: BusCall, _ question: Question) {
        lastSerial &+= 1
        questions[lastSerial] = question
        calls.append((lastSerial, call))
    }
}

#endif
