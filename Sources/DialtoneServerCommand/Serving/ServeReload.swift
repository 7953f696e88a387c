// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import DialtoneAgent
import DialtoneServer
import Dispatch
import Logging
import SystemSupport

/// Reloads the settings of a running server, as SIGHUP requests.
struct ServeReload: Sendable {
    let reader: SettingsReader
    /// The settings that the server was started with.
    let started: SettingValues
    let agent: Agent
    /// Shows the agent; nil without a port.
    let server: DialtoneServer?
    /// The activity of the process, for the service manager.
    let status: String
    let hooks: HookRunner
    let logger: Logger
    let directory: URL

    private static let queue = DispatchQueue(label: "dialtone.reload")

    /// The settings that take effect without a restart.
    ///
    /// The rest belongs to the listening socket, to the history or to the monitor, which would lose its state.
    static let reloadable: Set<Setting> = [
        .tokenFile, .tlsCertificate, .tlsKey, .allowedHosts, .hosts, .hostInterval, .hooks, .hookTimeout, .hookAfter,
        .notifyURL, .notifyTokenFile, .logLevel, .logFormat,
    ]

    /// Reads the settings again and applies them; if one is invalid, all keep their values.
    func run() async {
        // A file may be on a disk that does not respond, and must not block a thread of the server.
        let result = await agent.reportReload(status: status) {
            await withCheckedContinuation { continuation in
                Self.queue.async { continuation.resume(returning: apply()) }
            }
        }
        Self.queue.async { ReloadReply.send(result, to: directory) }
    }

    private func apply() -> ReloadResult {
        do {
            let settings = try reader.read { logger.warning("settings", metadata: ["notice": "\($0)"]) }
            let setup = ServeSetup(settings)
            let level = try setup.logLevel()
            _ = try setup.dataDirectory()
            let (files, timeLimit, shortestOutage) = try setup.hooks()
            let view = try setup.server()
            try agent.reload(try setup.agent()) { try server?.reload(view) }
            hooks.reload(.files(files), timeLimit: timeLimit, shortestOutage: shortestOutage)
            LogWriter.standardError.configure(level, settings.logFormat)
            let delayed = Self.delayed(settings.values, since: started).map(\.rawValue) + setup.outdatedFiles()
            let names = delayed.joined(separator: ", ")
            if !delayed.isEmpty {
                logger.warning("these settings take effect after a restart", metadata: ["settings": "\(names)"])
            }
            logger.info("reloaded")
            return .applied(note: delayed.isEmpty ? nil : "these settings take effect after a restart: \(names)")
        } catch {
            logger.error("cannot reload, so the previous settings remain in effect", metadata: ["reason": "\(error)"])
            return .refused(reason: "\(error)")
        }
    }

    /// The settings that have changed and need a restart.
    static func delayed(_ new: SettingValues, since old: SettingValues) -> [Setting] {
        let isEncrypted = { (values: SettingValues) in values[.tlsCertificate] != nil }
        return Setting.allCases.filter { setting in
            // The listening socket speaks either HTTP or HTTPS.
            if setting == .tlsCertificate || setting == .tlsKey { return isEncrypted(new) != isEncrypted(old) }
            return !reloadable.contains(setting) && new[setting] != old[setting]
        }
    }
}
