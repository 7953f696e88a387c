// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation

/// The resources that a process holds at one moment, read from /proc.
struct Usage {
    /// Seconds since the soak began.
    var time: Double
    var descriptors: Int
    var threads: Int
    /// Resident memory, in KiB.
    var resident: Int
    /// CPU time so far, in seconds.
    var processor: Double

    /// Returns nil when the process has exited.
    init?(of process: Int32, at time: Double) {
        let folder = "/proc/\(process)"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd"),
            let status = try? String(contentsOfFile: "\(folder)/status", encoding: .utf8),
            let statistics = try? String(contentsOfFile: "\(folder)/stat", encoding: .utf8)
        else { return nil }
        let value = { (name: String) -> Int? in
            status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
                .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }.flatMap { Int($0) }
        }
        guard let threads = value("Threads"), let resident = value("VmRSS") else { return nil }
        // proc(5): the fields after the name, which ends with the last bracket; utime and stime are fields 14 and 15.
        let fields = statistics[(statistics.lastIndex(of: ")") ?? statistics.startIndex)...].split(separator: " ")
        let ticks = fields.dropFirst(12).prefix(2).compactMap { Double($0) }.reduce(0, +)
        (self.time, self.threads, self.resident) = (time, threads, resident)
        descriptors = names.count
        processor = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

extension Usage {
    /// The number of datagrams to this namespace that were refused, which is how it answers a heartbeat.
    static var refusedDatagrams: Int {
        let text = (try? String(contentsOfFile: "/proc/net/snmp", encoding: .utf8)) ?? ""
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("Udp:") }.map { $0.split(separator: " ") }
        guard let place = rows.first?.firstIndex(of: "NoPorts"), let value = rows.last?[place] else { return 0 }
        return Int(value) ?? 0
    }
}

/// The subject's resources after it has dropped everything.
struct Lull {
    var time: Double
    var descriptors: Int
    var threads: Int
    /// Bytes allocated and not freed.
    var bytes: Int

    /// Reads `lull descriptors=N threads=N bytes=N`.
    init?(_ line: String, at time: Double) {
        var values: [Substring: Int] = [:]
        for word in line.split(separator: " ").dropFirst() {
            let parts = word.split(separator: "=")
            if parts.count == 2 { values[parts[0]] = Int(parts[1]) }
        }
        guard let descriptors = values["descriptors"], let threads = values["threads"], let bytes = values["bytes"]
        else { return nil }
        (self.time, self.descriptors, self.threads, self.bytes) = (time, descriptors, threads, bytes)
    }
}
#endif
