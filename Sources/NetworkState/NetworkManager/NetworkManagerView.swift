//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What NetworkManager says of its devices, followed through its messages: (view, message) -> view, calls.
///
/// No bytes, no socket: it is told what came, and says what to ask. NetworkManager may come, go and return at any time.
struct NetworkManagerView {
    private(set) var devices: [String: ManagedDevice] = [:]
    /// Whether everything that was asked has been answered.
    var isSettled: Bool { questions.isEmpty && waiting.isEmpty }
    /// The calls to be made, with their numbers, since they were last taken.
    private var calls: [(serial: UInt32, call: BusCall)] = []

    private enum Question { case greeting, subscription, owner, list, device(String) }
    private var questions: [UInt32: Question] = [:]
    private var lastSerial: UInt32 = 0
    /// Devices still to be asked about: not all at once, so that the answers stay few at a time.
    private var waiting: [String] = []
    /// The unique name of NetworkManager's connection; nil while it does not run.
    private var owner: String?

    static let name = "org.freedesktop.NetworkManager"
    private static let path = "/org/freedesktop/NetworkManager"
    private static let device = "org.freedesktop.NetworkManager.Device"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let mostAtOnce = 16
    private static let mostDevices = 4096

    /// Greets the bus, subscribes, and asks: in this order, so that no change is missed.
    init() {
        ask(BusCall(bus: "Hello"), .greeting)
        let rules = [
            "sender='\(BusCall.bus)',interface='\(BusCall.bus)',member='NameOwnerChanged',arg0='\(Self.name)'",
            "sender='\(Self.name)',interface='\(Self.name)',path='\(Self.path)'",
            "sender='\(Self.name)',interface='\(Self.properties)',member='PropertiesChanged',arg0='\(Self.device)'",
        ]
        for rule in rules { ask(BusCall(bus: "AddMatch", "type='signal'," + rule), .subscription) }
        ask(BusCall(bus: "GetNameOwner", Self.name), .owner)
    }

    /// The calls to be made now.
    mutating func takeCalls() -> [(serial: UInt32, call: BusCall)] {
        defer { calls = [] }
        return calls
    }

    /// Takes in one message.
    ///
    /// - Throws: `refused` when the bus does not want this program.
    mutating func take(_ message: BusMessage) throws(BusError) {
        switch message.kind {
        case .reply, .error:
            guard let serial = message.answers, let question = questions.removeValue(forKey: serial) else { return }
            try take(message.kind == .reply ? message.body : nil, for: question)
        case .signal where message.sender == BusCall.bus: ownerChanged(message)
        case .signal where message.sender != nil && message.sender == owner: deviceChanged(message)
        default: break
        }
        askWaiting()
    }

    /// An answer, or nil for an error.
    private mutating func take(_ answer: [BusValue]?, for question: Question) throws(BusError) {
        switch question {
        case .greeting: if answer == nil { throw .refused }
        case .subscription: break
        case .owner:
            // The error says that nobody has the name.
            begin(with: answer?.first?.text)
        case .list:
            for path in answer?.first?.list ?? [] { path.text.map { add($0) } }
        case .device(let path):
            // A device may be gone before the question reaches it.
            guard let answer, devices[path] != nil else { return }
            devices[path]?.update(answer.first?.dictionary ?? [:])
        }
    }

    private mutating func begin(with owner: String?) {
        self.owner = owner.flatMap { $0.isEmpty ? nil : $0 }
        devices = [:]
        waiting = []
        questions = questions.filter { _, question in
            switch question {
            case .list, .device: false
            default: true
            }
        }
        if self.owner != nil {
            ask(BusCall(destination: Self.name, path: Self.path, interface: Self.name, member: "GetDevices"), .list)
        }
    }

    private mutating func ownerChanged(_ signal: BusMessage) {
        guard signal.member == "NameOwnerChanged", signal.body.count == 3, signal.body[0].text == Self.name else {
            return
        }
        begin(with: signal.body[2].text)
    }

    private mutating func deviceChanged(_ signal: BusMessage) {
        switch signal.member {
        case "DeviceAdded": signal.body.first?.text.map { add($0) }
        case "DeviceRemoved":
            guard let path = signal.body.first?.text else { return }
            devices[path] = nil
            waiting.removeAll { $0 == path }
        case "PropertiesChanged":
            guard let path = signal.path, signal.body.count >= 2, signal.body[0].text == Self.device else { return }
            devices[path]?.update(signal.body[1].dictionary ?? [:])
        default: break
        }
    }

    private mutating func add(_ path: String) {
        guard devices[path] == nil, devices.count < Self.mostDevices else { return }
        devices[path] = ManagedDevice()
        waiting.append(path)
    }

    private mutating func askWaiting() {
        while !waiting.isEmpty, questions.count < Self.mostAtOnce {
            let path = waiting.removeFirst()
            ask(
                BusCall(
                    destination: Self.name, path: path, interface: Self.properties, member: "GetAll",
                    arguments: [Self.device]), .device(path))
        }
    }

    private mutating func ask(_ call: BusCall, _ question: Question) {
        lastSerial &+= 1
        questions[lastSerial] = question
        calls.append((lastSerial, call))
    }
}
