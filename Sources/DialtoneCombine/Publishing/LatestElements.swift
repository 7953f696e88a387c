//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin) || Publishers

/// The newest elements of an asynchronous sequence, each subscriber by an iteration of its own.
struct LatestElements<Base: AsyncSequence & Sendable>: Publisher where Base.Element: Sendable, Base.Failure == Never {
    typealias Output = Base.Element
    typealias Failure = Never

    let base: Base

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
        let subscription = LatestSubscription(subscriber)
        subscriber.receive(subscription: subscription)
        let iteration = Task { [base] in
            for await element in base {
                subscription.put(element)
                subscription.deliver()
            }
            subscription.putCompletion()
            subscription.deliver()
        }
        subscription.whenEnded { iteration.cancel() }
    }
}

#endif
