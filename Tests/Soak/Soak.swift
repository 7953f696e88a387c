// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation

/// An hour of random network changes around a program that creates and drops monitors, hosts and waiters all the time.
///
/// `Soak SECONDS` changes the network namespace in which it starts, starts itself again as the subject, measures that process
/// from outside, and prints the result as Markdown. It exits with 1 if an answer of the subject was wrong or if its use of
/// descriptors, threads or memory was not flat: see ``Flatness``. `make soak` runs it in a separate network namespace.
@main
enum Soak {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "subject" { return Subject().run() }
        let seconds = arguments.first.flatMap { Double($0) } ?? 3600
        do {
            exit(try Run(seconds: max(seconds, 30)).perform() ? 0 : 1)
        } catch {
            log("The soak test could not run: \(error)")
            exit(2)
        }
    }

    /// Writes progress to standard error.
    static func log(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// Writes a line to standard output, unbuffered.
    static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
#else
@main enum Soak {
    static func main() {}
}
#endif
