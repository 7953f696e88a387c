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

extension Substring {
    /// The bytes of the text, with percent escapes such as `%2f` decoded; nil if one is malformed, unless these are kept.
    package func percentDecoded(keepsMalformed: Bool = false) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if digits.count == 2 {
                bytes.append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            } else if keepsMalformed {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        return bytes
    }
}
