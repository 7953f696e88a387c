// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The resources that a process has used so far.
struct Usage {
    /// CPU time of all its threads, past and present, in nanoseconds.
    var processor: Int64 = 0
    /// The number of voluntary context switches of its present threads.
    var sleeps = 0
    /// Resident memory, in KiB.
    var resident = 0
    var peak = 0
    var proportional = 0
    /// Memory that it has written to and shares with no other process, in KiB.
    var own = 0
    var threads = 0
    var descriptors = 0

    init(of process: pid_t) {
        var clock = clockid_t()
        if clock_getcpuclockid(process, &clock) == 0 { processor = Clock.read(clock) }
        let folder = "/proc/\(process)"
        let status = Self.fields("\(folder)/status")
        resident = status["VmRSS"] ?? 0
        peak = status["VmHWM"] ?? 0
        threads = status["Threads"] ?? 0
        let memory = Self.fields("\(folder)/smaps_rollup")
        proportional = memory["Pss"] ?? 0
        own = memory["Private_Dirty"] ?? 0
        sleeps = Self.sleeps(of: process).values.reduce(0, +)
        descriptors = Self.names("\(folder)/fd").count
    }

    /// The number of voluntary context switches of each present thread.
    static func sleeps(of process: pid_t) -> [String: Int] {
        let folder = "/proc/\(process)/task"
        let counts = names(folder).map { ($0, fields("\(folder)/\($0)/status")["voluntary_ctxt_switches"] ?? 0) }
        return Dictionary(counts) { first, _ in first }
    }

    private static func fields(_ path: String) -> [String: Int] {
        var fields: [String: Int] = [:]
        for line in text(path).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let number = parts[1].drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber }
            if let number = Int(number) { fields[String(parts[0])] = number }
        }
        return fields
    }

    static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The size of a file in MB; nil if the path names none.
    static func fileSize(_ path: String) -> Double? {
        var status = stat()
        return stat(path, &status) == 0 ? Double(status.st_size) / 1e6 : nil
    }

    private static func names(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
