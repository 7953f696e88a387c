import DialtoneURLSession

if let url = URL(string: "https://example.com/report") {
    let request = URLRequest(url: url)
    let (data, _) = try await withConnectivity(WaitingPolicy(request, .verified)) {
        // A URLError that is thrown here decides as it is whether to retry.
        try await URLSession.shared.data(for: request)
    }
    print(data.count)
}
