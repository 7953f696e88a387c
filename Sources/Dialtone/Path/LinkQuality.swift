//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How capable a link can be expected to be: Apple's `NWPath.LinkQuality`, on systems too that do not have it yet.
public enum LinkQuality: String, Hashable, Sendable, CaseIterable {
    /// Nobody has measured it.
    case unknown
    /// Hardly usable.
    case minimal
    /// Usable for most things.
    case moderate
    /// As good as the link can be.
    case good
}
