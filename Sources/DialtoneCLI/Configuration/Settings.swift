//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Configuration
import Dialtone

/// What is set, each by the first place that says it: the options, the environment, a file.
struct Settings {
    private(set) var endpoints: Sourced<[String]>?
    private(set) var quorum: Sourced<String>?
    private(set) var timeout: Sourced<Double>?
    private(set) var family: Sourced<String>?
    private(set) var interval: Sourced<Double>?
    private(set) var passive: Sourced<Bool>?
    private(set) var costs: Sourced<[String]>?
    private(set) var serving = ServingSettings()

    /// Joins the places, the one that counts most first.
    ///
    /// - Throws: for the first value that cannot be.
    init(_ sources: [SettingsSource]) throws(SettingsError) {
        for setting in Setting.allCases {
            for source in sources {
                guard let found = try source.value(of: setting) else { continue }
                take(setting, found)
                break
            }
        }
        try validate()
    }

    private mutating func take(_ setting: Setting, _ found: Sourced<ConfigContent>) {
        switch (setting, found.value) {
        case (.endpoints, .stringArray(let value)): endpoints = Sourced(value: value, origin: found.origin)
        case (.quorum, .string(let value)): quorum = Sourced(value: value, origin: found.origin)
        case (.timeout, .double(let value)): timeout = Sourced(value: value, origin: found.origin)
        case (.family, .string(let value)): family = Sourced(value: value, origin: found.origin)
        case (.interval, .double(let value)): interval = Sourced(value: value, origin: found.origin)
        case (.passive, .bool(let value)): passive = Sourced(value: value, origin: found.origin)
        case (.costs, .stringArray(let value)): costs = Sourced(value: value, origin: found.origin)
        // A source gives the type that it was asked for.
        default: serving.take(setting, found)
        }
    }

    private func validate() throws(SettingsError) {
        try Self.validate(timeout, from: 0.001, to: 3600)
        try Self.validate(interval, from: 0.1, to: 1e7)
        _ = try check()
        try validateCosts()
        try serving.validate()
    }

    private static func validate(_ number: Sourced<Double>?, from least: Double, to most: Double) throws(SettingsError)
    {
        guard let number, !(number.value >= least && number.value <= most) else { return }
        throw SettingsError(number.origin, "must be from \(least) to \(Int(most)) seconds")
    }
}

extension Settings {
    /// Whether no packet may be sent.
    var isPassive: Bool { passive?.value ?? false }

    /// When a monitor checks.
    var monitoring: ConnectivityMonitor.Configuration {
        var configuration = ConnectivityMonitor.Configuration()
        if let interval { configuration.interval = .seconds(interval.value) }
        return configuration
    }
}
