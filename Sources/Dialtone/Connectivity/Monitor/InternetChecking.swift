//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Gathers evidence on whether a path leads to the Internet.
///
/// `InternetCheck` is one; a test or an app with its own idea of the Internet may bring another.
public protocol InternetChecking: Sendable {
    /// Checks once.
    ///
    /// The monitor runs one check at a time. It cancels the task when the answer is no longer wanted, and drops an answer
    /// that comes all the same; a check that takes longer than `ConnectivityMonitor.Configuration.checkTimeLimit` is given up.
    ///
    /// - Parameter path: the path of this moment.
    func check(over path: NetworkPath) async -> InternetCheck.Report
}
