//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a request is not read: an answer, after which the connection ends.
struct RequestError: Error, Hashable, Sendable {
    /// The status of the answer.
    let status: Int
    /// What is wrong, for the person at the other end.
    let message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}
