//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Configuration

/// What is asked to find out whether this is the Internet: `--endpoint` and what belongs to it.
struct CheckOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Ask this URL instead of the usual ones; it must answer with an empty 204, unless --expect follows. May be repeated.",
            valueName: "url"))
    var endpoint: [String] = []

    @Option(
        help: ArgumentHelp(
            "What the endpoint before must answer: status:CODE, body:TEXT, prefix:TEXT, contains:TEXT, regex:RE or nonce.",
            valueName: "what"))
    var expect: [String] = []

    @Option(
        help: ArgumentHelp(
            "How many endpoints must answer as expected: a number, or a share such as 50%.", valueName: "n"))
    var quorum: String?

    @Option(help: ArgumentHelp("How long the whole check may take.", valueName: "seconds"))
    var timeout: Double?

    @Option(help: ArgumentHelp("Use only this version of the Internet Protocol.", valueName: "4|6|any"))
    var family: String?

    mutating func validate() throws {
        // The rest is looked at together with what is set elsewhere.
        _ = try values()
    }

    /// What these options set.
    ///
    /// - Throws: `ValidationError` for an `--expect` that belongs to no `--endpoint`.
    func values() throws -> [Setting: ConfigContent] {
        var values: [Setting: ConfigContent] = [:]
        if let endpoints = try endpoints() { values[.endpoints] = .stringArray(endpoints) }
        if let quorum { values[.quorum] = .string(quorum) }
        if let timeout { values[.timeout] = .double(timeout) }
        if let family { values[.family] = .string(family) }
        return values
    }

    private func endpoints() throws -> [String]? {
        var expectations: [Int: String] = [:]
        for value in expect {
            let (place, text) = EndpointArguments.split(value)
            guard endpoint.indices.contains(place - 1) else {
                throw ValidationError("--expect must follow the --endpoint that it speaks of.")
            }
            guard expectations[place] == nil else {
                throw ValidationError("--endpoint \(Printable.text(endpoint[place - 1])) has two --expect.")
            }
            expectations[place] = text
        }
        if endpoint.isEmpty { return nil }
        return endpoint.enumerated().map { place, url in
            url + (expectations[place + 1].map { " \($0)" } ?? "")
        }
    }
}
