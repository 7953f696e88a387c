//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)
public import Foundation

// Apple's own spelling.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of `URLError.networkUnavailableReason` in an error's `userInfo`: a number.
public let NSURLErrorNetworkUnavailableReasonKey = "NSURLErrorNetworkUnavailableReasonKey"

extension URLError {
    /// Why a network that is there was not used.
    public enum NetworkUnavailableReason: Int, Hashable, Sendable {
        /// It is a mobile network, and those may not be used.
        case cellular = 0
        /// It costs by volume, and such may not be used.
        case expensive = 1
        /// The user wants it to carry little data, and such may not be used.
        case constrained = 2
    }

    /// Why a network that is there was not used; nil where there was none, and for other errors.
    public var networkUnavailableReason: NetworkUnavailableReason? {
        (userInfo[NSURLErrorNetworkUnavailableReasonKey] as? Int).flatMap(NetworkUnavailableReason.init(rawValue:))
    }
}
#endif
