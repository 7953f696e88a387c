// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import TestSupport
import Testing

/// The image, as `Scripts/image` makes it of the programs under test, in a real container that runs as the example for
/// Kubernetes says: another user, no capabilities, a read-only root.
@Suite(
    .requires(.networkNamespaces), .requires(.fileOwners), .requires(.program("umoci")), .requires(.program("runc")),
    .requires(.program("curl")))
struct ImageTests {
    private static let token = "a-token-of-some-length"

    @Test func `the probes of the sidecar answer in a container without root`() async throws {
        let (lab, place) = (try RoutedLab(), try Workplace())
        let web = try TestServer(in: lab.internet, port: 80) { _ in .respond(status: 204, body: "") }
        defer { withExtendedLifetime(web) {} }
        let programs = URL(filePath: CommandRun.Program.dialtone.path).deletingLastPathComponent().path
        let (image, bundle) = ("\(place.url.path)/image", "\(place.url.path)/bundle")
        for command in [
            [FleetFile.url("../Scripts/image").path, programs, image],
            ["umoci", "unpack", "--image", "\(image):dialtone", bundle],
        ] {
            let outcome = try await Tool.run(command)
            try #require(outcome.status == 0, "\(outcome.text)")
        }
        // Kubernetes makes volumes and secrets accessible to the group `fsGroup`, here 65532.
        let (history, token) = (place.url.appending(path: "history").path, try place.write(Self.token, "token"))
        try FileManager.default.createDirectory(atPath: history, withIntermediateDirectories: false)
        for (file, mode) in [(history, 0o2775), (token, 0o440)] {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode, .groupOwnerAccountID: 65532], ofItemAtPath: file)
        }
        let manifest = try FleetFile.text("../Examples/kubernetes/sidecar.yaml")
        let arguments = try Self.words("args", in: manifest).map { $0.replacing("$(POD_IP)", with: "192.0.2.2") }

        // The network of the pod is that of this process.
        let holder = try await CommandRun.start(.init(path: "/bin/sleep"), ["infinity"], in: lab.client)
        defer { holder.terminate() }
        try Self.configure(
            bundle, ["dialtone"] + arguments, network: "/proc/\(holder.identifier)/ns/net",
            volumes: ["/var/lib/dialtone": history, "/etc/dialtone/token": token])
        try await lab.join()
        func runc(_ arguments: String...) -> [String] {
            ["runc", "--root", "\(place.url.path)/containers"] + arguments
        }
        let container = try CommandRun(Tool.env, runc("run", "--bundle", bundle, "sidecar"))
        defer { container.terminate() }
        // The log is another stream, so its lines may arrive earlier.
        let line = try await container.output.next()
        try #require(line.hasPrefix("Serving on "), "\(container.errors.values)")
        func probe(_ name: String) async throws -> Int32 {
            let command = try Self.words("\(name):\\s+exec: \\{command", in: manifest)
            return try await Tool.run(runc("exec", "sidecar") + command).status
        }
        /// The status of a request from the node.
        func get(_ path: String, _ options: String...) async throws -> String {
            let arguments =
                ["curl", "-so", "/dev/null", "-w", "%{http_code}", "http://192.0.2.2:4780\(path)"] + options
            let run = try await lab.runInRouter { try CommandRun(Tool.env, arguments) }
            _ = try await run.exitStatus()
            return run.output.values.joined()
        }
        let process = try await Tool.run(runc("ps", "--format", "json", "sidecar")).text
        let identifier = try #require(JSONDecoder().decode([Int32].self, from: Data(process.utf8)).first)
        let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        #expect(status.contains("Uid:\t65532\t65532\t65532\t65532"), "\(status)")
        #expect(status.contains("CapEff:\t0000000000000000") && status.contains("NoNewPrivs:\t1"), "\(status)")

        #expect(try await probe("startupProbe") == 0)
        #expect(try await probe("readinessProbe") == 0)
        #expect(try await get("/healthz") == "200")
        #expect(try await get("/metrics") == "401")
        #expect(try await get("/metrics", "-H", "Authorization: Bearer \(Self.token)") == "200")

        try lab.setUplink(up: false)
        #expect(try await probe("startupProbe") == 124)
        #expect(try await probe("readinessProbe") == 0)
        try await lab.setCable(connected: false)
        #expect(try await probe("readinessProbe") == 124)

        let recorded = try await Tool.run(runc("exec", "sidecar", "dialtone", "history"))
        #expect(recorded.text.contains("1 outage"), "\(recorded.text)")
        container.terminate()
        #expect(try await container.exitStatus() == 0, "\(container.errors.values)")
    }

    /// Changes the bundle's configuration as a container engine does for the example's security context.
    private static func configure(
        _ bundle: String, _ arguments: [String], network: String, volumes: [String: String]
    ) throws {
        let file = URL(filePath: bundle).appending(path: "config.json")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        var configuration = try #require(object as? [String: Any])
        var process = try #require(configuration["process"] as? [String: Any])
        process["terminal"] = false
        process["capabilities"] = [String: Any]()
        process["env"] =
            try #require(process["env"] as? [String]) + ["DIALTONE_ENDPOINTS=http://203.0.113.1/generate_204"]
        process["args"] = arguments
        configuration["process"] = process
        configuration["root"] = ["path": "rootfs", "readonly": true]
        var linux = try #require(configuration["linux"] as? [String: Any])
        linux["namespaces"] =
            ["pid", "ipc", "uts", "mount"].map { ["type": $0] } + [["type": "network", "path": network]]
        configuration["linux"] = linux
        let mounts = try #require(configuration["mounts"] as? [[String: Any]])
        configuration["mounts"] =
            mounts.filter { $0["type"] as? String != "cgroup" && volumes[$0["destination"] as? String ?? ""] == nil }
            + volumes.map {
                ["destination": $0, "type": "bind", "source": $1, "options": ["bind", "nosuid", "nodev"]]
            }
        try JSONSerialization.data(withJSONObject: configuration).write(to: file)
    }

    /// The list that follows a key of the manifest.
    private static func words(_ key: String, in manifest: String) throws -> [String] {
        let match = try #require(manifest.firstMatch(of: Regex("\(key): (\\[.*?\\])", as: (Substring, Substring).self)))
        return try JSONDecoder().decode([String].self, from: Data(match.1.utf8))
    }
}
#endif
