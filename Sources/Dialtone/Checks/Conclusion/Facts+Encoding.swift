// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The stored form: readable JSON, and no contract. Tests of this and later versions read it.
///
/// It has no password, no query of a URL, and no name of a Wi-Fi network. Durations are milliseconds.
extension Facts: Encodable {
    /// Writes the object.
    package func encode(to encoder: any Encoder) throws {
        let object = EncodedObject(present: [
            "version": 1, "links": path.facts, "answers": answers?.reportName, "hasQuorum": hasQuorum.orNil,
            "portal": answers?.portal?.absoluteString.withoutSecrets, "reason": answers?.reason?.rawValue,
            "milliseconds": duration.milliseconds, "limit": limit?.milliseconds, "wasProven": wasProven.orNil,
            "metOutage": metOutage.orNil, "silence": silence == .zero ? nil : silence.milliseconds,
            "diagnosis": diagnosis?.facts, "tunnel": tunnel, "proxyTunnel": proxyTunnel,
            "routers": routers.map(\.facts), "nameServers": nameServers.map(\.facts), "beyond": beyond.map(\.facts),
            "otherVersion": otherVersion.map(\.facts), "operators": operators.map(\.facts),
            "captivePortalAPI": captivePortalAPI?.facts, "largePackets": largePackets?.rawValue,
            "largePacketsVersion": largePacketsVersion?.rawValue, "unansweredQueries": unansweredQueries?.rawValue,
            "secondPage": secondPage?.facts, "loss": measuredLoss?.share, "lossRoundTrips": measuredLoss?.roundTrips,
            "lossAtMost": lossAtMost?.share, "lossAtMostRoundTrips": lossAtMost?.roundTrips,
            "lossVersion": lossVersion?.rawValue, "heartbeatLoss": heartbeatLoss?.share,
            "heartbeatRoundTrips": heartbeatLoss?.roundTrips,
        ])
        try object.encode(to: encoder)
    }
}

// MARK: - Entries

extension InternetCheck.RouterAnswer {
    fileprivate var facts: EncodedObject {
        EncodedObject(present: [
            "address": "\(router.address)", "interface": router.interface, "outcome": outcome.rawValue,
            "egress": egress == .path ? nil : egress.rawValue, "isRejected": isRejectedBeyond.orNil,
            "milliseconds": duration.milliseconds, "report": report?.facts,
        ])
    }
}

extension InternetCheck.NameServerAnswer {
    fileprivate var facts: EncodedObject {
        EncodedObject(present: [
            "address": "\(server)", "outcome": outcome.rawValue, "isNearby": isNearby, "tunnel": tunnel,
            "milliseconds": duration.milliseconds,
        ])
    }
}

extension InternetCheck.AddressAnswer {
    fileprivate var facts: EncodedObject {
        EncodedObject(present: [
            "address": "\(address)", "outcome": outcome.rawValue, "isRejected": isRejected.orNil,
            "milliseconds": duration.milliseconds, "report": report?.facts,
        ])
    }
}

extension RouterReport {
    fileprivate var facts: EncodedObject { EncodedObject(["router": "\(router)", "reason": reason.rawValue]) }
}

extension InternetCheck.Evidence {
    fileprivate var facts: EncodedObject {
        EncodedObject(present: [
            "operator": operatorName, "url": url.withoutSecrets, "proxy": proxy, "address": address?.description,
            "status": status, "portal": portal?.absoluteString.withoutSecrets, "error": error?.facts,
            "milliseconds": durations, "attempts": failedAttempts.isEmpty ? nil : failedAttempts.map(\.facts),
            "isReversed": reversesFamilies.orNil, "hasAddedScripts": hasAddedScripts.orNil, "packets": packets,
        ])
    }
}

extension InternetCheck.Evidence.Attempt {
    fileprivate var facts: EncodedObject {
        EncodedObject(present: [
            "address": "\(address)", "error": error?.facts, "milliseconds": duration.milliseconds,
        ])
    }
}

extension ProbeError {
    fileprivate var facts: EncodedObject {
        EncodedObject(present: [
            "step": step.rawValue, "code": code.description, "message": message, "proxyStatus": proxyStatus,
            "nameServers": nameServers.isEmpty ? nil : nameServers.map(\.description),
        ])
    }
}

extension InternetCheck.Report.CaptivePortalEvidence {
    fileprivate var facts: EncodedObject {
        EncodedObject(present: [
            "url": url.withoutSecrets, "captive": state?.isCaptive,
            "portal": state?.userPortal?.absoluteString.withoutSecrets,
        ])
    }
}

extension NetworkPath {
    /// The path, as far as a rule reads it.
    fileprivate var facts: EncodedObject {
        let hidden: String? = if case .unavailable(let reason) = limitation { reason } else { nil }
        return EncodedObject(present: [
            "status": status.reportName, "hidden": hidden, "diagnosis": diagnosis?.facts,
            "interfaces": interfaces.map(\.facts),
            "gateways": gateways.map {
                EncodedObject(present: ["address": "\($0.address)", "interface": $0.interface])
            },
        ])
    }
}

extension NetworkPath.Interface {
    fileprivate var facts: EncodedObject {
        EncodedObject(["name": name, "index": index, "type": type.reportName])
    }
}

extension PathDiagnosis {
    fileprivate var facts: EncodedObject {
        EncodedObject(present: [
            "reason": reason.rawValue, "interface": interface?.facts, "borrowedAddress": borrowedAddress?.description,
            "filter": filter.map {
                EncodedObject(present: [
                    "interface": $0.interfaceName, "requires": $0.requiredType?.reportName,
                    "prohibits": $0.prohibitedTypes.map(\.reportName).sorted(),
                ])
            },
        ])
    }
}

extension Bool {
    /// True or nil: a member that is rarely true is left out.
    fileprivate var orNil: Bool? { self ? true : nil }
}

extension String {
    /// The text of a URL without user, password, query and fragment.
    var withoutSecrets: String { String(prefix { $0 != "?" && $0 != "#" }).withoutUser }

    /// The text of a URL without user and password.
    var withoutUser: String {
        guard let scheme = firstRange(of: "://") else { return self }
        let authority = self[scheme.upperBound...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return self }
        return String(self[..<scheme.upperBound] + self[index(after: at)...])
    }
}
