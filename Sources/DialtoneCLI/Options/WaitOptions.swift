//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Dialtone

/// What to wait for: `--for`, `--interface` and `--not`.
struct WaitOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "What to wait for: path, internet, or a host that accepts a connection.",
            valueName: "path|internet|HOST[:PORT]"))
    var target = WaitTarget.path

    @OptionGroup var interfaces: InterfaceOptions

    @Option(
        help: ArgumentHelp(
            "With --for internet, ask this URL instead of the usual ones, as `check` does. May be repeated.",
            valueName: "url"))
    var endpoint: [String] = []

    @Option(help: ArgumentHelp("What the endpoint before must answer, as with `check`.", valueName: "what"))
    var expect: [String] = []

    @OptionGroup var files: SettingsOptions

    @Flag(name: .shortAndLong, help: "Say nothing.")
    var quiet = false

    mutating func validate() throws {
        if target != .internet, !(endpoint.isEmpty && expect.isEmpty) {
            throw ValidationError("--endpoint and --expect need --for internet.")
        }
        _ = try checks()
    }

    /// What is asked to find out whether this is the Internet.
    ///
    /// - Throws: `ValidationError` for what cannot be.
    func checks() throws -> CheckOptions {
        let arguments = endpoint.map { "--endpoint=\($0)" } + expect.map { "--expect=\($0)" }
        do {
            return try CheckOptions.parse(arguments)
        } catch {
            throw ValidationError(CheckOptions.message(for: error))
        }
    }
}

/// What to wait for, as a person writes it.
enum WaitTarget: Hashable, ExpressibleByArgument, CustomStringConvertible {
    case path
    case internet
    case host(HostTarget)

    init?(argument: String) {
        switch argument {
        case "path": self = .path
        case "internet": self = .internet
        default:
            guard let host = try? HostTarget(argument) else { return nil }
            self = .host(host)
        }
    }

    /// What a policy makes of it.
    var level: WaitingPolicy.Level {
        switch self {
        case .path: .path
        case .internet: .verified
        case .host(let host): .host(host)
        }
    }

    var description: String {
        switch self {
        case .path: "path"
        case .internet: "internet"
        case .host(let host): "\(host)"
        }
    }

    /// In a sentence.
    var words: String {
        switch self {
        case .path: "a path"
        case .internet: "the Internet"
        case .host(let host): Printable.text("\(host)")
        }
    }
}

/// A time in seconds, as a person writes it: more than nothing, and less than a thousand years.
struct Seconds: ExpressibleByArgument, Hashable {
    let duration: Duration

    init?(argument: String) {
        guard let number = Double(argument), number > 0, number <= 3e10 else { return nil }
        duration = .milliseconds((number * 1000).rounded(.up))
    }
}
