//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)
/// What a session's configuration says of connectivity.
struct ConnectivitySettings: Hashable, Sendable {
    var waits = false
    var allowsExpensive = true
    var allowsConstrained = true
}
#endif
