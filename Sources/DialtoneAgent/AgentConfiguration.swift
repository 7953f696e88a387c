// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import LibC

package struct AgentConfiguration: Sendable {
    /// The display name of this machine.
    package var machineName: String
    /// The hosts to watch for reachability, by connecting to them.
    package var hosts: [WatchedHost] = []
    /// The time after a connection to a watched host until the next one; 30 s by default, and at least 1 s.
    package var hostInterval = Duration.seconds(30)
    /// Whether the agent must not send packets, and therefore does not connect to watched hosts.
    ///
    /// The monitor must have no checker then.
    package var isPassive = false
    /// The proxies of everything that is sent besides checks; none by default.
    package var proxies = InternetCheck.Configuration.Proxies.bypass
    /// The collector that receives the events of the history; nil for none.
    package var events: EventTarget?

    private static let shortestHostInterval = Duration.seconds(1)

    package init(machineName: String = Self.nameOfThisMachine) { self.machineName = machineName }

    func check() throws(ServiceError) {
        guard hostInterval >= Self.shortestHostInterval else {
            throw ServiceError(
                "watched hosts must not be connected to more often than every \(Self.shortestHostInterval)")
        }
    }

    /// The host name of this machine, without its domain.
    package static var nameOfThisMachine: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "this machine" }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.split(separator: ".").first.map(String.init) ?? "this machine"
    }
}
