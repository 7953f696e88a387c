// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// What is said while the Internet answers, and one IP version works in another way than the other.
struct VersionRemarkTests {
    private static let four = NetworkAddress(203, 0, 113, 7)
    private static let six: NetworkAddress = "2001:db8::7"

    private static func evidence(
        _ operatorName: String, _ outcome: InternetCheck.Evidence.Outcome = .passed, at address: NetworkAddress,
        isSecure: Bool = false, resolve: Duration = .milliseconds(5)
    ) -> InternetCheck.Evidence {
        let isAnswered = outcome == .passed
        return InternetCheck.Evidence(
            url: "\(isSecure ? "https" : "http")://\(operatorName).example/", operatorName: operatorName, outcome,
            status: isAnswered ? 204 : nil, address: address,
            durations: .init(resolve: resolve, connect: .milliseconds(20), total: resolve + .milliseconds(60)))
    }

    private static func remarks(
        _ endpoints: [InternetCheck.Evidence], _ change: (inout InternetCheck.Report) -> Void = { _ in }
    ) -> [InternetCheck.Remark] {
        var report = InternetCheck.Report(
            verdict: .verified, checkedAt: .distantPast, endpoints: endpoints, hops: .init())
        change(&report)
        return Conclusion(Facts(report)).remarks
    }

    @Test func `name servers that do not answer queries for IPv6 addresses are named`() {
        let slow = Self.evidence("One", at: Self.four, resolve: .milliseconds(1510))
        let server = InternetCheck.NameServerAnswer(
            NetworkAddress(192, 0, 2, 1), .answers, isNearby: true, after: .milliseconds(2))
        let remarks = { (version: IPVersion?) in
            Self.remarks([slow]) {
                $0.hops?.nameServers = [server]
                $0.hops?.unansweredQueries = version
            }.map(\.description)
        }
        #expect(
            remarks(.ipv6) == [
                "DNS servers (192.0.2.1) do not answer queries for IPv6 addresses: programs wait 5 s or more for each name."
            ])
        #expect(remarks(nil) == ["Names take 1.5 s."])
    }

    @Test func `the IP version whose large packets are lost is named if HTTPS passes by the other one`() {
        let lost = { (secure: NetworkAddress) in
            Self.remarks([Self.evidence("One", at: secure, isSecure: true)]) {
                $0.hops?.largePackets = .lost
                $0.hops?.largePacketsVersion = .ipv4
            }.map(\.description)
        }
        let advice = "check the MTU of the link, of a tunnel or of the router."
        #expect(lost(Self.six) == ["Large packets are lost on the way over IPv4: \(advice)"])
        #expect(lost(Self.four) == ["Large packets are lost on the way: \(advice)"])
    }

    @Test func `a login page of one IP version is not an operator's, unless a second operator passes by it`() throws {
        let login = try #require(URL(string: "http://login.example/"))
        let dissent = Self.evidence("One", .portal(login), at: Self.four)
        let remarks = { (second: InternetCheck.Evidence.Outcome) in
            Self.remarks([dissent, Self.evidence("Two", at: Self.six, isSecure: true)]) {
                $0.secondPage = Self.evidence("Two", second, at: Self.four)
            }
        }
        let ofVersion = remarks(.portal(login))
        #expect(ofVersion.map(\.kind) == [.addressFamily] && ofVersion.first?.portal == login)
        #expect(
            ofVersion.map(\.description) == [
                "IPv4 leads to a login page, which the other IP version does not need: http://login.example/."
            ])
        #expect(remarks(.passed).map(\.operatorName) == ["One"])
    }

    @Test func `hosts of two operators that are silent through NAT64 show that it is dead`() {
        let silence = InternetCheck.Evidence.Outcome.failed(ProbeError(.timedOut, during: .connect))
        let translated: NetworkAddress = "64:ff9b::203.0.113.7"
        let passing = Self.evidence("One", at: Self.six)
        let two = ["Two", "Three"].map { Self.evidence($0, silence, at: translated) }
        #expect(Self.remarks([passing] + two).map(\.kind) == [.addressFamily])
        #expect(Self.remarks([passing] + two.prefix(1)).isEmpty)
        // An answer through it, or a silent native address, is evidence against it.
        #expect(Self.remarks([passing, Self.evidence("Four", at: translated)] + two).isEmpty)
        #expect(Self.remarks([passing, Self.evidence("Four", silence, at: Self.six)] + two).isEmpty)
    }
}
