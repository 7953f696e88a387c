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
    var text = "path"

    @OptionGroup var interfaces: InterfaceOptions

    @Option(
        help: ArgumentHelp(
            "With --for internet, ask this URL instead of the usual ones, as `check` does. May be repeated.",
            valueName: "url"))
    var endpoint: [String] = []

    @Option(help: ArgumentHelp("What the endpoint before must answer, as with `check`.", valueName: "what"))
    var expect: [String] = []

    @Option(help: ArgumentHelp("With --for internet, as with `check`.", valueName: "n"))
    var quorum: String?

    @Option(help: ArgumentHelp("With --for internet, as with `check`.", valueName: "4|6|any"))
    var family: String?

    @OptionGroup var files: SettingsOptions

    @Flag(name: .shortAndLong, help: "Say nothing.")
    var quiet = false

    mutating func validate() throws {
        if try target() != .internet, !(endpoint.isEmpty && expect.isEmpty && quorum == nil && family == nil) {
            throw ValidationError("--endpoint, --expect, --quorum and --family need --for internet.")
        }
        _ = try checks()
    }

    /// What to wait for.
    ///
    /// - Throws: `ValidationError` for what cannot be, without what may be secret in it.
    func target() throws -> WaitTarget {
        do throws(HostTargetError) { return try WaitTarget(text) } catch {
            throw ValidationError("--for: \(Printable.text(error.description)).")
        }
    }

    /// What is asked to find out whether this is the Internet.
    ///
    /// - Throws: `ValidationError` for what cannot be.
    func checks() throws -> CheckOptions {
        let arguments =
            endpoint.map { "--endpoint=\($0)" } + expect.map { "--expect=\($0)" }
            + [quorum.map { "--quorum=\($0)" }, family.map { "--family=\($0)" }].compactMap(\.self)
        do {
            return try CheckOptions.parse(arguments)
        } catch {
            throw ValidationError(CheckOptions.message(for: error))
        }
    }
}

/// What to wait for, as a person writes it.
enum WaitTarget: Hashable {
    case path
    case internet
    case host(HostTarget)

    /// Reads it.
    init(_ text: String) throws(HostTargetError) {
        switch text.lowercased() {
        case "path": self = .path
        case "internet": self = .internet
        default: self = .host(try HostTarget(text))
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
