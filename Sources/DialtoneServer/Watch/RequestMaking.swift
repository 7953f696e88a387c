//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import FoundationEssentials

/// Makes the request that the button is for.
protocol RequestMaking: Sendable {
    /// Makes it once.
    ///
    /// - Returns: the status of the answer.
    /// - Throws: `RequestFailure` when there is none.
    func perform() async throws -> Int
}

/// A request for a URL, over the same careful HTTP that checks use: bounded in time and size, no cookie, no redirect.
struct PlainRequest: RequestMaking {
    private let check: InternetCheck

    /// Makes a request for a URL.
    ///
    /// - Throws: what is wrong with the URL.
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
    /// What it means for a request.
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
