// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneCommandLine
import DialtoneHistory
import DialtoneServer
import Foundation
import Logging

/// The configuration of `dialtone serve`, derived from its settings.
///
/// An invalid setting is a `SettingsError`, which names its source.
struct ServeSetup {
    private let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    /// The configuration of the server.
    func server() throws -> ServerConfiguration {
        var configuration = ServerConfiguration(
            listen: try listen(), requestURL: settings.requestURL?.value ?? ServerConfiguration.standardRequestURL)
        configuration.allowedHosts = settings.allowedHosts?.value ?? []
        configuration.token = try token()
        configuration.isDemo = settings.isDemo
        configuration.version = dialtoneVersion
        configuration.hosts = try hosts()
        return configuration
    }

    /// The directory of the history.
    func dataDirectory() throws -> URL {
        try HistoryLocation.directory(settings.dataDirectory)
    }

    /// The least severe messages to log.
    func logLevel() throws -> Logger.Level {
        guard let set = settings.logLevel else { return .info }
        guard let level = Logger.Level(rawValue: set.value) else {
            let all = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
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
