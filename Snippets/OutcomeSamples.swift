import Dialtone

func waiting(_ download: @Sendable () async throws -> String) async throws {
    let policy = WaitingPolicy(.verified, deadline: .seconds(3600), isIdempotent: true)
    let report = try await withConnectivity(policy) { obstacle in
        print(obstacle)  // "No carrier on eth0: is the cable in?"
        return .keepWaiting
    } operation: {
        try await download()
    }
    print(report)
}

func outcome(over path: NetworkPath) {
    let outcome = NetworkRequester.Outcome(RequestFailure(.nameNotFound), over: path)  // .offline, if the path says so
    print(outcome.advice.title)
}

func heading(in french: Bool, for outcome: NetworkRequester.Outcome) -> String {
    switch outcome {
    case .offline where french: "Hors ligne"
    default: outcome.advice.title
    }
}
