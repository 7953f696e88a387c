// SPDX-License-Identifier: Apache-2.0

internal import DialtoneSupport

extension InternetCheck {
    /// The network's captive portal API, ready to be queried by a check.
    struct CaptivePortalQuery: Sendable {
        let url: String
        /// The client, or the error that prevents one.
        let api: Result<CaptivePortalAPI, CaptivePortalError>

        /// The API's own URL, if no better page is known.
        var page: URL? { PortalURL.usable(url) }

        func query(until deadline: ContinuousClock.Instant) async -> Report.CaptivePortalEvidence {
            do throws(CaptivePortalError) {
                let state = try await api.get().state(until: deadline)
                return Report.CaptivePortalEvidence(url: url, state: state)
            } catch {
                return Report.CaptivePortalEvidence(url: url, error: error)
            }
        }
    }

    /// The API to query, if there is one and the configuration permits it.
    ///
    /// - Parameter link: the index of the link whose announcement counts; nil considers all links.
    func captivePortalAPI(on link: Int?) -> CaptivePortalQuery? {
        let url: String
        switch configuration.captivePortalAPI {
        case .off: return nil
        case .url(let text): url = text
        case .discover:
            guard !targets.isEmpty, let announced = discovery(link).api else { return nil }
            url = announced
        }
        do throws(CaptivePortalError) {
            let api = try CaptivePortalAPI(url, configuration: configuration, prober: prober)
            return CaptivePortalQuery(url: url, api: .success(api))
        } catch {
            return CaptivePortalQuery(url: url, api: .failure(error))
        }
    }
}

extension InternetCheck.Report.CaptivePortalEvidence {
    /// Its meaning for the verdict: the API can only add captivity.
    var finding: VerdictReducer.CaptivePortalAPI {
        guard let state, state.isCaptive else { return .silent }
        return .captive(state.userPortal)
    }
}
