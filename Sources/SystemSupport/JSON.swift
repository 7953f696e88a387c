// SPDX-License-Identifier: Apache-2.0

extension Encoder {
    /// Encodes an object with these members.
    ///
    /// The value nil is written as null, so that an object always has all of its members.
    package func encode(_ members: KeyValuePairs<String, (any Encodable)?>) throws {
        try EncodedObject(members).encode(to: self)
    }
}

/// An object with these members, as a value to encode.
package struct EncodedObject: Encodable {
    private let members: [(key: String, value: (any Encodable)?)]

    package init(_ members: KeyValuePairs<String, (any Encodable)?>) { self.members = Array(members) }

    /// An object with those of the members that are not nil.
    package init(present members: KeyValuePairs<String, (any Encodable)?>) {
        self.members = members.filter { $0.value != nil }
    }

    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: MemberName.self)
        for (name, value) in members {
            if let value {
                try object.encode(value, forKey: MemberName(stringValue: name))
            } else {
                try object.encodeNil(forKey: MemberName(stringValue: name))
            }
        }
    }
}

private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

extension Date {
    /// The time in ISO 8601, in UTC, to the millisecond.
    package var iso8601: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
}
