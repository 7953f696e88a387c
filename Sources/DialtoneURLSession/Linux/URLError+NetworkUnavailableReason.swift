// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

// Apple's spelling.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of `URLError.networkUnavailableReason` in an error's `userInfo`; its value is a number.
public let NSURLErrorNetworkUnavailableReasonKey = "NSURLErrorNetworkUnavailableReasonKey"

extension URLError {
    /// The reason why an available network was not used.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
    #endif
    public enum NetworkUnavailableReason: Int, Hashable, Sendable {
        /// The network is a mobile network, and the task may not use one.
        case cellular = 0
        /// The network charges by volume, and the task may not use one that does.
        case expensive = 1
        /// The network is to be used sparingly (low data mode), and the task may not use one like that.
        case constrained = 2
        /// The network carries very little data, and the task may not use one like that.
        case ultraConstrained = 3
    }

    /// The reason why an available network was not used; nil if there was no network, and for other errors.
    public var networkUnavailableReason: NetworkUnavailableReason? {
        (userInfo[NSURLErrorNetworkUnavailableReasonKey] as? Int).flatMap(NetworkUnavailableReason.init(rawValue:))
    }
}
#endif
