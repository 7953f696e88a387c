//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Foundation

/// An hour of random churn around a program that makes and drops monitors, hosts and waiters all the time.
///
/// `Soak SECONDS` churns the network namespace that it is started in, starts itself once more as the subject, measures that
/// from outside, and prints what it found as Markdown. It exits with 1 when the subject was wrong or its use of descriptors,
/// threads or memory was not flat: see ``Flatness``. `make soak` runs it in a namespace of its own.
@main
enum Soak {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "subject" { return Subject().run() }
        let seconds = arguments.first.flatMap { Double($0) } ?? 3600
        do {
            exit(try Run(seconds: max(seconds, 30)).perform() ? 0 : 1)
        } catch {
            log("The soak could not run: \(error)")
            exit(2)
        }
    }

    /// Says how it goes, on standard error.
    static func log(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// Says something on standard output, at once.
    static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
#else
@main enum Soak {
    static func main() {}
}
#endif
