//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Publishers
import DialtoneCombine

/// Uses each operator that COMPATIBILITY.md says is there; that this compiles is the proof.
enum CombineProbe {
    static let uses: [(symbol: String, use: @Sendable () -> Void)] = [
        ("Publisher.zip(_:)", { _ = Just(1).zip(Just(2)).zip(Just(3), Just(4), Just(5)) }),
        (
            "Publisher.flatMap(maxPublishers:_:)",
            { _ = Publishers.Sequence<[Just<Int>], Never>(sequence: [Just(1), Just(2)]).flatMap { $0 } }
        ),
        ("Publisher.collect(_:)", { _ = Just(1).collect(2) }),
        ("Publisher.switchToLatest()", { _ = Just(Just(1)).switchToLatest() }),
    ]
}
#endif
