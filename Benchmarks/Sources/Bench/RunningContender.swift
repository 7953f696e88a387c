// SPDX-License-Identifier: Apache-2.0

import CBench
import Glibc

/// A contender's line.
struct Line {
    /// When its handler ran; for a contender that does not print it, when the line was read.
    var stamp: Int64
    /// When the line was read by the driver.
    var arrival: Int64
    var event = "change"
    var state = "-"
}

/// A contender's process.
final class RunningContender {
    let contender: Contender
    let process: pid_t
    let started: Int64
    private(set) var state = "-"
    private var output: Int32 = -1
    private var unread: [UInt8] = []
    private var lines: [Line] = []
    private var hasFirst = false
    private var exitStatus: Int32?

    /// Starts it in the calling thread's namespace.
    ///
    /// - Parameter isHeard: false discards its output.
    init(_ contender: Contender, isHeard: Bool = true) throws {
        self.contender = contender
        var process: pid_t = 0
        var output: Int32 = -1
        var arguments = (contender.prefix + contender.command).map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        started = Clock.now
        let error = isHeard ? bench_spawn(arguments, &output, &process) : bench_spawn(arguments, nil, &process)
        guard error == 0 else {
            throw BenchError("\(contender.command[0]) does not start: \(String(cString: strerror(error)))")
        }
        self.process = process
        self.output = output
    }

    deinit { end() }

    /// Ends it.
    func end() {
        if exitStatus == nil {
            kill(process, SIGKILL)
            waitForExit()
        }
        if output >= 0 { close(output) }
        output = -1
    }

    /// Waits until it exits.
    @discardableResult
    func waitForExit() -> Int32 {
        if let exitStatus { return exitStatus }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        exitStatus = status >> 8
        return status >> 8
    }

    /// The next line that satisfies a condition; nil when none arrives in time.
    func line(within milliseconds: Int, where condition: (Line) -> Bool = { _ in true }) -> Line? {
        let end = Clock.now + Int64(milliseconds) * 1_000_000
        while true {
            while !lines.isEmpty {
                let line = lines.removeFirst()
                if condition(line) { return line }
            }
            let left = end - Clock.now
            guard left > 0, read(within: Int32(left / 1_000_000) + 1) else { return nil }
        }
    }

    /// Waits for the first answer.
    ///
    /// - Throws: if none arrives in time.
    @discardableResult
    func first(within milliseconds: Int = 20_000) throws -> Line {
        guard let line = line(within: milliseconds, where: { $0.event == "first" }) else {
            throw BenchError("\(contender.name) does not answer")
        }
        return line
    }

    /// Reads until no line has arrived for this long.
    func settle(milliseconds: Int) {
        while read(within: Int32(milliseconds)) {}
        lines = []
    }

    private func read(within milliseconds: Int32) -> Bool {
        guard output >= 0 else { return false }
        var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, milliseconds) > 0 else { return false }
        let arrival = Clock.now
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = Glibc.read(output, &buffer, buffer.count)
        guard count > 0 else { return false }
        unread += buffer[..<count]
        while let end = unread.firstIndex(of: 10) {
            if let line = parse(String(decoding: unread[..<end], as: UTF8.self), arrival) {
                lines.append(line)
                if line.state != "-" { state = line.state }
            }
            unread.removeSubrange(...end)
        }
        return true
    }

    private func parse(_ text: String, _ arrival: Int64) -> Line? {
        var line = Line(stamp: arrival, arrival: arrival)
        switch contender.style {
        case .stamped:
            let words = text.split(separator: " ")
            guard words.count == 3, let stamp = Int64(words[0]) else { return nil }
            line = Line(stamp: stamp, arrival: arrival, event: String(words[1]), state: String(words[2]))
        case .json:
            line.event = hasFirst ? "change" : "first"
            line.state = text.contains("\"status\":\"satisfied\"") ? "up" : "down"
            hasFirst = true
        case .text: break
        }
        return line
    }
}
