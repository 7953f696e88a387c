//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
import TestSupport
import Testing

@testable import Dialtone

/// What hands values to a loop.
struct MailboxTests {
    @Test func `values come in order, and the oldest make room for more`() async {
        let mailbox = Mailbox<Int>(capacity: 2)
        for value in 1...4 { mailbox.put(value) }
        #expect(await mailbox.next() == 3)
        #expect(await mailbox.next() == 4)
    }

    @Test func `a reader that waits gets the value at once`() async {
        let mailbox = Mailbox<Int>(capacity: 1)
        async let value = mailbox.next()
        mailbox.put(7)
        #expect(await value == 7)
    }

    @Test func `a cancelled task ends it, and that is told once`() async {
        let mailbox = Mailbox<Int>(capacity: 1)
        let ends = Recorder<Bool>()
        mailbox.whenEnded { ends.record(true) }
        let loop = Task { await mailbox.next() }
        loop.cancel()
        #expect(await loop.value == nil)
        mailbox.end()
        mailbox.put(1)
        #expect(await mailbox.next() == nil)
        #expect(ends.values == [true])
    }

    @Test func `a reader that goes away ends it`() async {
        let mailbox = Mailbox<Int>(capacity: 1)
        let ends = Recorder<Bool>()
        do {
            let reader = Mailbox.Reader(mailbox)
            mailbox.put(1)
            #expect(await reader.next() == 1)
            mailbox.whenEnded { ends.record(true) }
        }
        #expect(ends.values == [true])
        mailbox.whenEnded { ends.record(false) }
        #expect(ends.values == [true, false])
    }

    @Test func `every reader that waits hears of the end`() async {
        let mailbox = Mailbox<Int>(capacity: 1)
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<3 { group.addTask { await mailbox.next() } }
            mailbox.end()
            for await value in group { #expect(value == nil) }
        }
    }
}
