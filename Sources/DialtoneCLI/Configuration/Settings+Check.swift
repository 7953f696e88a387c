//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

extension Settings {
    /// What is asked to find out whether this is the Internet.
    ///
    /// - Parameter total: how long the whole check may take, unless that is set.
    func check(within total: Duration? = nil) throws(SettingsError) -> InternetCheck.Configuration {
        var configuration = InternetCheck.Configuration()
        if let endpoints {
            configuration.endpoints = try endpoints.value.map { text throws(SettingsError) in
                try Self.endpoint(text, endpoints.origin)
            }
        }
        if let quorum {
            configuration.quorum = try Self.naming(quorum.origin) { () throws(InternetCheck.ConfigurationError) in
                try InternetCheck.Quorum(parsing: quorum.value)
            }
        }
        if let bound = timeout.map({ Duration.seconds($0.value) }) ?? total {
            configuration.timeouts = .init(within: bound)
        }
        if let family { configuration.family = try Self.family(family) }
        do throws(InternetCheck.ConfigurationError) {
            _ = try InternetCheck(configuration)
        } catch {
            throw SettingsError(origin(of: error.field), "\(error)")
        }
        return configuration
    }

    /// `URL`, or `URL EXPECTATION`.
    private static func endpoint(
        _ text: String, _ origin: SettingsError.Origin
    ) throws(SettingsError) -> InternetCheck.Endpoint {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let url = parts.first else { throw SettingsError(origin, "an empty text is no URL") }
        guard parts.count == 2 else { return InternetCheck.Endpoint(url) }
        let expectation = try naming(origin) { () throws(InternetCheck.ConfigurationError) in
            try InternetCheck.Expectation(parsing: parts[1])
        }
        return InternetCheck.Endpoint(url, expecting: expectation)
    }

    private static func family(
        _ family: Sourced<String>
    ) throws(SettingsError) -> InternetCheck.Configuration.Family {
        switch family.value {
        case "4": .ipv4
        case "6": .ipv6
        case "any": .any
        default: throw SettingsError(family.origin, "must be 4, 6 or any, not \"\(family.value)\"")
        }
    }

    /// What is wrong in a configuration, told of the place where it was set.
    private static func naming<Value>(
        _ origin: SettingsError.Origin, _ body: () throws(InternetCheck.ConfigurationError) -> Value
    ) throws(SettingsError) -> Value {
        do { return try body() } catch { throw SettingsError(origin, "\(error)") }
    }

    private func origin(of field: String) -> SettingsError.Origin {
        let found =
            if field.hasPrefix("endpoints") {
                endpoints?.origin
            } else if field.hasPrefix("quorum") {
                quorum?.origin
            } else {
                timeout?.origin
            }
        return found ?? .option(field)
    }
}

extension InternetCheck.Configuration.Timeouts {
    /// Steps that may each take all of the time.
    fileprivate init(within total: Duration) {
        self.init(resolve: total, connect: total, tls: total, headers: total, body: total, total: total)
    }
}
