import DialtoneURLSession

struct Weather: Decodable, Sendable { let degrees: Double }

let requester = NetworkRequester()
Task {
    for await status in requester.updates() {
        print(status.state, status.advice.instruction)  // online Based upon your last request, you are online.
    }
}
if let url = URL(string: "https://example.com/weather.json") {
    do {
        print(try await requester.request(Weather.self, from: url).degrees)
    } catch {
        print(error)  // "You are offline. No carrier on eth0: is the cable in?"
    }
}
