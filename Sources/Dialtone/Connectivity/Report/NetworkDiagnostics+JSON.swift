// SPDX-License-Identifier: Apache-2.0

import SystemSupport

extension NetworkDiagnostics.Report {
    /// The JSON that `dialtone doctor` prints: a contract to which fields are added, and never removed.
    ///
    /// ```json
    /// {"time":"2026-11-20T12:00:00.000Z","connectivity":"noInternet","fault":"router","cause":"router",
    ///  "explanation":"The router (192.0.2.1) does not answer: is it on, and is this the right network?",
    ///  "path":{…},"routers":[{"address":"192.0.2.1","outcome":"silent","milliseconds":3104.2}],
    ///  "nameServers":[{"address":"192.0.2.53","outcome":"silent","isNearby":true,"milliseconds":3500.1}],
    ///  "publicAddresses":[],"internet":{…},"host":null,"facts":{…}}
    /// ```
    /// `path` and `internet` are those of `StatusReport`, `host` is that of `HostReachabilityReport`. `fault` is null, `machine`,
    /// `tunnel`, `router`, `nameServers`, `proxy`, `portal`, `filter`, `provider`, `endpoints` or `host`. `explanation` is
    /// the sentence for people. `cause` is its name, and null for the fault `host`.
    /// `internet` is null if there was no path to check. `publicAddresses` has the addresses that were contacted because the check
    /// did not simply pass; an `outcome` there is `answers`, `accepts`, `refuses`, `unreachable`, `silent` or `notSent`.
    /// While the Internet answers, a silent hop is listed only if a remark may be about it.
    /// `facts` is that of `dialtone check`: it is no contract.
    package func json(at time: Date) throws -> String {
        let hops = consistentHops
        return try OneLineJSON.text(
            EncodedObject([
                "time": time.iso8601, "connectivity": state.rawValue, "fault": fault?.rawValue,
                "cause": cause?.rawValue,
                "explanation": reason, "remarks": remarks, "path": path.encoded, "routers": hops.routers,
                "nameServers": hops.nameServers, "publicAddresses": hops.publicAddresses, "internet": internet,
                "host": host.map { HostReachabilityReport(time: time, report: $0) }, "facts": Facts(path, internet),
            ]))
    }
}
