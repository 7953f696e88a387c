// SPDX-License-Identifier: Apache-2.0

/// Checks the address sanitizer: `stale` reads freed memory and must be reported, `fresh` must not be.
@main enum Addresses {
    static func main() {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
        bytes.initialize(repeating: 1, count: 64)
        let isFresh = CommandLine.arguments.dropFirst().first == "fresh"
        if isFresh { print(bytes[63]) }
        bytes.deallocate()
        if !isFresh { print(bytes[63]) }
    }
}
