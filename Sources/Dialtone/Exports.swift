// SPDX-License-Identifier: Apache-2.0

@_exported public import Dispatch
@_exported public import NetworkModel

@_exported public import struct SystemSupport.TimeSource

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
