// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

extension InternetCheck {
    /// Queries an endpoint.
    ///
    /// - Parameters:
    ///   - index: the endpoint's number.
    ///   - deadline: the end of the check.
    ///   - progress: keeps how far the query gets.
    ///   - reversesFamilies: whether it tries first the IP version that the system prefers less.
    /// - Returns: the evidence, also if the task is cancelled or the deadline passes.
    func query(
        _ index: Int, until deadline: ContinuousClock.Instant, _ progress: ProbeProgress, reversesFamilies: Bool
    ) async -> Evidence {
        let endpoint = configuration.endpoints[index]
        let target = targets[index]
        let nonce = Nonce.make()
        // The prober ends a little before the check does, so that its own result counts. If it is late nevertheless, its
        // progress does.
        var request = request(
            endpoint, target, nonce, deadline - min(configuration.timeouts.total / 20, .milliseconds(50)))
        request.progress = progress
        request.reversesFamilies = reversesFamilies
        let queried = request
        let classifier = ResponseClassifier(
            target: target, operatorName: operators[index], expectation: endpoint.expectation,
            isPublic: isPublic(index), nonce: nonce)
        let prober = prober
        let start = time.now
        let unfinished = { @Sendable (code: ProbeError.Code) in
            classifier.evidence(url: endpoint.url, progress.result(cutOffBy: code, after: time.now - start))
        }
        return await firstAnswer(
            until: deadline, on: time, late: unfinished(.timedOut), cancelled: unfinished(.cancelled)
        ) {
            let result = await prober.probe(queried)
            return await Background.run {
                var evidence = classifier.evidence(url: endpoint.url, result)
                evidence.reversesFamilies = reversesFamilies
                return evidence
            }
        }
    }

    private func request(
        _ endpoint: Endpoint, _ target: ProbeTarget, _ nonce: String, _ deadline: ContinuousClock.Instant
    ) -> ProbeRequest {
        var fields = ["Accept": "*/*", "Accept-Encoding": "identity", "Connection": "close"]
        fields["User-Agent"] = Self.userAgent
        if endpoint.expectation.usesNonce { fields[Nonce.field] = nonce }
        if configuration.bustsCaches {
            fields["Cache-Control"] = "no-cache, no-store"
            fields["Pragma"] = "no-cache"
        }
        // The program's own fields replace Dialtone's; names are compared case-insensitively.
        for own in [configuration.headers, endpoint.headers] {
            for (name, value) in own {
                fields = fields.filter { $0.key.lowercased() != name.lowercased() }
                fields[name] = value
            }
        }
        let expectation = endpoint.expectation
        return ProbeRequest(
            target: target, path: target.target(adding: configuration.bustsCaches ? "dialtone=\(Nonce.make())" : nil),
            fields: fields.sorted { $0.key < $1.key }.map { HTTPResponse.Field(name: $0.key, value: $0.value) },
            configuration: configuration, deadline: deadline
        ) { response in
            let isRedirect = (300..<400).contains(response.status)
            return isRedirect || expectation.ignoresBody && expectation.isMet(by: response, nonce: nonce)
        }
    }

    /// Whether a private address of the endpoint's host is a forgery.
    func isPublic(_ index: Int) -> Bool { configuration.endpoints[index].isPublic ?? targets[index].isPublicName }
}
