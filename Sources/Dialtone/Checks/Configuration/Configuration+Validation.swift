// SPDX-License-Identifier: Apache-2.0

extension InternetCheck.Configuration {
    /// The endpoints, ready to be queried.
    ///
    /// - Throws: `InvalidConfiguration` with the first invalid field.
    func validated() throws(InvalidConfiguration) -> [ProbeTarget] {
        var targets: [ProbeTarget] = []
        guard endpoints.count <= Self.most else { throw .init("endpoints", "must be at most \(Self.most)") }
        for (index, endpoint) in endpoints.enumerated() {
            let field = "endpoints[\(index)]"
            if let problem = endpoint.expectation.problem { throw .init("\(field).expectation", problem) }
            try Self.validate(headers: endpoint.headers, "\(field).headers")
            targets.append(try ProbeTarget(endpoint.url, of: "\(field).url"))
        }
        if let problem = quorum.problem(endpoints: endpoints.count) { throw .init("quorum", problem) }
        try Self.validate(headers: headers, "headers")
        guard (1...Self.mostBytes).contains(bodyLimit) else {
            throw .init("bodyLimit", "\(bodyLimit) is not between 1 and \(Self.mostBytes)")
        }
        let times = [
            ("timeouts.resolve", timeouts.resolve), ("timeouts.connect", timeouts.connect),
            ("timeouts.tls", timeouts.tls), ("timeouts.headers", timeouts.headers), ("timeouts.body", timeouts.body),
            ("timeouts.total", timeouts.total),
        ]
        for (field, time) in times where time <= .zero || time > .seconds(3600) {
            throw .init(field, "\(time) is not above zero and up to an hour")
        }
        guard decisionWindow >= .zero, decisionWindow <= .seconds(3600) else {
            throw .init("decisionWindow", "\(decisionWindow) is not between zero and an hour")
        }
        switch binding {
        case .none: break
        case .interface(let name), .interfaceOrItsAddress(let name):
            guard (1...15).contains(name.utf8.count), !name.utf8.contains(0) else {
                throw .init("binding", "an interface's name has 1 to 15 bytes")
            }
        }
        for (index, anchor) in additionalTrustAnchors.enumerated()
        where !anchor.contains("-----BEGIN CERTIFICATE-----") {
            throw .init("additionalTrustAnchors[\(index)]", "not a PEM certificate")
        }
        if case .url(let text) = captivePortalAPI, try !ProbeTarget(text, of: "captivePortalAPI").isSecure {
            throw .init("captivePortalAPI", "must be an https URL (RFC 8908)")
        }
        return targets
    }

    private static let most = 64
    private static let mostBytes = 16 * 1024 * 1024

    private static func validate(headers: [String: String], _ field: String) throws(InvalidConfiguration) {
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty, name.utf8.allSatisfy(HTTPLine.isToken) else {
                throw .init(field, "\"\(name)\" is not a header field's name")
            }
            guard !reserved.contains(name.lowercased()) else {
                throw .init(field, "\(name) is set by the request itself")
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
                throw .init(field, "the value of \(name) has control characters")
            }
        }
    }

    /// Fields that change the framing or the destination of a message, or that are never sent.
    private static let reserved: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "expect", "cookie",
        "accept-encoding",
    ]
}
