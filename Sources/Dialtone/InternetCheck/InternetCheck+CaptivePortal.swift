//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import FoundationEssentials

extension InternetCheck {
    /// The network's captive portal API as a check asks it.
    struct CaptivePortalQuestion: Sendable {
        let url: String
        /// The client, or why there cannot be one.
        let api: Result<CaptivePortalAPI, CaptivePortalError>

        /// The API's own URL, for want of a better page.
        var page: URL? { PortalURL.usable(url) }

        func ask(until deadline: ContinuousClock.Instant) async -> Report.CaptivePortalEvidence {
            do throws(CaptivePortalError) {
                let state = try await api.get().state(until: deadline)
                return Report.CaptivePortalEvidence(url: url, state: state)
            } catch {
                return Report.CaptivePortalEvidence(url: url, error: error)
            }
        }
    }

    /// The API to ask, if the configuration wants one asked and there is one.
    ///
    /// - Parameter link: whose announcement counts, by its index; nil looks at all links.
    func captivePortalAPI(on link: Int?) -> CaptivePortalQuestion? {
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
            return CaptivePortalQuestion(url: url, api: .success(api))
        } catch {
            return CaptivePortalQuestion(url: url, api: .failure(error))
        }
    }
}

extension InternetCheck.Report.CaptivePortalEvidence {
    /// What it means for the verdict: it can add captivity, and nothing else.
    var finding: Judge.CaptivePortal {
        guard let state, state.isCaptive else { return .silent }
        return .captive(state.userPortal)
    }
}
