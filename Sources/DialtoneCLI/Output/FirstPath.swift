//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

/// The path of this moment.
enum FirstPath {
    /// The kernel answers in less than a millisecond; this bounds a system that does not answer at all.
    static let bound = Duration.seconds(3)

    /// The path that a filter lets through; nil when the system does not answer.
    static func find(_ filter: PathFilter) async -> NetworkPath? {
        await withTaskGroup(of: NetworkPath?.self) { group in
            group.addTask {
                for await path in NetworkPath.updates(filter) { return path }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: bound)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
