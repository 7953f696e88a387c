// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone

/// The target of a wait: `--for`, `--interface` and `--not`.
struct WaitOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "What to wait for: path, internet, or a host that accepts a connection.",
            valueName: "path|internet|HOST[:PORT]"),
        completion: .list(["path", "internet"]))
    var text = "path"

    @OptionGroup var interfaces: InterfaceOptions

    /// Allowed with `--for internet` only.
    @OptionGroup var endpoints: EndpointOptions

    @OptionGroup var files: SettingsOptions

    @Flag(name: .shortAndLong, help: "Print nothing.")
    var quiet = false

    mutating func validate() throws {
        if try target() != .verified, !endpoints.isEmpty {
            throw ValidationError("--endpoint and the options that belong to it need --for internet.")
        }
        if case .host = try target(), !interfaces.isEmpty {
            throw ValidationError(
                "--interface and --not need --for path or --for internet: the system chooses the interface to a host.")
        }
    }

    /// The target of the wait.
    ///
    /// - Throws: `ValidationError` for an invalid target, without secrets in it.
    func target() throws -> WaitingPolicy.Level {
        do throws(HostTargetError) { return try WaitingPolicy.Level(text) } catch {
            throw ValidationError("--for: \(Printable.text(error.description)).")
        }
    }
}

extension WaitingPolicy.Level {
    /// Parses the text of `--for`.
    init(_ text: String) throws(HostTargetError) {
        switch text.lowercased() {
        case "path": self = .path
        case "internet": self = .verified
        default: self = .host(try HostTarget(text))
        }
    }

    /// The name in a sentence.
    var words: String {
        switch self {
        case .path: "a path"
        case .verified: "the Internet"
        case .host(let host): Printable.text("\(host)")
        }
    }
}

/// A time in seconds, as the user types it: greater than zero, and less than a thousand years.
struct Seconds: ExpressibleByArgument, Hashable {
    let duration: Duration

    init?(argument: String) {
        guard let number = Double(argument), number > 0, number <= 3e10 else { return nil }
        duration = .milliseconds((number * 1000).rounded(.up))
    }
}
