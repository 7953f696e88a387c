// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)

import Glibc
import OpenNetwork
import TestSupport
import Testing

/// The GNU C library's `getaddrinfo` with `AI_NUMERICHOST` is the reference for literals.
struct LibCAgreementTests {
    @Test func `literals are exactly what getaddrinfo accepts as numeric hosts`() {
        var generator = SeededGenerator(seed: 7)
        var accepted = (ipv4: 0, ipv6: 0)
        for _ in 0..<5_000 {
            let text = generator.literalLikeText()
            guard !text.contains("%"), !text.utf8.contains(0), !text.isEmpty else { continue }
            let isIPv4 = IPv4Address(text) != nil
            let isIPv6 = IPv6Address(text) != nil
            #expect(isIPv4 == isNumericHost(text, family: AF_INET), "\(text.debugDescription)")
            #expect(isIPv6 == isNumericHost(text, family: AF_INET6), "\(text.debugDescription)")
            accepted.ipv4 += isIPv4 ? 1 : 0
            accepted.ipv6 += isIPv6 ? 1 : 0
        }
        #expect(accepted.ipv4 > 50 && accepted.ipv6 > 10, "too few literals among the random text: \(accepted)")
    }

    private func isNumericHost(_ text: String, family: Int32) -> Bool {
        var hints = addrinfo()
        hints.ai_family = family
        hints.ai_flags = AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, nil, &hints, &list) == 0 else { return false }
        freeaddrinfo(list)
        return true
    }
}

#endif
