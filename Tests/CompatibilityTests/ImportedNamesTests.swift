// SPDX-License-Identifier: Apache-2.0

#if os(Linux)

import Foundation
import TestSupport
import Testing

/// What reaches a program that imports the modules with Apple's names, found by compiling such programs.
@Suite(.requires(.compiler))
struct ImportedNamesTests {
    /// Names in the modules that stand in for Apple's, which need no place in the lists below.
    private static let prefixes = ["NW", "nw_", "OS_nw_", "SC", "kSC", "CN", "kCN", "CF", "kCF", "NSEC_", "USEC_"]
    /// Other names that Apple's modules declare.
    private static let appleNames: Set = [
        "IPAddress", "IPv4Address", "IPv6Address",
        "AnyCancellable", "AnyPublisher", "CurrentValueSubject", "Just", "ObservableObject", "PassthroughSubject",
        "Publisher", "Publishers",
        "NetworkBrowser", "NetworkConnection", "NetworkListener", "withNetworkConnection",
        "URLSessionDataDelegate", "URLSessionDownloadDelegate", "URLSessionTaskDelegate",
    ]
    private static let modules = [
        "OpenNetwork", "OpenSystemConfiguration", "AppleCombine", "AppleURLSession", "DispatchConstants",
    ]
    private static let exports: Set = [
        "Combine", "DialtoneURLSession.NSURLErrorNetworkUnavailableReasonKey", "Dispatch", "DispatchConstants",
        "Foundation", "FoundationEssentials", "FoundationNetworking",
        "Network", "NetworkModel.DialtonePathTypes", "OpenCombineShim", "SystemConfiguration",
    ]

    /// A library like those that have their own model of a path, with names that this package uses too.
    private static let library = """
        public enum InterfaceType: Sendable { case none, some(String) }
        public enum LinkQuality: Sendable { case none }
        public enum PathStatus: Sendable {
            case satisfied(InterfaceType), unsatisfied(UnsatisfiedReason?), requiresConnection, unknown
        }
        public enum UnsatisfiedReason: Sendable { case forbidden }
        """

    /// Source for Apple platforms that converts Apple's values into those of such a library.
    private static let client = """
        func convert(_ path: NWPath) -> PathStatus {
            switch path.status {
            case .satisfied: return .satisfied(path.availableInterfaces.first.map(convert) ?? .none)
            case .unsatisfied: return .unsatisfied(convert(path.unsatisfiedReason))
            case .requiresConnection: return .requiresConnection
            @unknown default: return .unknown
            }
        }
        func convert(_ reason: NWPath.UnsatisfiedReason) -> UnsatisfiedReason? {
            switch reason {
            case .notAvailable: return nil
            case .cellularDenied, .wifiDenied, .localNetworkDenied, .vpnInactive: return .forbidden
            @unknown default: return nil
            }
        }
        func convert(_ interface: NWInterface) -> InterfaceType {
            switch interface.type {
            case .other, .loopback: return .none
            case .wifi, .cellular, .wiredEthernet: return InterfaceType.some(interface.name)
            @unknown default: return .none
            }
        }
        func quality(_ path: NWPath) -> LinkQuality? { path.linkQuality == .good ? nil : LinkQuality.none }
        func isOnline(_ path: NWPath) -> Bool { path.status == .satisfied && path.unsatisfiedReason == .notAvailable }
        let status: NWPath.Status = .satisfied
        let types: Set<NWInterface.InterfaceType> = [.wifi, .cellular]
        let monitor = NWPathMonitor(requiredInterfaceType: .wifi)
        extension NWInterface.InterfaceType: @retroactive CaseIterable {
            public static var allCases: [NWInterface.InterfaceType] {
                [.other, .wifi, .cellular, .wiredEthernet, .loopback]
            }
        }
        extension NWPath.Status: @retroactive CustomDebugStringConvertible {
            public var debugDescription: String { "\\(self == .satisfied)" }
        }
        func flags(_ target: SCNetworkReachability) -> SCNetworkReachabilityFlags {
            var flags: SCNetworkReachabilityFlags = []
            SCNetworkReachabilityGetFlags(target, &flags)
            return flags
        }
        let session = URLSession(configuration: .default)
        """

    private static let imports = "import Combine\nimport Foundation\nimport Network\nimport SystemConfiguration\n"

    @Test(arguments: Compiler.Mode.allCases)
    func `a file may use its own types with names that this package also uses`(mode: Compiler.Mode) async throws {
        let compiler = try Compiler()
        let errors = try await compiler.errors(in: [Self.imports + Self.library + "\n" + Self.client], mode)
        #expect(errors == [])
    }

