//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import DialtoneSupport

/// The progress of the request, and what the user should do.
enum RequestPart {
    static func html(_ progress: RequestProgress) -> HTML {
        let words = words(progress)
        return """
            <p class="status \(words.mood)" data-request="\(progress.kind.rawValue)">\(words.title)</p>
            <p class="detail">\(words.instruction)</p>
            \(facts(progress))
            """
    }

    /// The progress in one sentence, for screen readers.
    static func sentence(_ progress: RequestProgress) -> String {
        let words = words(progress)
        return "Request: \(words.title). \(words.instruction)"
    }

    private static func words(_ progress: RequestProgress) -> (mood: String, title: String, instruction: String) {
        switch progress.phase {
        case .unknown: return ("unsure", "Unknown", "No request has been made yet.")
        case .checking:
            return (
                "unsure", "Checking",
                progress.attempts > 1 ? "The request is being retried." : "The request is under way."
            )
        case .waiting(let reason):
            return ("bad", "Offline, waiting", "\(reason) The request is sent as soon as the connection is back.")
        case .finished(let outcome):
            let advice = outcome.advice(in: ["en"])
            switch progress.kind {
            case .online: return ("good", "Online", "The server answered as expected.")
            case .offline: return ("bad", "Offline: \(advice.title)", advice.instruction)
            default: return ("bad", advice.title, advice.instruction)
            }
        }
    }

    private static func facts(_ progress: RequestProgress) -> HTML? {
        guard let began = progress.began else { return nil }
        let status = progress.status.map { ", status \($0)" } ?? ""
        let length = progress.ended.map { ", took \(Words.milliseconds($0.timeIntervalSince(began)))" } ?? ""
        let attempts = progress.attempts > 1 ? ", \(progress.attempts) attempts" : ""
        return "<p class=\"small\">Sent at \(LocalTime.element(began))\(status)\(length)\(attempts)</p>"
    }
}
