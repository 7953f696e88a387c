// SPDX-License-Identifier: Apache-2.0

@testable import Dialtone

extension InternetCheck.RouterAnswer {
    init(
        _ router: NetworkPath.Gateway, _ outcome: Outcome, report: RouterReport?, after duration: Duration = .zero
    ) {
        self.init(router, outcome, after: duration)
        self.report = report
    }
}

extension InternetCheck.AddressAnswer {
    init(_ address: NetworkAddress, _ outcome: Outcome, report: RouterReport?, after duration: Duration = .zero) {
        self.init(address, outcome, after: duration)
        self.report = report
    }
}
