import Dialtone
import FoundationEssentials
import Observation

struct Weather: Decodable, Sendable { let degrees: Double }

@Sendable func fetch() async throws -> NetworkRequester.Reply {
    NetworkRequester.Reply(status: 200, body: Data(#"{"degrees":21}"#.utf8))
}

let model = NetworkRequester.Model()
let button = {
    Task { try await model.requester.request(Weather.self) { try await fetch() } }
}
withObservationTracking {
    print(model.status.advice.instruction)
} onChange: {
    print("about to change")
}
_ = try await button().value
