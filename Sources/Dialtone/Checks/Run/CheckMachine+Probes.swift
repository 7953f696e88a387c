// SPDX-License-Identifier: Apache-2.0

extension CheckMachine {
    /// The probes that are made now; each is made once at most.
    func dueProbes(_ decision: VerdictReducer.Decision) -> [(HopCollection.Kind, Probe)] {
        var probes: [(HopCollection.Kind, Probe)] = []
        if hopCollection.mayTestLargePackets(at: now), let test = largePacketTest {
            probes.append((.largePackets, test))
        }
        if hopCollection.mayMeasureLoss(decision, at: now), let measurement = lossMeasurement {
            probes.append((.loss, measurement))
        }
        if hopCollection.mayTryFamily, let attempt = familyAttempt { probes.append((.family, attempt)) }
        return probes
    }

    /// A test with an HTTPS endpoint whose handshake stalls while plain HTTP passes.
    private var largePacketTest: Probe? {
        let answers = zip(plan.endpoints, reducer.evidence)
        guard answers.contains(where: { !$0.subject.isSecure && $1?.passed == true }),
            !answers.contains(where: { $0.subject.isSecure && $1?.passed == true })
        else { return nil }
        for (index, (endpoint, evidence)) in answers.enumerated() where endpoint.subject.isSecure {
            let stalled = evidence.flatMap { $0.error?.step == .tls && $0.proxy == nil ? $0.address : nil }
            guard let address = stalled ?? handshakes[index] else { continue }
            return .largePackets(index, address)
        }
        return nil
    }

    /// A measurement of the loss with a public address that has answered, while endpoints are silent.
    private var lossMeasurement: Probe? {
        guard reducer.evidence.contains(where: { $0 == nil || $0?.error?.mayBeLoss == true }),
            let answer = hops.publicAddresses.first(where: { $0.outcome == .answers })
        else { return nil }
        return .loss(answer.address, isFast: answer.duration <= LossProbe.longestRoundTrip)
    }

    /// An attempt with the IP version whose attempts to connect were outpaced or failed, or by which alone silent name servers are
    /// reached, while the other one works.
    ///
    /// Without public addresses, the endpoints' own addresses are tried again: those with the first endpoint's port.
    private var familyAttempt: Probe? {
        guard !plan.families.isEmpty,
            let family = FamilyEvidence.suspect(reducer.evidence.compactMap(\.self)) ?? hops.silentNamesVersion,
            plan.families.contains(family)
        else { return nil }
        let tried = zip(plan.endpoints, reducer.evidence).filter { $0.0.port == plan.endpoints[0].port }
            .flatMap { $1?.failedAttempts ?? [] }.map(\.address).filter { $0.version == family }
        return .family(family, tried.uniqued)
    }
}
