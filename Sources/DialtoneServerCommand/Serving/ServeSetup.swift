// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import DialtoneAgent
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

    func agent() throws -> AgentConfiguration {
        var configuration = AgentConfiguration()
        configuration.proxies = settings.check().configuration.proxies
        configuration.hosts = try hosts()
        if let interval = settings.hostInterval { configuration.hostInterval = interval }
        configuration.isPassive = settings.isPassive
        configuration.events = try events()
        return configuration
    }

    /// The configuration of the server; without an address, no server is to run.
    func server() throws -> ServerConfiguration {
        var configuration = ServerConfiguration(listen: try listen())
        configuration.allowedHosts = try allowedHosts()
        configuration.token = try token()
        configuration.identity = try identity()
        configuration.version = dialtoneVersion
        let isLoopback = configuration.listen.allSatisfy(\.isLoopback)
        if let origin = isLoopback ? settings.allowedHosts?.origin : settings.listen?.origin {
            try located(origin) { try configuration.checkAccess() }
        }
        return configuration
    }

    func dataDirectory() throws -> URL { try HistoryLocation.directory(settings.dataDirectory) }

    /// The hooks, the time limit of each, and the length from which an outage runs them.
    ///
    /// Paths that are configured must be usable now. A problem of a file in such a directory or with the default directory, and one
    /// that appears later, is logged when the hook would run.
    func hooks() throws -> (files: HookFiles, timeLimit: Duration, shortestOutage: Duration) {
        let files = HookFiles(settings.hooks?.value)
        if let set = settings.hooks {
            for file in files.find() where !file.isInDirectory {
                if let problem = file.problem { throw SettingsError(set.origin, "cannot run \(file.path): \(problem)") }
            }
        }
        return (files, settings.hookTimeout ?? HookRunner.standardTimeLimit, settings.hookAfter ?? .zero)
    }

    /// The least severe messages to log.
    func logLevel() throws -> Logger.Level {
        guard let set = settings.logLevel else { return .info }
        guard let level = Logger.Level(rawValue: set.value) else {
            let all = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingsError(set.origin, "'\(set.value)' must be one of \(all)")
        }
        return level
    }

    /// The files whose changes take effect only after a restart, because systemd passes copies of them.
    func outdatedFiles() -> [String] {
        [settings.tokenFile, settings.tlsCertificate, settings.tlsKey, settings.notifyTokenFile].compactMap(\.?.value)
            .filter { CredentialFile.isOutdated($0, credentials: credentials) }
    }

    private func listen() throws -> [ListenAddress] {
        guard let set = settings.listen else { return [ServerConfiguration.standardListen] }
        if set.value == ["none"] { return [] }
        guard !set.value.isEmpty else { throw SettingsError(set.origin, "must name at least one address, or none") }
        return try located(set.origin) { try set.value.map { try ListenAddress(parsing: $0) } }
    }

    private func allowedHosts() throws -> [String] {
        guard let set = settings.allowedHosts else { return [] }
        try located(set.origin) { for name in set.value { try ServerConfiguration.check(allowedHost: name) } }
        return set.value
    }

    private func hosts() throws -> [WatchedHost] {
        guard let set = settings.hosts else { return [] }
        return try set.value.map { text in
            do throws(HostTargetError) {
                return try WatchedHost(text)
            } catch {
                // The part before an @ may be a password.
                let isQuoted = error.part == text || text.contains("@")
                throw SettingsError(set.origin, isQuoted ? "\(error)" : "'\(text)': \(error)")
            }
        }
    }

    private func events() throws -> EventTarget? {
        guard let url = settings.notifyURL else {
            if let file = settings.notifyTokenFile {
                throw SettingsError(file.origin, "the token is sent to a collector: set its URL with --notify-url URL")
            }
            return nil
        }
        if settings.isPassive { throw SettingsError(url.origin, "sends packets, which --passive forbids") }
        let token = try settings.notifyTokenFile.map {
            String(decoding: try contents(of: $0, isSecret: true), as: UTF8.self)
        }
        do throws(ServiceError) {
            return try EventTarget(url.value, token: token)
        } catch {
            let file = error.kind == .token ? settings.notifyTokenFile : nil
            throw SettingsError((file ?? url).origin, "\(error)")
        }
    }

    private func token() throws -> String? {
        guard let set = settings.tokenFile else { return nil }
        let token = String(decoding: try contents(of: set, isSecret: true), as: UTF8.self)
        try located(set.origin) { try ServerConfiguration.check(token: token) }
        return token
    }

    private func identity() throws -> ServerIdentity? {
        switch (settings.tlsCertificate, settings.tlsKey) {
        case (nil, nil): return nil
        case (let certificate?, nil):
            throw SettingsError(certificate.origin, "HTTPS also needs the private key: set it with --tls-key FILE")
        case (nil, let key?):
            throw SettingsError(key.origin, "HTTPS also needs the certificate: set it with --tls-certificate FILE")
        case (let certificate?, let key?):
            let chain = try contents(of: certificate, isSecret: false)
            let secret = try contents(of: key, isSecret: true)
            do throws(ServiceError) {
                return try ServerIdentity(certificate: chain, at: certificate.value, key: secret, at: key.value)
            } catch {
                throw SettingsError(error.kind == .certificate ? certificate.origin : key.origin, "\(error)")
            }
        }
    }

    private func contents(of file: Sourced<String>, isSecret: Bool) throws -> [UInt8] {
        try located(file.origin) { try CredentialFile.read(file.value, isSecret: isSecret, credentials: credentials) }
    }

    /// systemd's directory of credentials.
    private var credentials: String? { ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"] }

    /// Adds the source of a setting to the error about its value.
    private func located<Value>(_ origin: SettingsError.Origin, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw SettingsError(origin, "\(error)")
        }
    }
}
