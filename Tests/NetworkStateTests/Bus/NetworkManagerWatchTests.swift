// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CTestSupport
import Glibc
import TestSupport
import Testing

@testable import Netlink
@testable import NetworkState
import SystemSupport

/// The connection to the bus over a real socket, with a bus under the test's control.
@Suite(.real, .timeLimit(.minutes(5)))
struct NetworkManagerWatchTests {
    /// A private bus: a socket in a folder that is deleted with this object.
    private final class FakeBus {
        let path: String
        private var listener: Int32 = -1
        private var client: Int32 = -1

        init() {
            var template = Array("/tmp/dialtone-bus-XXXXXX".utf8CString)
            path = mkdtemp(&template).map { String(cString: $0) + "/socket" } ?? "/nowhere"
        }

        deinit {
            stop()
            unlink(path)
            rmdir(String(path.dropLast("/socket".count)))
        }

        func start() {
            unlink(path)
            listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(result == 0 && listen(listener, 4) == 0)
        }

        func accept() { client = CTest_accept(listener) }

        func hangUp() {
            close(client)
            client = -1
        }

        func stop() {
            if client >= 0 { hangUp() }
            if listener >= 0 { close(listener) }
            listener = -1
        }

        /// Everything that the client has sent so far.
        func received() -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            return Array(buffer.prefix(max(count, 0)))
        }

        func send(_ bytes: [UInt8]) { _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

        /// Accepts the client, and answers all its calls as a bus with NetworkManager and one metered device would.
        func serve(_ watch: inout NetworkManagerWatch) throws {
            accept()
            _ = watch.update()
            #expect(received().starts(with: [0] + Array("AUTH EXTERNAL ".utf8)))
            send(Array("OK 0123\r\n".utf8))
            for _ in 0..<8 {
                _ = watch.update()
                var rest = received()[...]
                if rest.starts(with: "BEGIN\r\n".utf8) { rest = rest.dropFirst("BEGIN\r\n".utf8.count) }
                while let length = try BusMessage.length(rest) {
                    let call = try BusMessage(rest.prefix(length))
                    answer(call, serial: Array(rest)[8...11].reversed().reduce(0) { $0 << 8 | UInt32($1) })
                    rest = rest.dropFirst(length)
                }
            }
        }

        private func answer(_ call: BusMessage, serial: UInt32) {
            let value: BusEncoder.Value =
                switch call.member {
                case "GetDevices": .array("o", [.path("/d/1")])
                case "GetAll": BusMessage.properties("eth0", metered: 1)
                default: .text(":1.4")
                }
            send(BusMessage.encoded(.reply, answers: serial, sender: ":1.4", value))
        }
    }

    private static func pace(answerBound: Double = 60, longestRetry: Double = 0.02) -> NetworkManagerWatch.Pace {
        .init(answerBound: answerBound, firstRetry: 0.01, longestRetry: longestRetry, shortestLook: 0)
    }

    /// The values that a test compares: an expectation cannot capture the watch itself, which is noncopyable.
    private struct Look {
        let isConnected: Bool
        let isAsking: Bool
        let deadline: Double?
        let metered: [String: Metered]

        init(_ watch: borrowing NetworkManagerWatch) {
            isConnected = watch.descriptorNumber >= 0
            isAsking = watch.isExpectingAnswer
            deadline = watch.deadline
            metered = watch.devices.mapValues(\.metered)
        }
    }

    /// Waits as the kernel's thread does.
    private func turn(_ watch: inout NetworkManagerWatch) -> Bool {
        // clock: the deadlines of the watch are on this clock.
        PollSet.wait(readable: [watch.descriptorNumber], seconds: watch.deadline.map { $0 - MonotonicTime.now } ?? 5)
        return watch.update()
    }

    @Test func `without a bus there is nothing to wait for`() {
        var watch = NetworkManagerWatch(BusAddress(path: "/nowhere/at/all"))
        var look = Look(watch)
        #expect(!look.isConnected && look.deadline == nil && !look.isAsking)
        let isNews = watch.update(hasKernelEvent: true)
        look = Look(watch)
        #expect(!isNews && look.deadline == nil)
    }

