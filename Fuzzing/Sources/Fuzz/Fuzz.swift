// SPDX-License-Identifier: Apache-2.0

import CFuzz
import Glibc

/// Fuzzes one of the readers.
///
/// `Fuzz READER …` passes the remaining arguments to libFuzzer; `Fuzz` alone lists the readers.
@main
enum Fuzz {
    /// The reader to fuzz: libFuzzer starts this program again without the first argument.
    static let reader = Reader.all.first { $0.name == getenv(variable).map { String(cString: $0) } }
    private static let variable = "DIALTONE_FUZZ_READER"

    static func main() {
        var arguments = CommandLine.arguments
        if arguments.count > 1, Reader.all.contains(where: { $0.name == arguments[1] }) {
            setenv(variable, arguments.remove(at: 1), 1)
        }
        guard reader != nil else { return print(Reader.all.map { $0.name }.joined(separator: "\n")) }
        var texts = arguments.map { strdup($0) } + [nil]
        var count = Int32(arguments.count)
        let status = texts.withUnsafeMutableBufferPointer { texts in
            var start = texts.baseAddress
            return LLVMFuzzerRunDriver(&count, &start) { bytes, size in
                Fuzz.reader?.read(Array(UnsafeBufferPointer(start: bytes, count: size)))
                return 0
            }
        }
        exit(status)
    }
}
