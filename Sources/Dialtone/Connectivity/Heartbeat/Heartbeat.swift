// SPDX-License-Identifier: Apache-2.0

extension ConnectivityMonitor {
    /// A few packets between the checks of a monitor, so that an outage is noticed within seconds.
    ///
    /// Each beat sends one packet, with no content but a random name or number, to one of the public addresses that checks contact
    /// (``InternetCheck/Configuration/publicAddresses``), the operators in turn: an echo request, or, where these are not allowed
    /// or not answered, a DNS query for a name that does not exist, a datagram, or at last a connection that is reset at once, then
    /// every 30 s. Every third beat also asks a configured name server for a name that the last check has resolved. The router is
    /// asked once a minute, and after a missed beat.
    ///
    /// After a missed beat, an address of each of up to three operators and the router are asked at once, and again half a second later
    /// unless one has answered. Beats come at twice the rate until one is answered, for 30 s at most.
    ///
    /// A beat never decides the state: two missed ones cause a check, and so does the first one that is answered after that. Beats go
    /// on where the network changes during an outage, with what was answered before; their silence proves nothing there. Where no
    /// public address is answered, and with endpoints of one's own, beats go to the public addresses of the endpoints that the last
    /// check has connected to. There is no heartbeat by a proxy, or before a check has verified the Internet.
    ///
    /// About 30 packets a minute are sent and received: 60 MB a month with echo requests, 150 MB with queries, and a twelfth of that
    /// at the default interval for expensive paths.
    public struct Heartbeat: Hashable, Sendable {
        /// The time between two beats; 5 s by default.
        public var interval: Duration
        /// The time between two beats over a path that is cellular, expensive or constrained; 60 s by default.
        public var expensiveInterval: Duration

        /// Creates a heartbeat; omitted arguments have the documented defaults.
        public init(interval: Duration = .seconds(5), expensiveInterval: Duration = .seconds(60)) {
            self.interval = interval
            self.expensiveInterval = expensiveInterval
        }

        /// Checks both values: more than one packet a second is no heartbeat.
        func validate() throws(InvalidConfiguration) {
            for (field, value) in [("interval", interval), ("expensiveInterval", expensiveInterval)]
            where !(Self.shortest...Self.longest).contains(value) {
                throw InvalidConfiguration(
                    "heartbeat.\(field)", "must be from \(Self.shortest) to \(Self.longest), not \(value)")
            }
        }

        private static let shortest = Duration.seconds(1)
        private static let longest = Duration.seconds(86_400)
    }
}