    @Test func `a bus that starts later is found at the next kernel event`() throws {
        let bus = FakeBus()
        var watch = NetworkManagerWatch(BusAddress(path: bus.path), pace: Self.pace())
        var look = Look(watch)
        #expect(look.deadline == nil)
        bus.start()
        _ = watch.update()
        look = Look(watch)
        #expect(!look.isConnected)
        _ = watch.update(hasKernelEvent: true)
        look = Look(watch)
        #expect(look.isConnected)
        try bus.serve(&watch)
        look = Look(watch)
        #expect(!look.isAsking && look.deadline == nil && look.metered == ["/d/1": .yes])

        bus.stop()
        let isNews = turn(&watch)
        look = Look(watch)
        #expect(isNews && look.metered.isEmpty)
        // It existed once, so the client polls until it is back.
        bus.start()
        while watch.descriptorNumber < 0 { _ = turn(&watch) }
        try bus.serve(&watch)
        look = Look(watch)
        #expect(look.metered == ["/d/1": .yes])
    }

    @Test func `a bus that does not answer is given up in time, and tried again`() {
        let bus = FakeBus()
        bus.start()
        // clock: as above.
        let before = MonotonicTime.now
        var watch = NetworkManagerWatch(BusAddress(path: bus.path), pace: Self.pace(answerBound: 0.05))
        // clock: as above.
        let (look, after) = (Look(watch), MonotonicTime.now)
        #expect(look.isAsking && look.deadline.map { (before + 0.05...after + 0.05).contains($0) } == true)
        while watch.descriptorNumber >= 0 { _ = turn(&watch) }
        let deadline = Look(watch).deadline
        #expect(deadline != nil)
        while watch.descriptorNumber < 0 { _ = turn(&watch) }
    }

    @Test(arguments: ["REJECTED\r\n", "OK\r\nnonsense that is no message at all, but long enough"])
    func `a bus that refuses or sends invalid data is disconnected`(answer: String) {
        let bus = FakeBus()
        bus.start()
        var watch = NetworkManagerWatch(BusAddress(path: bus.path), pace: Self.pace())
        bus.accept()
        bus.send(Array(answer.utf8))
        while watch.descriptorNumber >= 0 { _ = turn(&watch) }
        let look = Look(watch)
        #expect(look.metered.isEmpty && look.deadline != nil)
    }

    @Test func `a socket file without a listener is tried again with growing delays`() throws {
        let bus = FakeBus()
        bus.start()
        bus.stop()
        var watch = NetworkManagerWatch(BusAddress(path: bus.path), pace: Self.pace(longestRetry: 0.04))
        let isConnected = Look(watch).isConnected
        #expect(!isConnected)
        let first = try #require(Look(watch).deadline)
        var deadlines = [first]
        while deadlines.count < 8 {
            _ = turn(&watch)
            let deadline = try #require(Look(watch).deadline)
            // clock: as above. A busy machine makes it less.
            #expect(deadline - MonotonicTime.now < 0.041)
            if deadline != deadlines.last { deadlines.append(deadline) }
        }
        // Each delay begins at the last deadline, or later on a busy machine.
        for (pair, delay) in zip(zip(deadlines, deadlines.dropFirst()), [0.02, 0.04, 0.04, 0.04, 0.04, 0.04, 0.04]) {
            #expect(pair.1 - pair.0 > delay - 0.001, "\(deadlines)")
        }
    }

    @Test func `a serial port's lock file distinguishes a modem from a VPN`() throws {
        var template = Array("/tmp/dialtone-serial-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer { for name in ["ppp0.pid", "LCK..ttyACM0", ""] { remove("\(folder)/\(name)") } }
        func put(_ name: String, _ text: String) {
            guard let file = fopen("\(folder)/\(name)", "w") else { return }
            fputs(text, file)
            fclose(file)
        }
        let files = SerialModems.Files(pids: folder, locks: folder, owner: getuid())
        var link = try LinkMessage.sample(7)
        (link.name, link.kind) = ("ppp0", "ppp")
        #expect(!SerialModems.carries(link, files))
        put("ppp0.pid", "4711\n")
        #expect(!SerialModems.carries(link, files))
        put("LCK..ttyACM0", "      4712\n")
        #expect(!SerialModems.carries(link, files))
        put("LCK..ttyACM0", "      4711\n")
        #expect(SerialModems.carries(link, files))
        // Every user may write to the directory.
        #expect(!SerialModems.carries(link, SerialModems.Files(pids: folder, locks: folder, owner: getuid() + 1)))
        link.name = "../ppp0"
        #expect(!SerialModems.carries(link, files))
    }
}
#endif
