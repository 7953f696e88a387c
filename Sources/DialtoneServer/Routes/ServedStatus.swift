// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import DialtoneSupport

/// The JSON of `/api/status`: the report of the command, plus the status of the history in `history`.
struct ServedStatus: Encodable {
    let report: StatusReport
    let history: HistoryStatus

    private enum Key: String, CodingKey { case history }
    private enum HistoryKey: String, CodingKey { case healthy, problem, waiting, discarded }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        var part = object.nestedContainer(keyedBy: HistoryKey.self, forKey: .history)
        let problem: String? = if case .degraded(let trouble) = history.health { trouble.description } else { nil }
        try part.encode(history.isHealthy, forKey: .healthy)
        try part.encode(problem, forKey: .problem)
        try part.encode(history.waiting, forKey: .waiting)
        try part.encode(history.discarded, forKey: .discarded)
    }
}
