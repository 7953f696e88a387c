// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import Dialtone
@testable import DialtoneServer

/// The latest check on the page.
struct EvidenceSectionTests {
    private static func endpoint(_ outcome: InternetCheck.Evidence.Outcome) -> InternetCheck.Evidence {
        .init(url: "http://a.test/", outcome)
    }

    private static let silent = endpoint(.failed(ProbeError(.timedOut, during: .connect)))
    private static let refused = endpoint(.failed(ProbeError(.refused, during: .connect)))

    @Test(arguments: [
        ([endpoint(.passed), endpoint(.passed)], true), ([silent, silent], true), ([endpoint(.passed), silent], false),
        ([silent, refused], false),
    ])
    func `the endpoints are folded while all agree`(endpoints: [InternetCheck.Evidence], areFolded: Bool) {
        let report = InternetCheck.Report(verdict: .partial, checkedAt: .sample, endpoints: endpoints)
        let path = NetworkPath(status: .satisfied)
        let connectivity = Connectivity(state: .limited, path: path, since: .sample, evidence: report)
        let section = "\(EvidenceSection.html(LiveState(connectivity: connectivity), now: .sample))"
        #expect(section.contains("<details>") == areFolded)
    }
}
#endif
