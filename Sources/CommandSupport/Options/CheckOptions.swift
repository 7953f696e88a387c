// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options for a check's endpoints: `--endpoint` and the options that belong to it.
package struct EndpointOptions: ParsableArguments {
    @Option(.endpoints) var endpoint: [String]
    @Option(.quorum) var quorum: String?
    @Option(.family) var family: String?
    @Option(.proxy) var proxy: String?
    @Option(.publicAddresses) var publicAddress: [String]
    @Flag(.requireTLS) var requireTLS: Bool?

    init() {}

    /// Whether all of these options were omitted.
    package var isEmpty: Bool {
        endpoint.isEmpty && quorum == nil && family == nil && proxy == nil && publicAddress.isEmpty && requireTLS == nil
    }

    /// The values that these options define.
    package var values: SettingValues {
        SettingValues(
            texts: [.quorum: quorum, .family: family, .proxy: proxy],
            lists: [.endpoints: endpoint, .publicAddresses: publicAddress],
            flags: [.requireTLS: requireTLS])
    }
}

/// The options for a check's endpoints, and its time limit.
package struct CheckOptions: ParsableArguments {
    @OptionGroup var endpoints: EndpointOptions
    @Option(.timeout) var timeout: String?

    init() {}

    /// The values that these options define.
    package var values: SettingValues {
        endpoints.values.merging(SettingValues(texts: [.timeout: timeout])) { $1 }
    }
}
