// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import DialtoneServer

struct VariantWatchTests {
    @Test func `every class delivers its own value, and none after stopping`() async throws {
        let changes = Recorder<VariantWatch.Variant>()
        let watch = VariantWatch { variant, _ in changes.record(variant) }
        watch.start(host: "localhost")
        var missing = Set(VariantWatch.Variant.allCases)
        while !missing.isEmpty { missing.remove(try await changes.next()) }
        #expect(watch.rows.map(\.variant) == VariantWatch.Variant.allCases)
        #expect(watch.rows.allSatisfy { $0.value?.isEmpty == false })
        let host = watch.rows.first { $0.variant == .hostName }?.value
        #expect(host?.hasPrefix("-R") == true)
        let notification = watch.rows.first { $0.variant == .hostNotification }?.value
        #expect(notification == "hostname: localhost, reachableViaWiFi")
        watch.stop()
    }

    @Test func `the table has a row for each class, and says which ones have no value yet`() {
        let html = "\(VariantTable.html([VariantRow(name: "A", value: "<1>"), VariantRow(name: "B")]))"
        #expect(html.contains("<th scope=\"row\">A</th><td class=\"wrap\">&lt;1&gt;</td>"))
        #expect(html.contains("<th scope=\"row\">B</th><td class=\"wrap\">waiting</td>"))
    }
}
