//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension InternetCheck {
    /// An invalid configuration, and the field that is wrong.
    public typealias ConfigurationError = InvalidConfiguration
}
