//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Configuration
import Dialtone
import FoundationEssentials

/// Where settings come from, and what links cost: `--config` and `--cost`.
struct SettingsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read settings from this file (JSON) instead of the usual one; /dev/null for none.", valueName: "path"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            """
            What a link costs: interface:NAME=COST, network:NAME=COST or type:TYPE=COST, where COST is expensive, \
            inexpensive, constrained, unconstrained or ultra-constrained. May be repeated.
            """, valueName: "link=cost"))
    var cost: [String] = []

    private var values: [Setting: ConfigContent] { cost.isEmpty ? [:] : [.costs: .stringArray(cost)] }

    /// Everything that is set, and applies what concerns the whole process.
    ///
    /// - Parameter options: what other options of the command line set.
    /// - Throws: `ValidationError` for what cannot be.
    func settings(with options: [Setting: ConfigContent]) throws -> Settings {
        do throws(SettingsError) {
            let settings = try Settings(options: options.merging(values) { $1 }, file: config)
            try settings.applyCosts()
            return settings
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// What is asked to find out whether this is the Internet.
    ///
    /// - Throws: `ValidationError` for what cannot be.
    func check(_ options: CheckOptions) throws -> InternetCheck.Configuration {
        let settings = try settings(with: options.values())
        do { return try settings.check() } catch { throw ValidationError("\(error)") }
    }
}

extension Settings {
    /// Everything that is set: by options, in the environment, and in the file that counts.
    ///
    /// - Parameters:
    ///   - options: what the command line sets.
    ///   - path: the file that `--config` names.
    init(options: [Setting: ConfigContent], file path: String?) throws(SettingsError) {
        let environment = ProcessInfo.processInfo.environment
        for misspelling in Misspelling.all(in: environment) {
            Console.explain(
                "dialtone: \(Printable.text(misspelling.name)) is no setting; there is \(misspelling.setting)")
        }
        var sources = [SettingsSource(options: options), SettingsSource(environment: environment)]
        if let file = try SettingsFile.inForce(path, environment) { sources.append(SettingsSource(file: file)) }
        try self.init(sources)
    }
}

extension SettingsFile {
    fileprivate static func inForce(
        _ path: String?, _ environment: [String: String]
    ) throws(SettingsError) -> SettingsFile? {
        if let path { return try SettingsFile(named: path) }
        if let named = environment["DIALTONE_CONFIG"], !named.isEmpty { return try SettingsFile(named: named) }
        return try usual(environment, explain: Console.explain)
    }
}
