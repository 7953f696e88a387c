// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NetworkState

/// A conversation with a bus on which NetworkManager starts and stops, without bytes or sockets.
struct NetworkManagerViewTests {
    private static let owner = ":1.4"
    private static let manager = "org.freedesktop.NetworkManager"
    private var view = NetworkManagerView()

    private static func message(_ bytes: [UInt8]) throws -> BusMessage { try BusMessage(bytes[...]) }

    /// Answers the pending calls with the results of `answer`; nil is an error.
    private mutating func serve(
        _ sender: String = NetworkManagerViewTests.owner, _ answer: (BusCall) -> BusEncoder.Value?
    ) throws {
        while true {
            let calls = view.dequeueCalls()
            if calls.isEmpty { return }
            for (serial, call) in calls {
                let bytes =
                    if let value = answer(call) {
                        BusMessage.encoded(.reply, answers: serial, sender: sender, value)
                    } else {
                        BusMessage.encoded(.error, answers: serial, sender: sender, .text("no"))
                    }
                try view.handle(Self.message(bytes))
            }
        }
    }

    private static func answer(_ call: BusCall, devices: [String: UInt32]) -> BusEncoder.Value? {
        switch call.member {
        case "Hello", "AddMatch": .text(":1.77")
        case "GetNameOwner": .text(owner)
        case "GetDevices": .array("o", devices.keys.sorted().map { .path($0) })
        case "GetAll":
            devices[call.path].map { BusMessage.properties("eth" + String(call.path.suffix(1)), metered: $0) }
        default: nil
        }
    }

    private mutating func signal(
        _ member: String, from sender: String = NetworkManagerViewTests.owner, path: String = "/",
        _ body: BusEncoder.Value,
        _ more: BusEncoder.Value...
    ) throws {
        var bytes = BusMessage.encoded(.signal, sender: sender, path: path, interface: "i", member: member, body)
        if let second = more.first, let third = more.dropFirst().first {
            bytes = BusMessage.encoded(
                .signal, sender: sender, path: path, interface: "i", member: member, body, second, third)
        }
        try view.handle(Self.message(bytes))
    }

    @Test mutating func `devices are found, followed, and removed with NetworkManager`() throws {
        try serve { Self.answer($0, devices: ["/d/1": 1, "/d/2": 4]) }
        #expect(view.isSettled)
        #expect(view.devices.mapValues(\.metered) == ["/d/1": .yes, "/d/2": .guessNo])

        try signal(
            "PropertiesChanged", path: "/d/2", .text(Self.manager + ".Device"),
            .array("{sv}", [.entry(.text("Metered"), .variant(.number(3)))]), .array("s", []))
        #expect(view.devices["/d/2"]?.metered == .guessYes)
        #expect(view.devices["/d/2"]?.interface == "eth2")

        try signal("DeviceAdded", .path("/d/3"))
        try serve { Self.answer($0, devices: ["/d/3": 2]) }
        #expect(view.devices["/d/3"]?.metered == .no)
        try signal("DeviceRemoved", .path("/d/1"))
        #expect(Set(view.devices.keys) == ["/d/2", "/d/3"])

        try signal("NameOwnerChanged", from: BusCall.bus, .text(Self.manager), .text(Self.owner), .text(""))
        #expect(view.devices.isEmpty && view.isSettled)
        try signal("NameOwnerChanged", from: BusCall.bus, .text(Self.manager), .text(""), .text(":1.9"))
        try serve(":1.9") { Self.answer($0, devices: ["/d/1": 2]) }
        #expect(view.devices.mapValues(\.metered) == ["/d/1": .no])
        // Signals of the previous instance are ignored.
        try signal("DeviceRemoved", .path("/d/1"))
        #expect(view.devices.count == 1)
    }

    @Test mutating func `without NetworkManager no calls are made`() throws {
        var members: [String] = []
        try serve(BusCall.bus) { call in
            members.append(call.member)
            return call.member == "GetNameOwner" ? nil : .text(":1.77")
        }
        #expect(members == ["Hello", "AddMatch", "AddMatch", "AddMatch", "GetNameOwner"])
        #expect(view.isSettled && view.devices.isEmpty)
    }

    @Test mutating func `messages of other senders are ignored`() throws {
        try serve { Self.answer($0, devices: ["/d/1": 2]) }
        try signal(
            "PropertiesChanged", from: ":1.66", path: "/d/1", .text(Self.manager + ".Device"),
            .array("{sv}", [.entry(.text("Metered"), .variant(.number(1)))]), .array("s", []))
        try signal("NameOwnerChanged", from: ":1.66", .text(Self.manager), .text(""), .text(":1.66"))
        try signal("NameOwnerChanged", from: BusCall.bus, .text("org.example"), .text(""), .text(":1.66"))
        #expect(view.devices.mapValues(\.metered) == ["/d/1": .no])
    }

    @Test mutating func `a bus that rejects the greeting ends the conversation`() throws {
        let first = try #require(view.dequeueCalls().first)
        #expect(throws: BusError.refused) {
            try view.handle(Self.message(BusMessage.encoded(.error, answers: first.serial)))
        }
    }

    @Test mutating func `many devices are queried a few at a time`() throws {
        let many = Dictionary(uniqueKeysWithValues: (0..<300).map { ("/d/\($0)", UInt32(1)) })
        var most = 0
        try serve { Self.answer($0, devices: many) }
        try signal("NameOwnerChanged", from: BusCall.bus, .text(Self.manager), .text(""), .text(Self.owner))
        while true {
            let calls = view.dequeueCalls()
            if calls.isEmpty { break }
            most = max(most, calls.count)
            for (serial, call) in calls {
                let value = try #require(Self.answer(call, devices: many))
                try view.handle(Self.message(BusMessage.encoded(.reply, answers: serial, sender: Self.owner, value)))
            }
        }
        #expect(view.devices.count == 300 && view.devices.values.allSatisfy { $0.metered == .yes })
        #expect(most <= 16)
    }

    @Test func `a link is identified by its name, and by its address if it has one`() {
        var device = ManagedDevice(interface: "cdc-wdm0", dataInterface: "wwan0")
        #expect(device.isLink(named: "wwan0", hardwareAddress: [2, 0, 0, 0, 1, 10]))
        #expect(!device.isLink(named: "cdc-wdm0", hardwareAddress: nil))
        device.hardwareAddress = "02:00:00:00:01:0a"
        #expect(device.isLink(named: "wwan0", hardwareAddress: [2, 0, 0, 0, 1, 10]))
        #expect(!device.isLink(named: "wwan0", hardwareAddress: [2, 0, 0, 0, 1, 11]))
        #expect(device.isLink(named: "wwan0", hardwareAddress: nil))
    }
}
