// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

extension CommandRun.Program {
    /// The program that records a history for the tests, from the same build.
    static var historyWriter: CommandRun.Program {
        let dialtone = URL(fileURLWithPath: CommandRun.Program.dialtone.path)
        return .init(path: dialtone.deletingLastPathComponent().appendingPathComponent("HistoryWriter").path)
    }
}