    @Test func `a file may use another module's types with names that this package also uses`() async throws {
        let others = try Self.names { !Self.modules.contains($0) }.subtracting(["DialtonePathTypes"])
        let modelled: Set = ["InterfaceType", "LinkQuality", "PathStatus", "UnsatisfiedReason"]
        #expect(others.isSuperset(of: ["ConnectivityMonitor", "NetworkPath"]))
        let compiler = try Compiler()
        let rest = others.subtracting(modelled).sorted().map { "public enum \($0) {}" }
        try await compiler.makeModule("Library", ([Self.library] + rest).joined(separator: "\n"))
        let uses = others.union(modelled).sorted().map {
            "func use(_: \($0).Type) { let _: Library.\($0).Type = \($0).self }"
        }
        let files = [Self.client, uses.joined(separator: "\n")].map { Self.imports + "import Library\n" + $0 }
        for mode in Compiler.Mode.allCases {
            #expect(try await compiler.errors(in: files, mode) == [], "\(mode)")
        }
    }

    @Test func `the modules that stand in for Apple's declare only Apple's names`() throws {
        let names = try Self.names { Self.modules.contains($0) }
        #expect(names.isSuperset(of: ["NWPath", "SCNetworkReachability", "URLSessionTaskDelegate", "NSEC_PER_SEC"]))
        let foreign = names.filter { name in
            !Self.appleNames.contains(name) && !Self.prefixes.contains(where: name.hasPrefix)
        }
        #expect(foreign.sorted() == [])
    }

    @Test func `the modules that stand in for Apple's export only the system's modules and Apple's names`() throws {
        var exported: Set<String> = []
        try Self.forEachSource(of: { Self.modules.contains($0) }) { text in
            for match in text.matches(of: /@_exported public import (?:\w+ )?([\w.]+)/) {
                exported.insert(String(match.1))
            }
        }
        #expect(exported.contains("Foundation"))
        let foreign = exported.subtracting(Self.exports).filter { !$0.hasPrefix("CoreFoundation.") }
        #expect(foreign.sorted() == [])
    }

    @Test func `an import that the compiler adds gives URLSession's names to a file that imports Foundation alone`()
        async throws
    {
        let source = """
            import Foundation
            final class Delegate: NSObject, URLSessionTaskDelegate, URLSessionDataDelegate {
                func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}
                func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
            }
            func makeSession() -> URLSession {
                let configuration = URLSessionConfiguration.default
                configuration.waitsForConnectivity = true
                configuration.allowsExpensiveNetworkAccess = configuration.allowsConstrainedNetworkAccess
                return URLSession(configuration: configuration, delegate: Delegate(), delegateQueue: nil)
            }
            func start(_ url: URL) {
                var request = URLRequest(url: url)
                request.allowsExpensiveNetworkAccess = false
                request.allowsConstrainedNetworkAccess = request.allowsUltraConstrainedNetworkAccess
                URLSession.shared.dataTask(with: request).resume()
            }
            func explain(_ error: URLError) -> String {
                switch error.networkUnavailableReason {
                case .cellular: "cellular"
                case .expensive, .constrained: error.userInfo[NSURLErrorNetworkUnavailableReasonKey] as? String ?? ""
                default: "none"
                }
            }
            """
        let compiler = try Compiler()
        #expect(try await compiler.errors(in: [source], .swift5, adding: []) != [])
        for mode in Compiler.Mode.allCases {
            #expect(try await compiler.errors(in: [source], mode) == [], "\(mode)")
        }
    }

    @Test func `an import that the compiler adds gives Combine's names to a file that imports Foundation alone`()
        async throws
    {
        let source = """
            import Foundation
            final class Model: ObservableObject {
                @Published var isOnline = false
                var subscriptions: Set<AnyCancellable> = []
            }
            """
        let compiler = try Compiler()
        #expect(try await compiler.errors(in: [source], .swift5, adding: []) != [])
        let errors = try await compiler.errors(in: [source], .swift5, adding: ["AppleCombine"])
        #if Publishers
        #expect(errors == [])
        let both = source + "\nlet session = URLSession.shared"
        #expect(try await compiler.errors(in: [both], .swift5, adding: ["AppleCombine", "AppleURLSession"]) == [])
        #else
        #expect(errors.contains { $0.contains("needs the trait Publishers") })
        #endif
    }

