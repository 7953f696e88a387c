// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options for a check's endpoints: `--endpoint` and the options that belong to it.
package struct EndpointOptions: ParsableArguments {
    @Option(.endpoints) var endpoint: [String]
    // To be removed after the next release.
    @Option(help: .hidden) var expect: [String] = []
    @Option(.quorum) var quorum: String?
    @Option(.family) var family: String?
    @Option(.proxy) var proxy: String?
    @Option(.publicAddresses) var publicAddress: [String]
    @Flag(.requireTLS) var requireTLS: Bool?

    init() {}

    /// Whether all of these options were omitted.
    package var isEmpty: Bool {
        endpoint.isEmpty && expect.isEmpty && quorum == nil && family == nil && proxy == nil && publicAddress.isEmpty
            && requireTLS == nil
    }

    /// The settings of these options.
    ///
    /// - Throws: `SettingsError` if it is unclear which `--endpoint` an `--expect` belongs to.
    package func values() throws(SettingsError) -> SettingValues {
        // The parser does not keep the order of two options, so either each endpoint has an expectation, or none has.
        guard expect.isEmpty || expect.count == endpoint.count else {
            throw SettingsError(.option("--expect"), "write --endpoint 'URL \(expect[0])' instead")
        }
        let endpoints = expect.isEmpty ? endpoint : zip(endpoint, expect).map { "\($0) \($1)" }
        return SettingValues(
            texts: [.quorum: quorum, .family: family, .proxy: proxy],
            lists: [.endpoints: endpoints, .publicAddresses: publicAddress],
            flags: [.requireTLS: requireTLS])
    }
}

/// The options for a check's endpoints, and its time limit.
package struct CheckOptions: ParsableArguments {
    @OptionGroup var endpoints: EndpointOptions
    @Option(.timeout) var timeout: String?

    init() {}

    /// The values that these options define.
    package func values() throws(SettingsError) -> SettingValues {
        try endpoints.values().merging(SettingValues(texts: [.timeout: timeout])) { $1 }
    }
}
