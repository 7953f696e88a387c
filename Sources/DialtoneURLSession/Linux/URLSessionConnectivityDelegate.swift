// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import Foundation

/// A delegate of a session or task that is notified of waits; on Apple platforms, every task delegate can be.
public typealias URLSessionConnectivityDelegate = URLSessionTaskDelegate
#else
public import FoundationNetworking

/// A delegate of a session or task that is notified of waits.
///
/// On Linux, Foundation's delegates have no such method, so a delegate conforms to this protocol to declare that it
/// implements it. On Apple platforms this is another name for `URLSessionTaskDelegate`, so that the same source works
/// on both.
public protocol URLSessionConnectivityDelegate: URLSessionTaskDelegate {
    /// Notifies the delegate that a task waits because there is no network, or none that it may use.
    ///
    /// The method is called on the session's delegate queue, at most once for a task, and only if the configuration's
    /// `waitsForConnectivity` is true.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
}
#endif
