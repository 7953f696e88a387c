// SPDX-License-Identifier: Apache-2.0

// The part of Foundation that loads quickly and needs no ICU. Apple's Foundation is a single module.

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
