//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

/// Path contents in one immutable object, so that handing a path to many monitors copies a pointer and no facts.
package final class PathState: Sendable {
    package let contents: PathContents

    package init(_ contents: PathContents) {
        self.contents = contents
    }
}

extension PathState: Equatable {
    /// Compares identity first, and the contents only of different objects.
    package static func == (lhs: PathState, rhs: PathState) -> Bool {
        lhs === rhs || lhs.contents == rhs.contents
    }
}

#endif
