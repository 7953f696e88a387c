// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options that only `dialtone serve` has, and the interval of its checks.
struct ServeOptions: ParsableArguments {
    @Option(.listen) var listen: String?
    @Option(.hosts) var host: [String]
    @Option(.allowedHosts) var allowHost: [String]
    @Option(.tokenFile) var tokenFile: String?
    @Option(.dataDirectory) var dataDirectory: String?
    @Option(.requestURL) var requestURL: String?
    @Option(.interval) var interval: String?
    @Option(.logLevel) var logLevel: String?
    @Flag(.demo) var demo: Bool?
    @Flag(.passive) var passive: Bool?

    /// The values that these options define.
    var values: SettingValues {
        SettingValues(
            texts: [
                .listen: listen, .tokenFile: tokenFile, .dataDirectory: dataDirectory, .requestURL: requestURL,
                .interval: interval, .logLevel: logLevel,
            ],
            lists: [.hosts: host, .allowedHosts: allowHost], flags: [.demo: demo, .passive: passive])
    }
}
