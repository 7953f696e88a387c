// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

/// The TXT record of a service: keys with texts.
///
/// Mirrors the part of Apple's `NWTXTRecord` that source code uses to read and make a record.
public struct NWTXTRecord: Hashable, Sendable {
    /// The keys and their texts; keys are compared as they are written.
    public var dictionary: [String: String]

    /// Creates a record from keys and texts; without arguments, an empty one.
    public init(_ dictionary: [String: String] = [:]) { self.dictionary = dictionary }

    /// The text for a key; nil if the record has no such key.
    public subscript(key: String) -> String? {
        get { dictionary[key] }
        set { dictionary[key] = newValue }
    }
}

extension NWEndpoint {
    /// The TXT record of a service; always nil here, because nothing browses for services.
    public var txtRecord: NWTXTRecord? { nil }
}

#endif
