import Dialtone

/// A placeholder for your HTTP client.
func fetch(_ name: String) async throws -> [UInt8] { [] }

let policy = WaitingPolicy(.verified, deadline: .seconds(3600), isIdempotent: true)
let report = try await withConnectivity(policy) { reason in
    print(reason)  // "No carrier on eth0: is the cable in?"
    return .keepWaiting
} operation: {
    do {
        return try await fetch("report")
    } catch is CancellationError {
        throw RequestFailure(.cancelled)
    } catch {
        // Translate your client's errors, in one place. This request may have reached the server.
        throw RequestFailure(.connectionLost)
    }
}
print(report.count)
