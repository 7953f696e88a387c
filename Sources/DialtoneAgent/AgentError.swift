// SPDX-License-Identifier: Apache-2.0

/// The reason why a configuration of the agent is invalid.
package struct AgentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The setting with the invalid value.
    package enum Setting: Hashable, Sendable {
        /// The URL of the collector of events.
        case collector
        /// The collector's token.
        case token
        /// The interval of connections to watched hosts.
        case hostInterval
    }

    /// The setting with the invalid value.
    package let setting: Setting
    /// A description of the problem and its remedy.
    package let description: String

    init(_ setting: Setting, _ description: String) {
        self.setting = setting
        self.description = description
    }
}
