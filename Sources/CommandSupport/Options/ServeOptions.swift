// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser

package struct ServeOptions: ParsableArguments {
    /// The name and the help of the command.
    package static let command = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a dashboard of the connection, record its history, and export metrics.",
        discussion: """
            It needs no root. Only this machine can connect, unless --listen allows others, which then need the \
            token. Ctrl-C, SIGTERM or the end of its terminal stops it; kill -HUP reloads the settings file, the tokens \
            and the certificate, and --reload does the same and reports the result. At each transition it runs the executables in /etc/dialtone/hooks.d, or those of --hook. \
            With --notify-url it sends the transitions to a collector, also those of an outage, in order and at least once. Each option can also be set in a file or by a variable. Exit status: 0 when stopped; \
            64 wrong usage; 70 it cannot serve.
            """)

    @Option(.listen) var listen: [String]
    @Option(.hosts) var host: [String]
    @Option(.hostInterval) var hostInterval: String?
    @Option(.allowedHosts) var allowHost: [String]
    @Option(.tokenFile) var tokenFile: String?
    @Option(.tlsCertificate) var tlsCertificate: String?
    @Option(.tlsKey) var tlsKey: String?
    @Option(.dataDirectory) var dataDirectory: String?
    @Option(.hooks) var hook: [String]
    @Option(.hookTimeout) var hookTimeout: String?
    @Option(.hookAfter) var hookAfter: String?
    @Option(.notifyURL) var notifyURL: String?
    @Option(.notifyTokenFile) var notifyTokenFile: String?
    @Option(.interval) var interval: String?
    @Option(.heartbeat) var heartbeat: String?
    @Option(.logLevel) var logLevel: String?
    @Option(.logFormat) var logFormat: String?
    @Flag(.passive) var passive: Bool?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Make the server with this process ID reload its settings, wait for the result, and exit with 0 if it did.",
            valueName: "pid"))
    package var reload: Int32?

    @OptionGroup package var interfaces: InterfaceOptions
    // Not `CheckOptions`: in debug builds, each level of groups makes the parser check everything below it four times more.
    @OptionGroup var endpoints: EndpointOptions
    @Option(.timeout) var timeout: String?
    @OptionGroup var files: SettingsOptions

    package init() {}

    package func validate() throws {
        // Smaller numbers mean groups of processes, and 1 is the first process of the system (kill(2)).
        if let reload, reload < 2 { throw ValidationError("--reload: '\(reload)' must be the process ID of a server.") }
    }

    /// The sources of all settings.
    package var reader: SettingsReader {
        let own = SettingValues(
            texts: [
                .tokenFile: tokenFile, .tlsCertificate: tlsCertificate, .tlsKey: tlsKey,
                .dataDirectory: dataDirectory, .interval: interval, .heartbeat: heartbeat,
                .hostInterval: hostInterval, .hookTimeout: hookTimeout, .hookAfter: hookAfter,
                .notifyURL: notifyURL, .notifyTokenFile: notifyTokenFile, .logLevel: logLevel, .logFormat: logFormat,
                .timeout: timeout,
            ],
            lists: [.listen: listen, .hosts: host, .allowedHosts: allowHost, .hooks: hook],
            flags: [.passive: passive])
        return files.reader(with: endpoints.values.merging(own) { $1 })
    }
}
