// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import Foundation
import NetworkSimulation
import SystemSupport

/// A simulated network, so that each state of the page can be seen without unplugging cables.
struct Demo: Sendable {
    let network: SimulatedNetwork
    let monitor: ConnectivityMonitor

    /// The names of the scenes, and `tour`, for a person.
    static let scenes = (DemoScene.allCases.map(\.rawValue) + ["tour"]).joined(separator: ", ")

    /// Plays the scenes that the lines of standard input name, until its end.
    ///
    /// While `readLine()` waits, it holds the lock of `stdin`, for which exit(3) of glibc 2.41 waits.
    func playLines() {
        var tour: Task<Void, any Error>?
        var text = ""
        while case let data = FileHandle.standardInput.availableData, !data.isEmpty {
            text += String(decoding: data, as: UTF8.self)
            while let end = text.firstIndex(of: "\n") {
                play(line: String(text[..<end]), &tour)
                text.removeSubrange(...end)
            }
        }
    }

    private func play(line: String, _ tour: inout Task<Void, any Error>?) {
        if let scene = DemoScene(rawValue: line) {
            tour?.cancel()
            play(scene)
        } else if line == "tour" {
            tour?.cancel()
            tour = Task {
                for scene in DemoScene.allCases {
                    play(scene)
                    try await TimeSource.system.sleep(for: .seconds(6))
                }
            }
        } else {
            Console.printError("There is no scene '\(Printable.text(line))': type one of \(Self.scenes).")
        }
    }

    private func play(_ scene: DemoScene) {
        network.internet = scene.internet
        network.become(scene.path)
        monitor.requestCheck()
    }
}

/// The scenes that the demo can simulate.
enum DemoScene: String, CaseIterable, Sendable {
    case online, cellular, offline
    case noAddress = "no-address"
    case airplaneMode = "airplane-mode"
    case wrongPassword = "wrong-password"
    case portal
    case deadUplink = "dead-uplink"
    case onlyHTTP = "only-http"
    case hidden

    var path: SimulatedPath {
        switch self {
        case .cellular: .cellular
        case .offline: .offline
        case .noAddress: .offline(.noAddress)
        case .airplaneMode: .offline(.radioOff)
        case .wrongPassword: .offline(.dormant)
        case .hidden: .unseen
        case .portal: .wifi("Café")
        case .online, .deadUplink, .onlyHTTP: .wifi
        }
    }

    /// The simulated result of checks.
    var internet: InternetCheck.Report {
        switch self {
        case .portal: URL(string: "http://login.portal.test/welcome").map { .captivePortal($0) } ?? .unverified
        case .deadUplink: .noInternet
        case .onlyHTTP: .limited
        case .hidden: .unverified
        default: .online
        }
    }
}

/// Adds what a real check would have seen to the simulated verdict, so that the page can show it.
struct SimulatedCheck: InternetChecking {
    let network: SimulatedNetwork

    func check(over path: NetworkPath) async -> InternetCheck.Report {
        var report = await network.check(over: path)
        if path.status == .satisfied {
            report.endpoints = ["First", "Second"].flatMap { name in
                ["http", "https"].map { endpoint(name, $0, report.verdict) }
            }
        }
        if case .noInternet = report.verdict {
            report.hops = InternetCheck.Hops(
                routers: path.gateways.prefix(1).map { .init($0, .answers) },
                publicAddresses: [.init(NetworkAddress(198, 51, 100, 53), .silent)])
        }
        return report
    }

    private func endpoint(
        _ name: String, _ scheme: String, _ verdict: InternetCheck.Verdict
    ) -> InternetCheck.Evidence {
        let silent = InternetCheck.Evidence.Outcome.failed(ProbeError(.timedOut, during: .connect))
        let (outcome, status): (InternetCheck.Evidence.Outcome, Int?) =
            switch verdict {
            case .verified: (.passed, 204)
            case .captivePortal(let page) where scheme == "http": (.portal(page), 302)
            case .partial where scheme == "http": (.passed, 204)
            default: (silent, nil)
            }
        let total: Duration = outcome == silent ? .seconds(5) : .milliseconds(31)
        return InternetCheck.Evidence(
            url: "\(scheme)://\(name.lowercased()).example.com/", operatorName: name, outcome, status: status,
            address: NetworkAddress(198, 51, 100, 1), durations: .init(resolve: .milliseconds(9), total: total))
    }
}
