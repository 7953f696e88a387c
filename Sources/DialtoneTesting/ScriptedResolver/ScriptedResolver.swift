// SPDX-License-Identifier: Apache-2.0

public import Dialtone
import SystemSupport

/// Name resolution for tests: returns scripted answers, and queries no server.
///
/// ```swift
/// let names = ScriptedResolver(["vendor.test": .addresses("127.0.0.1")])
/// let named = try InternetCheck(configuration, resolver: names)
/// ```
///
/// For programs that use the system's resolver, a `ScriptedNameServer` gives the same answers over DNS.
public final class ScriptedResolver: NameResolver {
    /// The answer for a name.
    public struct Answer: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case addresses([NetworkAddress])
            case notFound, serverFailure, refusal, silence
        }

        let kind: Kind

        /// These numeric addresses.
        ///
        /// Invalid texts are left out; without any address, the name exists but has no addresses.
        public static func addresses(_ texts: String...) -> Self {
            Self(kind: .addresses(texts.compactMap { NetworkAddress($0) }))
        }

        /// The name does not exist: `NXDOMAIN`.
        public static let notFound = Self(kind: .notFound)
        /// The server failed: `SERVFAIL`.
        public static let serverFailure = Self(kind: .serverFailure)
        /// The server refuses to answer for policy reasons: `REFUSED`.
        public static let refusal = Self(kind: .refusal)
        /// No answer at all.
        public static let silence = Self(kind: .silence)
        /// A private address, as in a forged answer.
        public static let hijacked = Self.addresses("10.0.0.1")
    }

    private struct State {
        var answers: [String: Answer]
        var otherwise: Answer
        var questions: [String] = []
    }

    private let state: Mutex<State>
    private let total = EventCounter()

    /// Creates a resolver.
    ///
    /// - Parameters:
    ///   - answers: the answers by name, ignoring case.
    ///   - otherwise: the answer for every other name.
    public init(_ answers: [String: Answer] = [:], otherwise: Answer = .notFound) {
        let lower = answers.map { ($0.key.lowercased(), $0.value) }
        state = Mutex(State(answers: Dictionary(lower) { $1 }, otherwise: otherwise))
    }

    /// Sets the answer for a name from now on; without a name, for every name without a specific answer.
    public func play(_ answer: Answer, for name: String? = nil) {
        state.withLock { state in
            if let name { state.answers[name.lowercased()] = answer } else { state.otherwise = answer }
        }
    }

    /// The names that were looked up, in order.
    public var questions: [String] { state.withLock { $0.questions } }

    /// Waits until this many names have been looked up in total; returns early when the task is cancelled.
    public func waitForQuestions(_ count: Int) async { await total.wait(for: count) }

    /// Returns the scripted answer.
    public func addresses(
        of host: String, family: NetworkAddress.Family
    ) async throws -> [NetworkAddress] {
        switch answer(to: host).kind {
        case .addresses(let addresses): return addresses
        case .notFound: throw ProbeError(.hostNotFound, during: .resolve)
        case .serverFailure, .refusal: throw ProbeError(.nameServerFailure, during: .resolve)
        case .silence:
            try await TimeSource.system.sleep(for: .seconds(86_400))
            throw ProbeError(.nameServerFailure, during: .resolve)
        }
    }

    /// Returns the scripted answer, and records the lookup.
    func answer(to name: String) -> Answer {
        let answer = state.withLock { state in
            state.questions.append(name)
            return state.answers[name.lowercased()] ?? state.otherwise
        }
        total.increment()
        return answer
    }
}

/// A DNS query, and the replies to it, as bytes (RFC 1035, section 4).
struct NameQuestion {
    /// The name, without a trailing dot.
    let name: String
    private let identifier: ArraySlice<UInt8>
    private let section: ArraySlice<UInt8>
    private let type: UInt16

    /// Reads a message with one question; nil for any other message.
    init?(_ message: ArraySlice<UInt8>) {
        let bytes = Array(message)
        // A query (QR 0, opcode 0) with one question.
        guard bytes.count >= 17, bytes[2] & 0xf8 == 0, bytes[4] == 0, bytes[5] == 1 else { return nil }
        var offset = 12
        var labels: [String] = []
        while bytes.indices.contains(offset), bytes[offset] != 0 {
            let length = Int(bytes[offset])
            guard length < 64, offset + 1 + length < bytes.count else { return nil }
            labels.append(String(decoding: bytes[offset + 1...offset + length], as: UTF8.self))
            offset += 1 + length
        }
        guard offset + 4 < bytes.count else { return nil }
        name = labels.joined(separator: ".")
        identifier = bytes[0..<2]
        section = bytes[12...offset + 4]
        type = UInt16(bytes[offset + 1]) << 8 | UInt16(bytes[offset + 2])
    }

    /// The reply of a recursive server; nil for silence.
    func reply(_ answer: ScriptedResolver.Answer) -> [UInt8]? {
        switch answer.kind {
        case .silence: return nil
        case .notFound: return message(code: 3, [])
        case .serverFailure: return message(code: 2, [])
        case .refusal: return message(code: 5, [])
        case .addresses(let addresses):
            return message(code: 0, addresses.filter { $0.version == wanted })
        }
    }

    /// The version of the addresses that are queried; nil for another type of record.
    var wanted: IPVersion? {
        // The types A and AAAA.
        switch type {
        case 1: .ipv4
        case 28: .ipv6
        default: nil
        }
    }

    private func message(code: UInt8, _ addresses: [NetworkAddress]) -> [UInt8] {
        var bytes = Array(identifier)
        // A response, recursion desired and available; one question, the answers, nothing else.
        bytes += [0x81, 0x80 | code, 0, 1, 0, UInt8(min(addresses.count, 16)), 0, 0, 0, 0]
        bytes += section
        for address in addresses.prefix(16) {
            // The name as a pointer to the question, the type, the class IN, a TTL of zero, the length.
            bytes += [0xc0, 12, 0, UInt8(truncatingIfNeeded: type), 0, 1, 0, 0, 0, 0, 0]
            bytes += [UInt8(address.bytes.count)] + address.bytes
        }
        return bytes
    }
}
