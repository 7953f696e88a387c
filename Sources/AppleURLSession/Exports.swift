// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
// Apple's only name at top level that `DialtoneURLSession` declares. The export also makes that module's extensions of
// Foundation's types visible in files that import Foundation alone, such as `URLError.networkUnavailableReason`. It
// would hide the module's other names from the rest of its file.
@_exported public import var DialtoneURLSession.NSURLErrorNetworkUnavailableReasonKey
#else
@_exported public import Foundation
#endif
