// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation

/// The number of files that this process has open.
func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}
#endif
