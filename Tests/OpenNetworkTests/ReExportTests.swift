//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import OpenNetwork
import Testing

/// Apple source imports only `Network` and goes on to use these; `OpenNetwork` is the only import here too.
struct ReExportTests {
    @Test func `Foundation's essentials and Dispatch come along`() {
        #expect(URL(string: "https://example.com")?.host() == "example.com")
        #expect(Data([1, 2]).count == 2)
        #expect(DispatchQueue(label: "a queue").label == "a queue")
    }
}
