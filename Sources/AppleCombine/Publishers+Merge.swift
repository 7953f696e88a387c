// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) && Publishers

public import OpenCombineShim

extension Publishers {
    /// Delivers the values of several publishers of one type.
    ///
    /// It finishes when all of them have finished, and fails as soon as one fails.
    ///
    /// OpenCombine 0.14 lacks this operator. Source: Apple's documentation of `Publishers.MergeMany`.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        /// The publishers' value type.
        public typealias Output = Upstream.Output
        /// The publishers' error type.
        public typealias Failure = Upstream.Failure

        /// The merged publishers.
        public let publishers: [Upstream]

        /// Merges the given publishers.
        public init(_ upstream: Upstream...) { publishers = upstream }

        /// Merges the publishers of a sequence.
        public init<Upstreams: Swift.Sequence>(_ upstream: Upstreams) where Upstreams.Element == Upstream {
            publishers = Array(upstream)
        }

        /// Subscribes to all publishers.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            Publishers.Sequence<[Upstream], Failure>(sequence: publishers).flatMap { $0 }
                .receive(subscriber: subscriber)
        }

        /// Returns a publisher that merges one more publisher.
        public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }
    }
}

extension Publisher {
    /// Delivers the values of this publisher and of another one of the same type.
    public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany(self, other) }

    /// Delivers the values of this publisher and of another one.
    public func merge<Other: Publisher>(with other: Other) -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
    where Other.Output == Output, Other.Failure == Failure {
        Publishers.MergeMany(eraseToAnyPublisher(), other.eraseToAnyPublisher())
    }

    /// Delivers the values of this publisher and of two others.
    public func merge<B: Publisher, C: Publisher>(
        with b: B, _ c: C
    ) -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
    where
        B.Output == Output, B.Failure == Failure,
        C.Output == Output, C.Failure == Failure
    {
        Publishers.MergeMany([eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher()])
    }

    /// Delivers the values of this publisher and of three others.
    public func merge<B: Publisher, C: Publisher, D: Publisher>(
        with b: B, _ c: C, _ d: D
    ) -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
    where
        B.Output == Output, B.Failure == Failure,
        C.Output == Output, C.Failure == Failure,
        D.Output == Output, D.Failure == Failure
    {
        Publishers.MergeMany([
            eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher(), d.eraseToAnyPublisher(),
        ])
    }

    // Apple has overloads for up to seven others, which return `Merge3` to `Merge8`: `MergeMany` replaces those.
}

#endif