    @Test(arguments: Compiler.Mode.allCases)
    func `a program that imports Dialtone has its own names, and Apple's only with another import`(
        mode: Compiler.Mode
    ) async throws {
        let short = """
            import Dialtone
            enum Alone {
                static let status: NetworkPath.Status = .satisfied
                static let type: NetworkPath.InterfaceType = .wifi
                static let path = NetworkPath(
                    status: .unsatisfied, unsatisfiedReason: .wifiDenied, linkQuality: .good)
                static let quality: NetworkPath.LinkQuality = path.linkQuality
                static let reason: NetworkPath.UnsatisfiedReason = path.unsatisfiedReason
            }
            """
        let apples = """
            import Dialtone
            enum WithApples {
                static let isSame =
                    NWPath.Status.satisfied == NetworkPath.Status.satisfied
                    && NWInterface.InterfaceType.wifi == NetworkPath.InterfaceType.wifi
            }
            """
        let compiler = try Compiler()
        #expect(
            try await compiler.errors(in: [short, "import Foundation\nimport Network\n" + apples], mode, adding: [])
                == [])
        #expect(try await compiler.errors(in: [apples], mode, adding: []) != [])
    }

    /// The names that modules of this package declare at top level.
    private static func names(of isWanted: (String) -> Bool) throws -> Set<String> {
        let declaration =
            /^(?:@\w+(?:\([^)\n]*\))? )*public (?!import)(?:\w+ )*?(?:class|struct|enum|protocol|actor|func|var|let|typealias) (\w+)/
            .anchorsMatchLineEndings()
        var names: Set<String> = []
        try forEachSource(of: isWanted) { text in
            for match in text.matches(of: declaration) { names.insert(String(match.1)) }
        }
        return names
    }

    private static func forEachSource(of isWanted: (String) -> Bool, _ body: (String) throws -> Void) throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = FileManager.default
        for module in try files.contentsOfDirectory(atPath: sources.path) where isWanted(module) {
            let folder = sources.appending(path: module)
            for path in try files.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
                try body(String(contentsOf: folder.appending(path: path), encoding: .utf8))
            }
        }
    }
}

extension Capability {
    /// The Swift compiler in the search path, as for a build of this package.
    fileprivate static let compiler = Capability("swiftc") {
        guard Compiler.path != nil else { throw CocoaError(.fileNoSuchFile) }
    }
}

/// The compiler, with this package's modules and the settings that source for Apple platforms needs.
final class Compiler {
    enum Mode: CaseIterable {
        case swift5, swift6, swift6WithUpcomingFeatures

        fileprivate var arguments: [String] {
            switch self {
            case .swift5: ["-swift-version", "5"]
            case .swift6: ["-swift-version", "6"]
            case .swift6WithUpcomingFeatures:
                ["-swift-version", "6"]
                    + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].flatMap {
                        ["-enable-upcoming-feature", $0]
                    }
            }
        }
    }

    static let path = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
        .map { "\($0)/swiftc" }.first(where: FileManager.default.isExecutableFile)

    private let folder: URL
    private let arguments: [String]

    init() throws {
        let files = FileManager.default
        folder = files.temporaryDirectory.appending(path: "dialtone-names-\(UUID().uuidString)")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let maps = try files.contentsOfDirectory(atPath: products.path).filter { $0.hasSuffix(".build") }
            .map { products.appending(path: "\($0)/module.modulemap").path }.filter(files.fileExists)
        let aliases = ["Network=OpenNetwork", "SystemConfiguration=OpenSystemConfiguration", "Combine=AppleCombine"]
        arguments =
            ["-parse-as-library", "-wmo", "-I", products.appending(path: "Modules").path, "-I", folder.path]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
            + aliases.flatMap { ["-module-alias", $0] }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Compiles a module that later programs can import.
    func makeModule(_ name: String, _ source: String) async throws {
        let output = folder.appending(path: "\(name).swiftmodule").path
        let errors = try await run(["-emit-module", "-module-name", name, "-o", output], [source])
        try #require(errors == [])
    }

    /// Type-checks a program and returns the compiler's messages.
    ///
    /// - Parameters:
    ///   - sources: the program's files.
    ///   - imports: the modules that every file imports.
    func errors(
        in sources: [String], _ mode: Mode, adding imports: [String] = ["AppleURLSession"]
    ) async throws -> [String] {
        // A file whose public declarations use Apple's types imports them publicly.
        let sources =
            mode == .swift6WithUpcomingFeatures
            ? sources.map { $0.replacing(/import (?=\w+\n)/) { _ in "public import " } } : sources
        let added = imports.flatMap { ["-Xfrontend", "-import-module", "-Xfrontend", $0] }
        return try await run(["-typecheck", "-module-name", "Client"] + mode.arguments + added, sources)
    }

    private func run(_ options: [String], _ sources: [String]) async throws -> [String] {
        let files = sources.map { ($0, folder.appending(path: "\(UUID().uuidString).swift")) }
        for (source, file) in files { try source.write(to: file, atomically: false, encoding: .utf8) }
        let path = try #require(Self.path)
        let run = try CommandRun(.init(path: path), arguments + options + files.map(\.1.path))
        let status = try await run.exitStatus(timeout: .seconds(300))
        let errors = run.errors.values.filter { $0.contains("error: ") }
        return status == 0 || errors != [] ? errors : run.errors.values + ["status \(status)"]
    }
}

#endif
