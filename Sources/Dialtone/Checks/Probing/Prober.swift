// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Sends one request and returns the result: the seam for tests and other network stacks.
///
/// A prober never follows a redirect, sends no cookie, uses no cache and decompresses nothing.
package protocol Prober: Sendable {
    /// Sends a request: a POST request if it has a body, otherwise a GET request.
    ///
    /// It must not block its thread, and should end soon after its task is cancelled; the caller does not wait beyond the
    /// request's deadline.
    func probe(_ request: ProbeRequest) async -> ProbeResult
}

package struct ProbeRequest: Sendable {
    let target: ProbeTarget
    /// The path and query as they are sent.
    let path: String
    /// The header fields to send besides `Host`.
    package internal(set) var fields: [HTTPResponse.Field]
    /// The content of a POST request; nil for a GET request.
    var body: [UInt8]?
    /// The bounds of the check that the request belongs to.
    let configuration: InternetCheck.Configuration
    /// The end of the whole request.
    package internal(set) var deadline: ContinuousClock.Instant
    /// The results before the prober ends.
    var progress = ProbeProgress()
    /// Whether the addresses of the IP version that the system does not prefer are tried first.
    var reversesFamilies = false
    /// Whether the status and header fields of a response are sufficient without its body.
    var isEnough: @Sendable (HTTPResponse) -> Bool = { _ in false }

    /// The URL as it is sent, without a fragment.
    package var url: String { "\(target.isSecure ? "https" : "http")://\(target.hostField)\(path)" }
}

/// The result of a request so far, for a check that ends before its prober does.
///
/// A prober that does not report its progress leaves it empty.
final class ProbeProgress: Sendable {
    /// What was known since when: a network in memory reports what will be known.
    private let entries = Mutex<[(since: ContinuousClock.Instant, result: ProbeResult, step: ProbeError.Step)]>([])
    private let time: TimeSource

    /// - Parameter time: the clock of its readers.
    init(_ time: TimeSource = .system) { self.time = time }

    /// Reports that a step begins.
    func enter(_ step: ProbeError.Step, _ result: ProbeResult, at now: ContinuousClock.Instant) {
        entries.withLock { $0.append((now, result, step)) }
    }

    /// Reports that the prober connects to an address.
    func connects(to address: NetworkAddress, at now: ContinuousClock.Instant) {
        entries.withLock { entries in
            guard var latest = entries.last else { return }
            latest.since = now
            latest.result.address = address
            entries.append(latest)
        }
    }

    private var latest: (result: ProbeResult, step: ProbeError.Step) {
        let now = time.now
        return entries.withLock { $0.last { $0.since <= now }.map { ($0.result, $0.step) } } ?? (ProbeResult(), .judge)
    }

    /// The address and the host of a TLS handshake that is under way.
    var handshake: NetworkAddress? { latest.step == .tls ? latest.result.address : nil }

    /// The result of a request that ends now.
    func result(cutOffBy code: ProbeError.Code, after duration: Duration) -> ProbeResult {
        var (result, step) = latest
        result.error = ProbeError(code, during: step, "no answer within \(duration.secondsText)")
        result.durations.total = duration
        return result
    }
}

package struct ProbeResult: Hashable, Sendable {
    /// The response as far as it was received; nil when its header section did not arrive.
    package var response: HTTPResponse?
    /// The error; there may still be a response, if only its body did not arrive.
    package var error: ProbeError?
    /// The address that was connected to, or tried last.
    package var address: NetworkAddress?
    package var durations = InternetCheck.Evidence.Durations()
    /// Whether the address is a proxy's, which says nothing about the host's name.
    var isProxied = false
    /// The URL of the proxy, without user and password; nil without a proxy.
    var proxy: String?
    /// The attempts to connect that did not succeed.
    var failedAttempts: [InternetCheck.Evidence.Attempt] = []
    /// The packets of the connection or, without one, of the attempts to connect.
    var packets: SentPackets?
}

extension InternetCheck {
    /// The default sender of requests: `SocketHTTPProbe`, or `URLSession` on Apple platforms.
    package static var systemProber: any Prober {
        #if canImport(Darwin)
        URLSessionHTTPProbe()
        #else
        SocketHTTPProbe()
        #endif
    }
}

extension Prober {
    /// The result of a request, at its deadline at the latest.
    func result(of request: ProbeRequest, on time: TimeSource = .system) async -> ProbeResult {
        await firstAnswer(
            until: request.deadline, on: time, late: ProbeResult(error: ProbeError(.timedOut, during: .headers)),
            cancelled: ProbeResult(error: ProbeError(.cancelled, during: .headers))
        ) { await probe(request) }
    }
}
