//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Dialtone
import DialtoneServer
import Foundation

/// What the settings come to for `dialtone serve`.
///
/// What cannot be is a `ValidationError` that names the place where it was set.
struct ServeSetup {
    private let settings: Settings
    private var serving: ServingSettings { settings.serving }

    init(_ settings: Settings) { self.settings = settings }

    /// How the server is to be.
    func server(version: String) throws -> ServerConfiguration {
        var configuration = ServerConfiguration(
            listen: try listen(), requestURL: serving.requestURL?.value ?? ServerConfiguration.standardRequestURL)
        configuration.allowedHosts = serving.allowedHosts?.value ?? []
        configuration.token = try token()
        configuration.isDemo = serving.demo?.value ?? false
        configuration.version = version
        configuration.hosts = try hosts()
        return configuration
    }

    /// Where the history is kept.
    func dataDirectory() throws -> URL {
        do { return try HistoryPlace.directory(serving.dataDirectory) } catch { throw ValidationError("\(error)") }
    }

    /// How much is logged.
    func logLevel() throws -> LogLevel {
        guard let set = serving.logLevel else { return .info }
        guard let level = LogLevel(rawValue: set.value) else {
            let all = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw wrong(set.origin, "must be one of \(all)")
        }
        return level
    }

    /// What is asked to find out whether this is the Internet.
    func check() throws -> InternetCheck.Configuration {
        do { return try settings.check() } catch { throw ValidationError("\(error)") }
    }

    private func listen() throws -> ListenAddress {
        guard let set = serving.listen else { return ServerConfiguration.standardListen }
        do throws(ServerError) {
            return try ListenAddress(parsing: set.value)
        } catch {
            throw wrong(set.origin, error.description)
        }
    }

    private func hosts() throws -> [HostTarget] {
        guard let set = serving.hosts else { return [] }
        return try set.value.map { text in
            do throws(HostTargetError) {
                return try HostTarget(text)
            } catch {
                throw wrong(set.origin, "\(error.description).")
            }
        }
    }

    private func token() throws -> String? {
        guard let set = serving.tokenFile else { return nil }
        guard let file = FileHandle(forReadingAtPath: set.value) else {
            throw wrong(set.origin, "'\(set.value)' cannot be read.")
        }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: 4096) else {
            throw wrong(set.origin, "'\(set.value)' cannot be read.")
        }
        return String(decoding: data, as: UTF8.self)
    }

    private func wrong(_ origin: SettingsError.Origin, _ problem: String) -> ValidationError {
        ValidationError("\(SettingsError(origin, problem))")
    }
}
