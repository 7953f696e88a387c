//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a conversation with the message bus cannot go on.
enum BusError: Error, Hashable {
    /// Bytes that break the D-Bus specification, or its limits.
    case malformed(String)
    /// The bus does not let this program in.
    case refused
    /// The bus, or a program on it, did not answer in time.
    case timedOut
    /// The other end is gone.
    case closed
}
