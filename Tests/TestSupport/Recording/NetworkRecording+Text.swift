// SPDX-License-Identifier: Apache-2.0

import Netlink
import NetworkModel
import NetworkState

/// An unknown line in a recording.
public struct NetworkRecordingError: Error, Hashable, CustomStringConvertible {
    /// The line's number, from 1.
    public let line: Int
    /// The line.
    public let text: String

    /// Creates an error.
    public init(line: Int, text: String) { (self.line, self.text) = (line, text) }

    /// The line and its number.
    public var description: String { "line \(line) of the recording is not understood: \(text)" }
}

extension NetworkRecording: CustomStringConvertible {
    /// The recording as text, a line for each step.
    ///
    /// ```
    /// datagram 2c00000014000200…
    /// resolver 192.0.2.53 fe80::1%2 search example.org
    /// rejecting-rule yes
    /// route 24.48.0.1 : unicast /0 metric 100 hop 2 via 192.0.2.1
    /// route 24.48.0.1 over 3 : none
    /// publish
    /// ```
    public var description: String { steps.map { "\($0)\n" }.joined() }

    /// Parses the text of a recording; empty lines and those that start with `#` are skipped.
    ///
    /// - Throws: `NetworkRecordingError` at the first line that is not understood.
    public init(parsing text: String) throws(NetworkRecordingError) {
        self.init()
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let first = line.first, first != "#" else { continue }
            guard let step = Step(parsing: line) else {
                throw NetworkRecordingError(line: index + 1, text: String(line))
            }
            steps.append(step)
        }
    }
}

extension NetworkRecording.Step: CustomStringConvertible {
    /// The step as a line of text.
    public var description: String {
        switch self {
        case .datagram(let bytes): "datagram " + bytes.map(Self.hexadecimal).joined()
        case .answer(let answer, let interface):
            "route \(answer.destination)" + (interface.map { " over \($0)" } ?? "") + " : \(answer.outcome.text)"
        case .rejectingRule(let isThere): "rejecting-rule \(isThere ? "yes" : "no")"
        case .resolver(let resolver):
            (["resolver"] + resolver.servers.map(\.text)
                + (resolver.searchDomains.isEmpty ? [] : ["search"] + resolver.searchDomains)).joined(separator: " ")
        case .publish: "publish"
        }
    }

    fileprivate init?(parsing line: Substring) {
        var words = line.split(separator: " ")
        guard !words.isEmpty else { return nil }
        switch words.removeFirst() {
        case "publish" where words.isEmpty: self = .publish
        case "rejecting-rule" where words == ["yes"]: self = .rejectingRule(true)
        case "rejecting-rule" where words == ["no"]: self = .rejectingRule(false)
        case "datagram" where words.count == 1:
            guard let bytes = Self.bytes(words[0]) else { return nil }
            self = .datagram(bytes)
        case "resolver":
            guard let resolver = ResolverConfiguration(recorded: words) else { return nil }
            self = .resolver(resolver)
        case "route":
            guard let destination = words.first.flatMap({ NetworkAddress(String($0)) }) else { return nil }
            words.removeFirst()
            var interface: Int32?
            if words.first == "over", words.count > 1 {
                interface = Int32(words[1])
                guard interface != nil else { return nil }
                words.removeFirst(2)
            }
            guard words.first == ":", let outcome = RouteAnswer.Outcome(recorded: words.dropFirst()) else { return nil }
            self = .answer(RouteAnswer(destination, outcome), over: interface)
        default: return nil
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}

extension ResolverConfiguration {
    fileprivate init?(recorded words: [Substring]) {
        self.init()
        let parts = words.split(separator: "search", maxSplits: 1, omittingEmptySubsequences: false)
        for word in parts.first ?? [] {
            let pieces = word.split(separator: "%", maxSplits: 1)
            guard let address = pieces.first.flatMap({ NetworkAddress(String($0)) }) else { return nil }
            servers.append(Server(address, scope: pieces.count > 1 ? String(pieces[1]) : nil))
        }
        if parts.count > 1 { searchDomains = parts[1].map(String.init) }
    }
}

extension ResolverConfiguration.Server {
    fileprivate var text: String { "\(address)" + (scope.map { "%\($0)" } ?? "") }
}
