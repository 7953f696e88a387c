//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import FoundationEssentials

/// Times as the history keeps them: whole milliseconds since 1970, so that sums are exact.
extension Date {
    /// The milliseconds since 1970, rounded; years beyond 10000, and what is no number, are brought into that range.
    package var milliseconds: Int64 {
        let value = timeIntervalSince1970 * 1000
        guard !value.isNaN else { return 0 }
        return Int64(min(max(value, -253_402_300_800_000), 253_402_300_800_000).rounded())
    }

    /// The time so many milliseconds after the beginning of 1970.
    package init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
