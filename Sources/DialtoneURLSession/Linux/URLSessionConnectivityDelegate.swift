//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
public import Foundation

/// A session's or a task's delegate that hears of waits; on Apple platforms every task delegate can.
public typealias URLSessionConnectivityDelegate = URLSessionTaskDelegate
#else
public import FoundationNetworking

/// A session's or a task's delegate that hears of waits.
///
/// On Linux Foundation's delegates have no such method, so a delegate says that it has one by conforming to this. On Apple
/// platforms it is another name for `URLSessionTaskDelegate`, so that the same source works on both.
public protocol URLSessionConnectivityDelegate: URLSessionTaskDelegate {
    /// The task waits, because there is no network, or none that it may use.
    ///
    /// Called on the session's delegate queue, at most once for a task, and only if the configuration's
    /// `waitsForConnectivity` is true.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
}
#endif
