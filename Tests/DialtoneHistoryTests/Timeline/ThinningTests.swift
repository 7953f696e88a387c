// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation
import TestSupport
import Testing

struct ThinningTests {
    @Test func `few spans are left unchanged`() {
        let timeline = Sample.timeline(0, 100, [Sample.transition(10, .online), Sample.transition(20, .offline)])
        #expect(timeline.thinned(to: 3) == timeline)
    }

    @Test func `an outage of a millisecond in a day is still drawn, and long spans stay exact`() throws {
        var transitions = [Sample.transition(0, .online), Sample.transition(40_000, .offline)]
        transitions.append(Sample.transition(40_000.001, .online))
        for second in 0..<2000 {
            transitions.append(Sample.transition(50_000 + Double(second), second % 2 == 0 ? .unverified : .online))
        }
        let timeline = Sample.timeline(0, 86_400, transitions)
        let thinned = timeline.thinned(to: 100)
        #expect(thinned.spans.count <= 100)
        #expect(thinned.spans.contains { $0.state == .offline })
        #expect(thinned.spans.first?.length == 40_000)
        #expect(thinned.summary == timeline.summary)
        #expect(thinned.outages == timeline.outages)
        #expect(thinned.spans.reduce(0) { $0 + $1.merged } == timeline.spans.count)
    }

    @Test(arguments: [1, 2, 3, 7, 100, 1000])
    func `every outage of a day of flapping is covered by a span that shows one`(maximum: Int) {
        var random = SeededGenerator(seed: 11)
        let times = (0..<5000).map { _ in Double.random(in: 0..<86_400, using: &random) }.sorted()
        let timeline = Sample.timeline(
            0, 86_400,
            times.enumerated().map { index, time in
                Sample.transition(time, index % 2 == 0 ? .online : HistoryState.bySeverity[index % 4])
            })
        let spans = timeline.thinned(to: maximum).spans
        #expect(spans.count <= maximum)
        var place = 0
        for outage in timeline.outages {
            while place < spans.count, spans[place].end <= outage.start { place += 1 }
            var covering = place
            while covering < spans.count, spans[covering].start < outage.end {
                let span = spans[covering]
                #expect(span.state.availability == .down)
                covering += 1
            }
        }
        #expect(!timeline.outages.isEmpty)
    }
}
