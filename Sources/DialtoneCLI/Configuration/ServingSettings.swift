//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Configuration
import FoundationEssentials

/// What is set of the server and its history; what it means is known to `dialtone serve`.
struct ServingSettings {
    private(set) var listen: Sourced<String>?
    private(set) var dataDirectory: Sourced<String>?
    private(set) var tokenFile: Sourced<String>?
    private(set) var requestURL: Sourced<String>?
    private(set) var logLevel: Sourced<String>?
    private(set) var hosts: Sourced<[String]>?
    private(set) var allowedHosts: Sourced<[String]>?
    private(set) var demo: Sourced<Bool>?

    mutating func take(_ setting: Setting, _ found: Sourced<ConfigContent>) {
        switch (setting, found.value) {
        case (.listen, .string(let value)): listen = Sourced(value: value, origin: found.origin)
        case (.dataDirectory, .string(let value)): dataDirectory = Sourced(value: value, origin: found.origin)
        case (.tokenFile, .string(let value)): tokenFile = Sourced(value: value, origin: found.origin)
        case (.requestURL, .string(let value)): requestURL = Sourced(value: value, origin: found.origin)
        case (.logLevel, .string(let value)): logLevel = Sourced(value: value, origin: found.origin)
        case (.hosts, .stringArray(let value)): hosts = Sourced(value: value, origin: found.origin)
        case (.allowedHosts, .stringArray(let value)): allowedHosts = Sourced(value: value, origin: found.origin)
        case (.demo, .bool(let value)): demo = Sourced(value: value, origin: found.origin)
        default: break
        }
    }

    /// A path that is not an option must not depend on where the command is started.
    func validate() throws(SettingsError) {
        for path in [dataDirectory, tokenFile].compactMap(\.self) {
            if case .option = path.origin { continue }
            guard path.value.hasPrefix("/") else { throw SettingsError(path.origin, "must be an absolute path") }
        }
    }
}
