import Dialtone
import FoundationEssentials

struct Weather: Decodable, Sendable { let degrees: Double }

/// A placeholder for your HTTP client.
struct MyClient: Sendable {
    func get(_ path: String) async throws -> (Data, Int) { (Data(#"{"degrees":21}"#.utf8), 200) }
}
let myClient = MyClient()

let requester = NetworkRequester()
let weather = try await requester.request(Weather.self) {
    let (body, status) = try await myClient.get("/weather")
    return NetworkRequester.Reply(status: status, body: body)
}
print(requester.status.advice.instruction)  // "Based upon your last request, you are online."
print(weather.degrees)
