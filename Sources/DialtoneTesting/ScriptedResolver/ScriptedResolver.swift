//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone
import Synchronization

/// Name resolution for tests: it answers as told, and asks nobody.
///
/// ```swift
/// let names = ScriptedResolver(["vendor.test": .addresses("127.0.0.1")])
/// let named = try InternetCheck(configuration, prober: SocketProber(resolver: names))
/// ```
///
/// For programs that ask the system's resolver, a `ScriptedNameServer` gives the same answers over DNS.
public final class ScriptedResolver: NameResolver {
    /// What is answered for a name.
    public struct Answer: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case addresses([HostAddress])
            case notFound, serverFailure, silence
        }

        let kind: Kind

        /// These numeric addresses.
        ///
        /// A text that is none is left out; no address at all is a name without addresses.
        public static func addresses(_ texts: String...) -> Self {
            Self(kind: .addresses(texts.compactMap { HostAddress($0) }))
        }

        /// There is no such name: `NXDOMAIN`.
        public static let notFound = Self(kind: .notFound)
        /// The server could not find out: `SERVFAIL`.
        public static let serverFailure = Self(kind: .serverFailure)
        /// No answer at all.
        public static let silence = Self(kind: .silence)
        /// A private address, as a forged answer has it.
        public static let hijacked = Self.addresses("10.0.0.1")
    }

    private struct State {
        var answers: [String: Answer]
        var otherwise: Answer
        var questions: [String] = []
    }

    private let state: Mutex<State>
    private let total = Tally()

    /// Makes a resolver.
    ///
    /// - Parameters:
    ///   - answers: by name, whatever its case.
    ///   - otherwise: for every other name.
    public init(_ answers: [String: Answer] = [:], otherwise: Answer = .notFound) {
        let lower = answers.map { ($0.key.lowercased(), $0.value) }
        state = Mutex(State(answers: Dictionary(lower) { $1 }, otherwise: otherwise))
    }

    /// Answers so for a name from now on; without a name, for every name that has no answer of its own.
    public func play(_ answer: Answer, for name: String? = nil) {
        state.withLock { state in
            if let name { state.answers[name.lowercased()] = answer } else { state.otherwise = answer }
        }
    }

    /// The names that were asked for, in their order.
    public var questions: [String] { state.withLock { $0.questions } }

    /// Waits until this many names were asked for, from the beginning; returns early when the task is cancelled.
    public func waitForQuestions(_ count: Int) async { await total.wait(for: count) }

    /// The answer of the script.
    public func addresses(
        of host: String, family: InternetCheck.Configuration.Family
    ) async throws -> [HostAddress] {
        switch answer(to: host).kind {
        case .addresses(let addresses): return addresses
        case .notFound: throw ProbeError(.hostNotFound, during: .resolve)
        case .serverFailure: throw ProbeError(.nameServerFailure, during: .resolve)
        case .silence:
            try await Task.sleep(for: .seconds(86_400))
            throw ProbeError(.nameServerFailure, during: .resolve)
        }
    }

    /// The answer of the script, which notes the question.
    func answer(to name: String) -> Answer {
        let answer = state.withLock { state in
            state.questions.append(name)
            return state.answers[name.lowercased()] ?? state.otherwise
        }
        total.increment()
        return answer
    }
}
