// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import FoundationNetworking

// A request should carry its settings as properties of `URLProtocol`, but on Linux Foundation drops these whenever it
// copies or bridges an `NSURLRequest`, and a `URLRequest` is always a copy. A test notices if that changes. Of the
// properties that survive copies, only the main document has room for more, and is never sent.

extension URLRequest {
    /// Whether the request may use a network that charges by volume; true by default.
    ///
    /// The session's configuration and the request must both allow it. The setting has an effect in sessions whose
    /// configuration sets `failsWithoutConnectivity` or `waitsForConnectivity`, or forbids some network; other sessions
    /// are Foundation's own.
    ///
    /// A request cannot carry new properties, so the setting is stored in the fragment of `mainDocumentURL`, which is
    /// never sent: set that first.
    public var allowsExpensiveNetworkAccess: Bool {
        get { !isForbidden(.expensive) }
        set { forbid(.expensive, !newValue) }
    }

    /// Whether the request may use a network in low data mode; true by default.
    ///
    /// See `allowsExpensiveNetworkAccess` for sessions that respect it, and for how it is stored.
    public var allowsConstrainedNetworkAccess: Bool {
        get { !isForbidden(.constrained) }
        set { forbid(.constrained, !newValue) }
    }

    /// Whether the request may use a network that carries very little data, such as a satellite's; true by default.
    ///
    /// An error for such a network has the `networkUnavailableReason` `ultraConstrained`. See
    /// `allowsExpensiveNetworkAccess` for sessions that respect it, and for how it is stored.
    public var allowsUltraConstrainedNetworkAccess: Bool {
        get { !isForbidden(.ultraConstrained) }
        set { forbid(.ultraConstrained, !newValue) }
    }

    /// A kind of network that a request may not use.
    package enum ForbiddenNetwork: String, CaseIterable {
        case expensive, constrained, ultraConstrained
    }

    /// Whether the request may not use a kind of network.
    package func isForbidden(_ network: ForbiddenNetwork) -> Bool { forbiddenNetworks.contains(network) }

    /// Sets whether the request may not use a kind of network.
    package mutating func forbid(_ network: ForbiddenNetwork, _ isForbidden: Bool) {
        guard isForbidden != self.isForbidden(network) else { return }
        let networks = ForbiddenNetwork.allCases.filter { $0 == network ? isForbidden : self.isForbidden($0) }
        let document = mainDocumentURL?.scheme == Self.placeholder ? nil : mainDocumentURL
        var parts = document.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) } ?? URLComponents()
        if networks.isEmpty {
            parts.fragment = nil
            mainDocumentURL = document == nil ? nil : parts.url
        } else {
            if document == nil { parts.scheme = Self.placeholder }
            parts.fragment = Self.mark + networks.map(\.rawValue).joined(separator: ",")
            mainDocumentURL = parts.url
        }
    }

    private var forbiddenNetworks: [ForbiddenNetwork] {
        guard let fragment = mainDocumentURL?.fragment, fragment.hasPrefix(Self.mark) else { return [] }
        return fragment.dropFirst(Self.mark.count).split(separator: ",").compactMap {
            ForbiddenNetwork(rawValue: "\($0)")
        }
    }

    private static let mark = "dialtone-without="
    /// The scheme of the URL that a request without a main document gets.
    private static let placeholder = "dialtone"
}
#endif
