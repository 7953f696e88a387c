// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// The progress of the request, and what the user should do.
enum RequestSection {
    /// The progress as markup.
    ///
    /// - Parameter connectivity: the state of the network, which explains a wait; nil if not known.
    static func html(_ progress: RequestProgress, in connectivity: Connectivity? = nil) -> HTML {
        let words = words(progress, connectivity)
        return """
            <p class="status \(words.mood)" data-request="\(progress.kind.rawValue)">\(words.title)</p>
            <p class="detail">\(words.instruction)</p>
            \(facts(progress))
            """
    }

    /// The progress in one sentence, for screen readers.
    static func sentence(_ progress: RequestProgress, in connectivity: Connectivity? = nil) -> String {
        let words = words(progress, connectivity)
        return "Request: \(words.title). \(words.instruction)"
    }

    private static func words(
        _ progress: RequestProgress, _ connectivity: Connectivity?
    ) -> (mood: String, title: String, instruction: String) {
        let advice = advice(progress, connectivity)
        let mood =
            switch progress.kind {
            case .online: progress.phase == .finished(.delivered) ? "good" : "unsure"
            case .unknown, .checking: "unsure"
            case .waiting, .offline, .serverTrouble, .failed: "bad"
            }
        return (mood, advice.title, advice.instruction)
    }

    /// The library's text for the progress; the library has no text for a wait, so the page supplies that.
    private static func advice(_ progress: RequestProgress, _ connectivity: Connectivity?) -> NetworkRequester.Advice {
        switch progress.phase {
        case .unknown: NetworkRequester.Status().advice
        case .checking: NetworkRequester.Status(.checking).advice
        case .waiting(let reason):
            NetworkRequester.Advice(
                title: "Offline, waiting",
                instruction: sentence(reason, connectivity)
                    + " The request is sent as soon as the connection is back.")
        case .finished(let outcome): progress.mismatch?.advice ?? outcome.advice
        }
    }

    /// The present reason for a wait: the network may have changed since the wait began.
    private static func sentence(_ reason: WaitingPolicy.Obstacle, _ connectivity: Connectivity?) -> String {
        if case .hostUnreachable = reason { return reason.description }
        return connectivity?.reason ?? reason.description
    }

    private static func facts(_ progress: RequestProgress) -> HTML? {
        guard let began = progress.began else { return nil }
        let status = progress.status.map { ", status \($0)" } ?? ""
        let length = progress.ended.map { ", took \(Figures.latency($0.timeIntervalSince(began)))" } ?? ""
        let attempts = progress.attempts > 1 ? ", \(progress.attempts) attempts" : ""
        return "<p class=\"small\">Requested at \(LocalTime.element(began))\(status)\(length)\(attempts)</p>"
    }
}
