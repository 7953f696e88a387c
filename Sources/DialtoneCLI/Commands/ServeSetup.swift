// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneServer
import Foundation

/// The configuration of `dialtone serve`, derived from its settings.
///
/// An invalid setting is a `SettingsError`, which names its source.
struct ServeSetup {
    private let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    /// The configuration of the server.
    func server(version: String) throws -> ServerConfiguration {
        var configuration = ServerConfiguration(
            listen: try listen(), requestURL: settings.requestURL?.value ?? ServerConfiguration.standardRequestURL)
        configuration.allowedHosts = settings.allowedHosts?.value ?? []
        configuration.token = try token()
        configuration.isDemo = settings.isDemo
        configuration.version = version
        configuration.hosts = try hosts()
        return configuration
    }

    /// The directory of the history.
    func dataDirectory() throws -> URL {
        try HistoryOptions.directory(settings.dataDirectory)
    }

    /// The least severe messages to log.
    func logLevel() throws -> LogLevel {
        guard let set = settings.logLevel else { return .info }
        guard let level = LogLevel(rawValue: set.value) else {
            let all = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw wrong(set.origin, "'\(set.value)' must be one of \(all)")
        }
        return level
    }

    private func listen() throws -> ListenAddress {
        guard let set = settings.listen else { return ServerConfiguration.standardListen }
        do throws(ServerError) {
            return try ListenAddress(parsing: set.value)
        } catch {
            throw wrong(set.origin, error.description)
        }
    }

    private func hosts() throws -> [HostTarget] {
        guard let set = settings.hosts else { return [] }
        return try set.value.map { text in
            do throws(HostTargetError) {
                return try HostTarget(text)
            } catch {
                throw wrong(set.origin, error.description)
            }
        }
    }

    private func token() throws -> String? {
        guard let set = settings.tokenFile else { return nil }
        let credentials = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        do throws(TokenFile.Fault) {
            return try TokenFile.read(set.value, credentials: credentials)
        } catch {
            throw wrong(set.origin, error.description)
        }
    }

    private func wrong(_ origin: SettingsError.Origin, _ problem: String) -> SettingsError {
        SettingsError(origin, problem)
    }
}
