// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import Testing

/// Queries the default endpoints, and compares their answers with the expected ones.
///
/// It needs the Internet and queries other parties' servers, so it runs only with `DIALTONE_LIVE=1`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["DIALTONE_LIVE"] == "1", "needs DIALTONE_LIVE=1"))
struct LiveEndpointTests {
    @Test(arguments: [InternetCheck.Endpoint].defaults.map(\.url)) func `each default endpoint answers as expected`(
        url: String
    ) async throws {
        let endpoint = try #require([InternetCheck.Endpoint].defaults.first { $0.url == url })
        let check = try InternetCheck(.init(endpoints: [endpoint], captivePortalAPI: .off))
        let report = await check.run()
        #expect(report.verdict == .verified, "\(report.endpoints)")
    }

    @Test func `all of them together verify the Internet`() async {
        let report = await InternetCheck().run()
        #expect(report.verdict == .verified, "\(report.endpoints)")
    }
}
