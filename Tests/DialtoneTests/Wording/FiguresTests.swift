// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Dialtone

struct FiguresTests {
    @Test(arguments: [
        (0.0, "0 s"), (0.2, "under 1 s"), (1, "1 s"), (59.4, "59 s"), (60, "1 min"), (192, "3 min 12 s"), (3600, "1 h"),
        (11_520, "3 h 12 min"), (86_400, "1 d"), (90_000, "1 d 1 h"), (-1, "0 s"), (.infinity, "0 s"), (.nan, "0 s"),
    ])
    func `durations have at most two units`(seconds: Double, text: String) {
        #expect(Figures.duration(seconds) == text)
    }

    @Test(arguments: [
        (0.0, "0 s"), (0.2, "under 1 s"), (59.4, "59 s"), (60, "1 min"), (3661, "1 h 1 min 1 s"), (3600, "1 h"),
        (97_205, "1 d 3 h 5 s"), (.infinity, "0 s"), (.nan, "0 s"),
    ])
    func `an exact duration has every unit up to seconds`(seconds: Double, text: String) {
        #expect(Figures.exactDuration(seconds) == text)
    }

    @Test(arguments: [
        (1.0, "100 %"), (0.99999, "99.99 %"), (0.9998, "99.98 %"), (0.5, "50 %"), (0.0506, "5.06 %"), (0, "0 %"),
        (-1, "0 %"), (0.00001, "under 0.01 %"),
    ])
    func `a percentage is rounded neither up to 100 nor down to 0`(fraction: Double, text: String) {
        #expect(Figures.percentage(fraction) == text)
    }

    @Test(arguments: [
        (0.0, "< 1 ms"), (0.0009, "< 1 ms"), (0.0019, "1 ms"), (0.0235, "23 ms"), (0.9999, "999 ms"), (1, "1.0 s"),
        (12.39, "12.3 s"), (-1, "< 1 ms"), (.nan, "< 1 ms"),
    ])
    func `a latency has milliseconds or tenths of seconds`(seconds: Double, text: String) {
        #expect(Figures.latency(seconds) == text)
    }
}

struct WordingTests {
    @Test(arguments: [
        (ProbeError(.timedOut, during: .connect), "timed out while connecting"),
        (ProbeError(.timedOut, during: .tls), "timed out while starting TLS"),
        (ProbeError(.timedOut, during: .resolve), "DNS servers do not answer"),
        (ProbeError(.connectionLost, during: .headers), "connection lost while waiting for the response"),
    ])
    func `a failure names its step`(error: ProbeError, text: String) { #expect(Wording.failure(error) == text) }
}
