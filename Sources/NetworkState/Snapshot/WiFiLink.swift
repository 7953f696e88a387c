//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What is known of a Wi-Fi link that has joined a network.
public struct WiFiLink: Hashable, Sendable {
    /// The network's name, as bytes: any 1 to 32 of them, UTF-8 by custom; nil where the system does not tell.
    public var ssid: [UInt8]?
    /// The link-layer address of the access point (BSSID).
    ///
    /// It changes when the link roams to another access point of the same network.
    public var accessPoint: [UInt8]?
    /// What its signal promises.
    public var quality: LinkQuality

    /// Makes one, for tests and scripts too.
    public init(ssid: [UInt8]?, accessPoint: [UInt8]? = nil, quality: LinkQuality = .unknown) {
        self.ssid = ssid
        self.accessPoint = accessPoint
        self.quality = quality
    }

    /// The network's name as text, with bytes that are not UTF-8 repaired.
    public var networkName: String? { ssid.map { String(decoding: $0, as: UTF8.self) } }
}
