// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Decodes UTF-8; returns nil if the bytes are not valid.
    ///
    /// `String(validating:as:)` needs macOS 15 and iOS 18.
    package init?(validUTF8 bytes: [UInt8]) {
        self.init(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid bytes.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
