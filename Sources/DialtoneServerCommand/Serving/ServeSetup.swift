// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
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
        var configuration = ServerConfiguration(listen: try listen(), request: try request())
        configuration.allowedHosts = try allowedHosts()
        configuration.proxies = settings.check().configuration.proxies
        configuration.token = try token()
        configuration.identity = try identity()
        configuration.isDemo = settings.isDemo
        configuration.version = dialtoneVersion
        configuration.hosts = try hosts()
        if let interval = settings.hostInterval { configuration.hostInterval = interval }
        configuration.isPassive = settings.isPassive
        configuration.events = try events()
        if let origin = configuration.listen.isLoopback ? settings.allowedHosts?.origin : settings.listen?.origin {
            try located(origin) { try configuration.checkAccess() }
        }
        return configuration
    }

    /// The directory of the history.
    func dataDirectory() throws -> URL {
        try HistoryLocation.directory(settings.dataDirectory)
    }

    /// The hooks, and the time limit of each.
    ///
    /// Paths that are configured must be usable now. What is wrong later, or with the default directory, is logged when a hook
    /// would run.
    func hooks() throws -> (files: HookFiles, timeLimit: Duration) {
        let files = HookFiles(settings.hooks?.value)
        if let set = settings.hooks, let refused = files.find().first(where: { $0.problem != nil }) {
            throw SettingsError(set.origin, "cannot run \(refused.path): \(refused.problem ?? "")")
        }
        return (files, settings.hookTimeout ?? HookRunner.standardTimeLimit)
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

    private func listen() throws -> ListenAddress {
        guard let set = settings.listen else { return ServerConfiguration.standardListen }
        return try located(set.origin) { try ListenAddress(parsing: set.value) }
    }

    private func request() throws -> InternetCheck.Endpoint {
        guard let set = settings.requestURL else { return ServerConfiguration.standardRequest }
        return try located(set.origin) { try ServerConfiguration.request(parsing: set.value) }
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

    /// The collector of events.
    private func events() throws -> EventTarget? {
        guard let url = settings.notifyURL else {
            if let file = settings.notifyTokenFile {
                throw SettingsError(file.origin, "the token is sent to a collector: set its URL with --notify-url URL")
            }
            return nil
        }
        if settings.isPassive {
            throw SettingsError(url.origin, "sends packets, which --passive forbids")
        }
        let token = try settings.notifyTokenFile.map {
            String(decoding: try contents(of: $0, isSecret: true), as: UTF8.self)
        }
        do throws(ServerError) {
            return try EventTarget(url.value, token: token)
        } catch {
            let file = error.code == .badToken ? settings.notifyTokenFile : nil
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
            do throws(ServerError) {
                return try ServerIdentity(certificate: chain, at: certificate.value, key: secret, at: key.value)
            } catch {
                throw SettingsError(error.code == .badCertificate ? certificate.origin : key.origin, "\(error)")
            }
        }
    }

    private func contents(of file: Sourced<String>, isSecret: Bool) throws -> [UInt8] {
        let credentials = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        return try located(file.origin) {
            try CredentialFile.read(file.value, isSecret: isSecret, credentials: credentials)
        }
    }

    /// Adds the source of a setting to the error about its value.
    private func located<Value>(_ origin: SettingsError.Origin, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw SettingsError(origin, "\(error)")
        }
    }
}
