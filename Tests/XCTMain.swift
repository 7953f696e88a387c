// SPDX-License-Identifier: Apache-2.0

import Testing

/// The program that runs the tests on Linux.
///
/// With this file, SwiftPM does not search an index store for tests of XCTest, and so none has to be written.
@main enum TestProgram {
    static func main() async { await __swiftPMEntryPoint() as Never }
}
