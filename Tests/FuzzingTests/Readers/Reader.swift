//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Something that reads what strangers send: it must end with a value or an error, whatever the bytes.
///
/// What else must hold is a precondition here: to a fuzzer and to a test, one that fails is a crash.
struct Reader: Sendable {
    /// As the folder of its corpus is called.
    let name: String
    let read: @Sendable ([UInt8]) -> Void

    init(_ name: String, _ read: @escaping @Sendable ([UInt8]) -> Void) {
        (self.name, self.read) = (name, read)
    }

    #if os(Linux)
    static let all = [netlink, bus, resolver, portal, http, settings, request]
    #else
    static let all = [portal, http, settings, request]
    #endif
}
