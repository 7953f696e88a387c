// SPDX-License-Identifier: Apache-2.0

import OpenNetwork
import Testing

/// Source for Apple platforms uses these types with `Network` as its only import, so `OpenNetwork` is the only import here.
struct ReExportTests {
    @Test func `Foundation's essentials and Dispatch are exported`() {
        #expect(URL(string: "https://example.com")?.host() == "example.com")
        #expect(Data([1, 2]).count == 2)
        #expect(DispatchQueue(label: "a queue").label == "a queue")
    }
}
