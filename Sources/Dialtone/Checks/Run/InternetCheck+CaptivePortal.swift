// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

extension InternetCheck {
    /// Queries the network's captive portal API; nil without one, or if the configuration does not permit it.
    ///
    /// - Parameter link: the index of the link whose announcement counts; nil considers all links.
    func captivePortalEvidence(
        on link: Int?, until deadline: ContinuousClock.Instant
    ) async -> Report.CaptivePortalEvidence? {
        let url: String
        switch configuration.captivePortalAPI {
        case .off: return nil
        case .url(let text): url = text
        case .discover:
            guard !targets.isEmpty else { return nil }
            let discovery = discovery
            // Reading the announcement may block.
            let announced = await firstAnswer(until: deadline, on: time, late: .unknown, cancelled: .unknown) {
                await Background.run { discovery(link) }
            }
            guard let api = announced.api else { return nil }
            url = api
        }
        // Both sources have https URLs only.
        guard let api = try? CaptivePortalAPI(url, configuration: configuration, prober: prober) else { return nil }
        do throws(ProbeError) {
            return Report.CaptivePortalEvidence(url: url, state: try await api.state(until: deadline, on: time))
        } catch {
            return Report.CaptivePortalEvidence(url: url, error: error)
        }
    }
}
