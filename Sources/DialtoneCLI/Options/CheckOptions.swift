//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Dialtone

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

    @Option(help: ArgumentHelp("Use only this version of the Internet Protocol.", valueName: "4|6"))
    var family: Family?

    enum Family: String, CaseIterable, ExpressibleByArgument {
        case ipv4 = "4"
        case ipv6 = "6"
    }

    mutating func validate() throws {
        if let timeout, !(timeout > 0 && timeout <= Self.longestTimeout) {
            throw ValidationError("--timeout must be above 0 and at most \(Int(Self.longestTimeout)) seconds.")
        }
        _ = try configuration()
    }

    private static let longestTimeout = 86_400.0

    /// What these options ask for.
    ///
    /// - Parameter total: how long the whole check may take, unless `--timeout` says.
    /// - Throws: `ValidationError` for what cannot be.
    func configuration(total: Duration? = nil) throws -> InternetCheck.Configuration {
        var configuration = InternetCheck.Configuration()
        do {
            let own = try endpoints()
            if !own.isEmpty { configuration.endpoints = own }
            if let quorum { configuration.quorum = try InternetCheck.Quorum(parsing: quorum) }
            if let bound = timeout.map({ Duration.seconds($0) }) ?? total {
                configuration.timeouts = .init(within: bound)
            }
            switch family {
            case .ipv4: configuration.family = .ipv4
            case .ipv6: configuration.family = .ipv6
            case nil: break
            }
            _ = try InternetCheck(configuration)
        } catch let error as InternetCheck.ConfigurationError {
            throw ValidationError(Printable.text("\(error)"))
        }
        return configuration
    }

    private func endpoints() throws -> [InternetCheck.Endpoint] {
        var expectations: [Int: InternetCheck.Expectation] = [:]
        for value in expect {
            let (place, text) = EndpointArguments.split(value)
            guard endpoint.indices.contains(place - 1) else {
                throw ValidationError("--expect must follow the --endpoint that it speaks of.")
            }
            guard expectations[place] == nil else {
                throw ValidationError("--endpoint \(Printable.text(endpoint[place - 1])) has two --expect.")
            }
            expectations[place] = try InternetCheck.Expectation(parsing: text)
        }
        return endpoint.enumerated().map { place, url in
            InternetCheck.Endpoint(url, expecting: expectations[place + 1] ?? .noContent)
        }
    }
}

extension InternetCheck.Configuration.Timeouts {
    /// Steps that may each take all of the time.
    fileprivate init(within total: Duration) {
        self.init(resolve: total, connect: total, tls: total, headers: total, body: total, total: total)
    }
}
