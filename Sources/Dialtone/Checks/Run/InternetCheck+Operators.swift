// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

extension InternetCheck {
    /// An operator and the URLs of its endpoints.
    public struct Operator: Hashable, Sendable {
        /// The operator's name, as in `Endpoint.operatorName`.
        public var name: String
        /// The URLs of its endpoints, as configured.
        public var urls: [String]

        /// Creates an operator.
        public init(_ name: String, urls: [String]) {
            self.name = name
            self.urls = urls
        }
    }

    /// The operators of the configured endpoints, in the order of the configuration.
    public var endpointOperators: [Operator] {
        let endpoints = zip(operators, configuration.endpoints)
        return operators.uniqued.map { name in Operator(name, urls: endpoints.filter { $0.0 == name }.map(\.1.url)) }
    }

    /// The same check, of one operator's endpoints alone; all of them must pass.
    func restricted(to operatorName: String) -> InternetCheck {
        let indices = operators.indices.filter { operators[$0] == operatorName }
        var configuration = configuration
        configuration.endpoints = indices.map { self.configuration.endpoints[$0] }
        configuration.quorum = .percent(100)
        var check = InternetCheck(configuration, indices.map { targets[$0] }, prober, discovery)
        check.transport = transport
        // Over all operators, both IP versions get both kinds of requests.
        check.reversesSecure = endpointOperators.firstIndex { $0.name == operatorName }.map { $0 % 2 == 1 } ?? false
        return check
    }

    /// Queries one operator and, unless all of its endpoints pass, all operators.
    ///
    /// - Returns: the report of the last round. It lists only the endpoints that this round queried.
    func run(on link: Int?, over path: NetworkPath?, startingWith operatorName: String) async -> Report {
        // If it does not pass, the check of all operators asks the hops.
        let first = await restricted(to: operatorName).run(on: link, over: path, asking: .never, isFull: false)
        let isClean = first.verdict == .verified && !first.endpoints.isEmpty && first.endpoints.allSatisfy(\.passed)
        return isClean || Task.isCancelled ? first : await run(on: link, over: path)
    }
}
