// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DialtoneTesting
import TestSupport
import Testing

@testable import Dialtone

/// Checks whose names are not resolved, over a network in memory.
struct NameResolutionInMemoryTests {
    typealias Answer = ScriptedResolver.Answer

    @Test(arguments: [
        (Answer.notFound, ProbeError.Code.hostNotFound, InternetCheck.NoInternetReason.hostNotFound),
        (.serverFailure, .nameServerFailure, .nameResolution), (.silence, .timedOut, .dnsSilent),
        (.addresses(), .noAddress, .hostNotFound),
    ])
    func `each failure of name resolution has its own reason`(
        answer: Answer, code: ProbeError.Code, reason: InternetCheck.NoInternetReason
    ) async throws {
        let isSilent = code == .timedOut
        let names = ScriptedResolver(otherwise: answer)
        var chain = NetworkChain.home
        chain[.router].names = .always(answer)
        let network = ScriptedNetwork(chain)
        let configuration = InternetCheck.Configuration(
            endpoints: ["http://one.example.org/", "https://two.example.org/"],
            timeouts: isSilent ? .init(resolve: .milliseconds(200), total: .seconds(5)) : .init(),
            captivePortalAPI: .off)
        var check = try InternetCheck(
            configuration, prober: SocketHTTPProbe(resolver: names, over: network.transport.runner))
        check.transport = network.transport
        let report = await network.run { [check] in await check.run() }
        #expect((report.answers ?? report.verdict) == .noInternet(reason))
        #expect((report.verdict == .inconclusive) == isSilent)
        #expect(report.endpoints.map(\.error?.code) == [code, code])
        #expect(report.endpoints.map(\.error?.step) == [.resolve, .resolve])
        #expect(Set(names.questions) == ["one.example.org", "two.example.org"])
    }
}
#endif
