// SPDX-License-Identifier: Apache-2.0

/// Chooses the operator that a periodic check queries while the Internet is verified.
///
/// Only an operator that can prove the Internet by itself takes a turn: at the last check of all operators none of its
/// endpoints failed, and its HTTPS endpoints took part. With fewer than two such operators every check queries all, because a captive
/// portal may let one operator pass. So does every check while the report has a remark: one operator alone could not repeat it.
struct OperatorRotation: Sendable {
    private let operators: [InternetCheck.Operator]
    /// The operators that take turns: those that passed, then those whose answers were not needed.
    private var eligible: [String] = []
    private var turn = 0

    init(_ operators: [InternetCheck.Operator]) { self.operators = operators }

    /// Updates the rotation from the report of a check, if it queried all operators.
    mutating func update(with report: InternetCheck.Report) {
        guard report.verdict == .verified, report.remarks.isEmpty else { return reset() }
        let evidence = Dictionary(report.endpoints.map { ($0.url, $0) }) { first, _ in first }
        guard operators.allSatisfy({ $0.urls.allSatisfy { evidence[$0] != nil } }) else { return }
        var passed: [String] = []
        var undecided: [String] = []
        for entry in operators where entry.urls.contains(where: { $0.lowercased().hasPrefix("https:") }) {
            let results = entry.urls.compactMap { evidence[$0] }
            if results.allSatisfy(\.passed) {
                passed.append(entry.name)
            } else if results.allSatisfy({ $0.passed || $0.wasNotNeeded }) {
                undecided.append(entry.name)
            }
        }
        eligible = passed + undecided
    }

    /// Forgets which operators passed, so that the next check queries all.
    mutating func reset() { eligible = [] }

    /// The operator whose turn it is; nil to query all.
    mutating func next() -> String? {
        guard eligible.count > 1 else { return nil }
        defer { turn += 1 }
        return eligible[turn % eligible.count]
    }
}

extension InternetCheck.Evidence {
    /// Whether the verdict was certain before this endpoint answered.
    fileprivate var wasNotNeeded: Bool { error?.code == .abandoned }
}
