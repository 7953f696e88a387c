// SPDX-License-Identifier: Apache-2.0

extension CheckMachine {
    /// The probes that are made now; each is made once at most.
    func dueProbes(_ decision: VerdictReducer.Decision) -> [(HopCollection.Kind, Probe)] {
        let mayMeasureLoss = hopCollection.mayMeasureLoss(decision, at: now, by: lossyVersion(decision))
        let probes: [(HopCollection.Kind, Probe?)] = [
            (.largePackets, hopCollection.mayTestLargePackets(at: now) ? largePacketTest : nil),
            (.loss, mayMeasureLoss ? lossMeasurement(decision) : nil),
            (.family, hopCollection.mayTry(.family) ? familyAttempt : nil),
            (.page, hopCollection.mayTry(.page) ? pageQuery : nil),
            (.certificate, hopCollection.mayTry(.certificate) ? certificateTest : nil),
        ]
        return probes.compactMap { kind, probe in probe.map { (kind, $0) } }
    }

    /// A test with an HTTPS endpoint whose handshake stalls while plain HTTP, or HTTPS over the other IP version, passes.
    private var largePacketTest: Probe? {
        let answers = zip(plan.endpoints, reducer.evidence)
        let passing = answers.filter { $1?.passed == true }
        let versions = Set(passing.filter(\.0.subject.isSecure).map { $1?.address?.version })
        guard !passing.isEmpty, !versions.contains(nil) else { return nil }
        for (index, (endpoint, evidence)) in answers.enumerated() where endpoint.subject.isSecure {
            let stalled = evidence.flatMap { $0.error?.step == .tls && $0.proxy == nil ? $0.address : nil }
            guard let address = stalled ?? handshakes[index], !versions.contains(address.version) else { continue }
            return .largePackets(index, address)
        }
        return nil
    }

    /// A measurement of the loss with a public address that has answered, while endpoints are silent, or with the address of an operator
    /// that has passed.
    private func lossMeasurement(_ decision: VerdictReducer.Decision) -> Probe? {
        if decision == .verdict(.verified) {
            let version = lossyVersion(decision)
            for (endpoint, evidence) in zip(plan.endpoints, reducer.evidence) where endpoint.subject.isSecure {
                guard let evidence, evidence.passed, evidence.proxy == nil, let address = evidence.address,
                    version == nil || address.version == version
                else { continue }
                return .loss(address, endpoint.port)
            }
            return hopCollection.familyAnswers.first { $0.outcome == .answers && $0.address.version == version }
                .map { .loss($0.address, PublicAddressProbe.port) }
        }
        guard reducer.evidence.contains(where: { $0 == nil || $0?.error?.mayBeLoss == true }),
            // Answers to the first greetings may have been lost.
            let answer = hops.publicAddresses.first(where: { $0.outcome == .answers })
                ?? hops.publicAddresses.first(where: { $0.outcome == .accepts })
        else { return nil }
        return .loss(answer.address, PublicAddressProbe.port)
    }

    /// The IP version by which alone packets may be lost, although the check passes; nil without one.
    func lossyVersion(_ decision: VerdictReducer.Decision) -> IPVersion? {
        guard decision == .verdict(.verified), plan.isFull, plan.families.count > 1 else { return nil }
        return FamilyEvidence.mayLosePackets(reducer.evidence.compactMap(\.self))
    }

    /// A test of the certificate of a public address that answers while no name is resolved: what answers in its place may end TLS, too.
    private var certificateTest: Probe? {
        guard reducer.evidence.allSatisfy({ $0 == nil || $0?.error?.step == .resolve }) else { return nil }
        return hops.publicAddresses
            .first { $0.outcome == .answers && [NetworkAddress].publicResolvers.contains($0.address) }
            .map { .certificate($0.address) }
    }

    /// A query of a second operator by an IP version by which one operator alone was queried, and shows a login page, while others
    /// pass by the other version.
    private var pageQuery: Probe? {
        guard plan.families.count > 1,
            let reversed = plan.reversedEndpoints.first(where: { !plan.endpoints[$0].subject.isSecure }),
            let page = reducer.evidence[reversed], page.portal != nil, page.proxy == nil
        else { return nil }
        let answers = zip(plan.endpoints, reducer.evidence)
        let operatorName = plan.endpoints[reversed].subject.operatorName
        guard
            !answers.contains(where: { endpoint, evidence in
                endpoint.subject.operatorName != operatorName && evidence?.status != nil
                    && evidence?.address?.version == page.address?.version
            })
        else { return nil }
        return answers.enumerated().first { _, answer in
            !answer.0.subject.isSecure && answer.0.subject.operatorName != operatorName && answer.1?.passed == true
        }.map { .page($0.offset) }
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
