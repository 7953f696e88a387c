// SPDX-License-Identifier: Apache-2.0

package import Dialtone

/// The settings, each taken from the first source that defines it: the options, the environment, a file.
package struct Settings {
    /// The values that the settings were read from.
    package private(set) var values: SettingValues = [:]
    /// The configuration of a check, as the settings define it.
    ///
    /// Unlike the library, the command uses the environment's proxies by default, as curl(1) does.
    var configuration = InternetCheck.Configuration(proxies: .environment)
    /// The check with this configuration; nil only until all settings have been read.
    private var validated: InternetCheck?
    var timeout: Duration?
    var interval: Duration?
    /// The interval of the heartbeat; zero for none.
    var heartbeat: Duration?
    /// Whether the command must not send packets.
    package var isPassive = false
    var costs = CostPolicy()
    // The server interprets these itself, because most of them depend on something that only the server has.
    package var dataDirectory: Sourced<String>?
    package var listen: Sourced<[String]>?
    package var tokenFile: Sourced<String>?
    package var tlsCertificate: Sourced<String>?
    package var tlsKey: Sourced<String>?
    package var allowedHosts: Sourced<[String]>?
    package var hosts: Sourced<[String]>?
    package var hostInterval: Duration?
    package var hooks: Sourced<[String]>?
    package var hookTimeout: Duration?
    package var hookAfter: Duration?
    package var notifyURL: Sourced<String>?
    package var notifyTokenFile: Sourced<String>?
    package var logLevel: Sourced<String>?
    package var logFormat = LogFormat.text

    /// Reads the sources, the most important one first.
    ///
    /// - Throws: an error for the first invalid value.
    init(_ sources: [SettingsSource]) throws(SettingsError) {
        var origins: [String: SettingsError.Origin] = [:]
        for setting in Setting.allCases {
            for source in sources {
                guard let value = source.values[setting] else { continue }
                origins[setting.rawValue] = source.origin(setting)
                values[setting] = value
                try setting.read(value, from: source.origin(setting), into: &self)
                break
            }
        }
        do throws(InvalidConfiguration) {
            validated = try InternetCheck(configuration)
        } catch {
            // Each setting is valid on its own, so only the number of endpoints or the quorum can be wrong.
            let value = error.field == Setting.quorum.rawValue ? "'\(configuration.quorum)' " : ""
            throw SettingsError(origins[error.field] ?? .option(error.field), value + error.problem)
        }
    }

    /// - Parameter total: the time limit of the whole check, if no setting defines one.
    package func check(within total: Duration? = nil) -> InternetCheck {
        var check = validated ?? InternetCheck()
        if let total = timeout ?? total {
            // Each step may use the whole time.
            check.configuration.timeouts = .init(
                resolve: total, connect: total, tls: total, headers: total, body: total, total: total)
        }
        return check
    }

    /// The configuration of a monitor.
    ///
    /// - Parameter standard: its heartbeat, if no setting defines one.
    package func monitoring(beating standard: ConnectivityMonitor.Heartbeat? = nil) -> ConnectivityMonitor.Configuration
    {
        var configuration = ConnectivityMonitor.Configuration()
        if let interval { configuration.interval = interval }
        configuration.heartbeat = standard
        if let heartbeat {
            let expensive = max(heartbeat, ConnectivityMonitor.Heartbeat().expensiveInterval)
            configuration.heartbeat =
                heartbeat == .zero ? nil : .init(interval: heartbeat, expensiveInterval: expensive)
        }
        return configuration
    }
}

/// The format of the log of `dialtone serve`.
package enum LogFormat: Sendable {
    /// logfmt: `time=… level=info message=stopped`.
    case text
    /// One JSON object per line.
    case json
}

/// The values that one source defines.
package struct SettingsSource {
    let values: SettingValues
    let origin: (Setting) -> SettingsError.Origin

    /// Creates a source from the options of the command line.
    init(options: SettingValues) {
        values = options
        origin = { .option($0.option) }
    }

    /// Creates a source from the environment; an empty variable counts as unset.
    init(environment: [String: String]) {
        let set = Setting.allCases.compactMap { setting in
            environment[setting.variable].flatMap { $0.isEmpty ? nil : (setting, Setting.Value($0, for: setting)) }
        }
        values = Dictionary(uniqueKeysWithValues: set)
        origin = { .variable($0.variable) }
    }

    /// Creates a source from a file that has been read.
    init(file: SettingsFile) {
        values = file.values
        origin = { .file(file.path, $0) }
    }
}
