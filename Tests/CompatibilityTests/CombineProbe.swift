// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

#if Publishers
import DialtoneCombine

/// Uses each operator that COMPATIBILITY.md lists as available; the proof is that this compiles.
enum CombineProbe {
    static let uses: [(symbol: String, use: @Sendable () -> Void)] = [
        ("Publisher.zip(_:)", { _ = Just(1).zip(Just(2)).zip(Just(3), Just(4), Just(5)) }),
        (
            "Publisher.flatMap(maxPublishers:_:)",
            { _ = Publishers.Sequence<[Just<Int>], Never>(sequence: [Just(1), Just(2)]).flatMap { $0 } }
        ),
        ("Publisher.collect(_:)", { _ = Just(1).collect(2) }),
        ("Publishers.MergeMany", { _ = Publishers.MergeMany(Just(1), Just(2)) }),
        ("Publisher.merge(with:)", { _ = Just(1).merge(with: [2].publisher).merge(with: Empty(), Just(3)) }),
        ("Publisher.combineLatest(_:)", { _ = Just(1).combineLatest(Just("a"), Just(true)) }),
        ("Publisher.switchToLatest()", { _ = Just(Just(1)).switchToLatest() }),
    ]
}
#endif

#endif
