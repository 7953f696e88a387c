// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

extension InternetCheck {
    /// One source that contradicts a `verified` verdict, but is outweighed by proof over HTTPS from other operators.
    ///
    /// Common causes are a filter that blocks one operator, a broken captive portal API, or an outage behind a
    /// redirect.
    public struct Remark: Hashable, Sendable {
        /// The operator whose endpoint looks like a portal's; nil for the network's captive portal API.
        public var operatorName: String?
        /// The URL of the endpoint or the API.
        public var url: String
        /// The status of the endpoint's answer.
        public var status: Int?
        /// The login page that the answer points to.
        public var portal: URL?

        /// Creates a remark.
        public init(operatorName: String?, url: String, status: Int? = nil, portal: URL? = nil) {
            self.operatorName = operatorName
            self.url = url
            self.status = status
            self.portal = portal
        }
    }
}

extension InternetCheck.Remark: CustomStringConvertible {
    /// One sentence without a full stop.
    public var description: String {
        let target = portal.map { $0.absoluteString == url ? "" : ", which points to \($0.absoluteString)" } ?? ""
        guard let operatorName else { return "the network's captive portal API says captive: \(url)\(target)" }
        let answer = status.map { "answers with status \($0)" } ?? "does not answer as expected"
        return "\(operatorName) is blocked or redirected: \(url) \(answer)\(target)"
    }
}

extension InternetCheck.Report {
    /// What contradicts a `verified` verdict: at most one operator, or the captive portal API.
    ///
    /// Empty for other verdicts.
    public var remarks: [InternetCheck.Remark] {
        guard verdict == .verified else { return [] }
        var remarks: [InternetCheck.Remark] = []
        for evidence in endpoints {
            guard let portal = evidence.portal else { continue }
            let name = evidence.operatorName ?? evidence.url
            guard !remarks.contains(where: { $0.operatorName == name }) else { continue }
            remarks.append(.init(operatorName: name, url: evidence.url, status: evidence.status, portal: portal))
        }
        if let api = captivePortalAPI, let state = api.state, state.isCaptive {
            remarks.append(.init(operatorName: nil, url: api.url, portal: state.userPortal))
        }
        return remarks
    }
}
