#if AsyncHTTPClient
import DialtoneAsyncHTTPClient

let request = HTTPClientRequest(url: "https://example.com/report")
let body = try await HTTPClient.shared.execute(
    request, timeout: .seconds(30), waiting: WaitingPolicy(request, .verified)
) { response in
    try await response.body.collect(upTo: 1 << 20)
}
print(body.readableBytes)
#endif
