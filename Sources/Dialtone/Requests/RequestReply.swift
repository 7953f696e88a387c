//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

/// What a server answered, whatever client asked.
public struct RequestReply: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The body.
    public var body: Data

    /// Makes a reply.
    public init(status: Int, body: Data = Data()) {
        self.status = status
        self.body = body
    }
}
