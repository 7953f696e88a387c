import DialtoneURLSession

let configuration = URLSessionConfiguration.default
configuration.waitsForConnectivity = true
configuration.allowsExpensiveNetworkAccess = false
configuration.timeoutIntervalForResource = 3600
let session = URLSession(configuration: configuration)

if let url = URL(string: "https://example.com/report") {
    do {
        let (data, response) = try await session.data(from: url)
        print(data.count, response)
    } catch {
        print(error.localizedDescription)
    }
}
