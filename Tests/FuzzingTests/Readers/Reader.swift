// SPDX-License-Identifier: Apache-2.0

/// A parser of untrusted bytes: it must end with a value or an error, whatever the bytes.
///
/// Further requirements are preconditions here: a failed one is a crash, for a fuzzer and for a test.
struct Reader: Sendable {
    /// The name, which is also that of its corpus folder.
    let name: String
    let read: @Sendable ([UInt8]) -> Void

    init(_ name: String, _ read: @escaping @Sendable ([UInt8]) -> Void) {
        (self.name, self.read) = (name, read)
    }

    #if os(Linux)
    static let all = [netlink, bus, resolver, portal, http, settings, request]
    #else
    static let all = [portal, http, settings, request]
    #endif
}
