// SPDX-License-Identifier: Apache-2.0

import Netlink

/// The state of NetworkManager's devices, tracked through its messages: (view, message) -> view, calls.
///
/// It uses no socket: the caller passes messages in and sends the calls. NetworkManager may start and stop at any time.
struct NetworkManagerView {
    private(set) var devices: [String: ManagedDevice] = [:]
    /// Whether every call has been answered.
    var isSettled: Bool { questions.isEmpty && waiting.isEmpty }
    /// The calls to send, with their serial numbers, since they were last dequeued.
    private var calls: [(serial: UInt32, call: BusCall)] = []

    private enum Question { case greeting, subscription, owner, list, device(String) }
    private var questions: [UInt32: Question] = [:]
    private var lastSerial: UInt32 = 0
    /// The devices that are still to be queried.
    ///
    /// They are not queried all at once, to limit the replies in flight.
    private var waiting: [String] = []
    /// The unique name of NetworkManager's connection; nil while it is not running.
    private var owner: String?

    static let name = "org.freedesktop.NetworkManager"
    private static let path = "/org/freedesktop/NetworkManager"
    private static let device = "org.freedesktop.NetworkManager.Device"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let mostAtOnce = 16
    private static let mostDevices = 4096

    /// Creates a view that greets the bus, subscribes and queries, in this order so that no change is missed.
    init() {
        send(BusCall(bus: "Hello"), .greeting)
        let rules = [
            "sender='\(BusCall.bus)',interface='\(BusCall.bus)',member='NameOwnerChanged',arg0='\(Self.name)'",
            "sender='\(Self.name)',interface='\(Self.name)',path='\(Self.path)'",
            "sender='\(Self.name)',interface='\(Self.properties)',member='PropertiesChanged',arg0='\(Self.device)'",
        ]
        for rule in rules { send(BusCall(bus: "AddMatch", "type='signal'," + rule), .subscription) }
        send(BusCall(bus: "GetNameOwner", Self.name), .owner)
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
        switch message.kind {
        case .reply, .error:
            guard let serial = message.answers, let question = questions.removeValue(forKey: serial) else { return }
            try handle(message.kind == .reply ? message.body : nil, for: question)
        case .signal where message.sender == BusCall.bus: ownerChanged(message)
        case .signal where message.sender != nil && message.sender == owner: deviceChanged(message)
        default: break
        }
        queryWaiting()
    }

    /// Handles a reply; nil means an error.
    private mutating func handle(_ answer: [BusValue]?, for question: Question) throws(BusError) {
        switch question {
        case .greeting: if answer == nil { throw .refused }
        case .subscription: break
        case .owner:
            // An error means that the name has no owner.
            begin(with: answer?.first?.text)
        case .list:
            for path in answer?.first?.list ?? [] { path.text.map { add($0) } }
        case .device(let path):
            // A device may disappear before the call reaches it.
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
            send(BusCall(destination: Self.name, path: Self.path, interface: Self.name, member: "GetDevices"), .list)
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

    private mutating func queryWaiting() {
        while !waiting.isEmpty, questions.count < Self.mostAtOnce {
            let path = waiting.removeFirst()
            send(
                BusCall(
                    destination: Self.name, path: path, interface: Self.properties, member: "GetAll",
                    arguments: [Self.device]), .device(path))
        }
    }

    private mutating func send(_ call: BusCall, _ question: Question) {
        lastSerial &+= 1
        questions[lastSerial] = question
        calls.append((lastSerial, call))
    }
}

/// A device as NetworkManager describes it, reduced to the properties used here.
struct ManagedDevice: Hashable {
    /// The name of the link, or of the control port for a modem.
    var interface = ""
    /// The name of the link that carries the packets; empty without one.
    var dataInterface = ""
    /// The hardware address in the form `02:00:00:00:01:00`; empty without one.
    var hardwareAddress = ""
    var metered = Metered.unknown
    var isModem = false
}

extension ManagedDevice {
    /// Applies properties of `org.freedesktop.NetworkManager.Device`; missing properties keep their values.
    mutating func update(_ properties: [String: BusValue]) {
        if let text = properties["Interface"]?.text { interface = text }
        if let text = properties["IpInterface"]?.text { dataInterface = text }
        if let text = properties["HwAddress"]?.text { hardwareAddress = text.lowercased() }
        if let number = properties["Metered"]?.number {
            metered = UInt32(exactly: number).flatMap(Metered.init) ?? .unknown
        }
        // NM_DEVICE_TYPE_MODEM.
        if let number = properties["DeviceType"]?.number { isModem = number == 8 }
    }

    /// Returns whether this device is the given link.
    ///
    /// NetworkManager describes its own network namespace, in which a different link may have the same name. If both
    /// hardware addresses are known, they must be equal.
    func isLink(named name: String, hardwareAddress address: [UInt8]?) -> Bool {
        guard (dataInterface.isEmpty ? interface : dataInterface) == name else { return false }
        guard !hardwareAddress.isEmpty, let address = address.flatMap({ MACAddress(bytes: $0) }) else { return true }
        return hardwareAddress == address.description
    }
}
