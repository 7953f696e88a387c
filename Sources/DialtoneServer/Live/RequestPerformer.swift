// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneSupport

/// Performs the request of the button.
protocol RequestPerformer: Sendable {
    /// Performs the request once.
    ///
    /// - Returns: the status of the response.
    /// - Throws: `RequestFailure` if there is no response.
    func perform() async throws -> Int
}

/// A request for a URL, over the same restricted HTTP that checks use: limited time and size, no cookies, no redirects.
struct PlainRequest: RequestPerformer {
    private let check: InternetCheck

    /// Creates a request for a URL.
    ///
    /// - Throws: if the URL is invalid.
    init(_ url: String, timeout: Duration = .seconds(10)) throws {
        var configuration = InternetCheck.Configuration(
            endpoints: [.init(url, expecting: .custom("an answer") { _ in true }, isPublic: false)],
            captivePortalAPI: .off)
        configuration.timeouts.total = timeout
        check = try InternetCheck(configuration)
    }

    func perform() async throws -> Int {
        let report = await check.run()
        guard let evidence = report.endpoints.first else { throw RequestFailure(.unknown) }
        if let status = evidence.status, evidence.error == nil { return status }
        throw RequestFailure(evidence.error?.code.failure ?? .unknown)
    }
}

extension ProbeError.Code {
    /// The corresponding failure of a request.
    fileprivate var failure: RequestFailure.Kind {
        switch self {
        case .hostNotFound, .noAddress, .nameServerFailure: .nameNotFound
        case .refused, .unreachable: .cannotConnect
        case .timedOut: .timedOut
        case .connectionLost: .connectionLost
        case .untrustedCertificate, .wrongCertificateName, .invalidCertificate, .tlsFailure: .tlsFailure
        case .notPermitted: .notAllowed
        case .cancelled: .cancelled
        default: .unknown
        }
    }
}
