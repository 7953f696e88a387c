//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Synchronization

/// Work for another thread, which lets go of all that the work holds before anyone hears of its result.
///
/// A thread ends some time after its work is done; descriptors must not stay open that long.
final class OneTimeWork<Value: Sendable>: Sendable {
    private let body: Mutex<(@Sendable () throws -> Value)?>

    init(_ body: @escaping @Sendable () throws -> Value) {
        self.body = Mutex(body)
    }

    /// Does the work, the first time.
    func perform() -> Result<Value, any Error> {
        guard let body = body.withLock({ $0.take() }) else { return .failure(CancellationError()) }
        return Result(catching: body)
    }
}
#endif
