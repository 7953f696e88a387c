// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

public import Foundation
public import FoundationNetworking
import SystemSupport

// Foundation's methods resume their caller on the session's work queue. If the caller is cancelled meanwhile, its lock is held until
// that queue is free: both wait for ever. These take their place where no delegate is passed, because a method without parameters
// that have defaults is preferred. They resume the caller on the delegate queue, which must be free to run, and cancel on a global queue.

extension URLSession {
    /// Loads data for a request; cancelling the caller's task cancels the request.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await perform { dataTask(with: request, completionHandler: $0) }
    }

    /// Loads data from a URL; cancelling the caller's task cancels the request.
    public func data(from url: URL) async throws -> (Data, URLResponse) {
        try await perform { dataTask(with: url, completionHandler: $0) }
    }

    /// Uploads data; cancelling the caller's task cancels the request.
    public func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse) {
        try await perform { uploadTask(with: request, from: bodyData, completionHandler: $0) }
    }

    /// Uploads a file; cancelling the caller's task cancels the request.
    public func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse) {
        try await perform { uploadTask(with: request, fromFile: fileURL, completionHandler: $0) }
    }

    /// Downloads a file for a request; cancelling the caller's task cancels the request.
    public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
        try await perform { downloadTask(with: request, completionHandler: $0) }
    }

    /// Downloads a file from a URL; cancelling the caller's task cancels the request.
    public func download(from url: URL) async throws -> (URL, URLResponse) {
        try await perform { downloadTask(with: url, completionHandler: $0) }
    }

    private func perform<Value: Sendable>(
        _ makeTask: (@escaping @Sendable (Value?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
    ) async throws -> (Value, URLResponse) {
        if Task.isCancelled { throw URLError(describing: .cancelled) }
        let cancellation = CancellationSlot()
        let hasEnded = OnceFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let task = makeTask { value, response, error in
                    // On a delegate queue that runs several operations at once, a task that is cancelled at its end may end twice.
                    guard hasEnded.set() else { return }
                    if error == nil, let value, let response {
                        continuation.resume(returning: (value, response))
                    } else {
                        continuation.resume(throwing: error ?? URLError(describing: .unknown))
                    }
                }
                task.resume()
                // The global queue does not wait for the session's work queue, on which the task is cancelled.
                cancellation.set { DispatchQueue.global().async { task.cancel() } }
            }
        } onCancel: {
            cancellation.end()
        }
    }
}

#endif
