// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import SystemSupport

/// Reads the name servers from the files of the C library and systemd-resolved, and rereads them when these change.
struct ResolvConfWatch: ~Copyable {
    /// The paths to read.
    struct Files: Sendable {
        /// The C library's configuration (resolv.conf(5)).
        var configuration = "/etc/resolv.conf"
        /// systemd-resolved's upstream servers, used if the C library points at its local stub (systemd-resolved(8)).
        var resolvedUplink = "/run/systemd/resolve/resolv.conf"
    }

    private(set) var current = ResolverConfiguration()
    private let files: Files
    private var watch: FileWatch?
    private var names: [String] = []

    /// The number of bytes read; a longer file is not a resolver configuration.
    private static let mostBytes = 1 << 20
    /// The limit on chained symbolic links, which is also the system's.
    private static let mostLinks = 40

    init(_ files: Files = Files(), watch: FileWatch? = FileWatch()) {
        self.files = files
        self.watch = watch
        reload()
    }

    /// The file descriptor for poll(2); negative if files cannot be watched.
    var descriptorNumber: Int32 { watch?.number ?? -1 }

    /// Whether changes are not announced, because no inotify instance (128 per user) or watch is available.
    var mustBePolled: Bool { watch?.isIncomplete ?? true }

    /// Handles the file events.
    ///
    /// - Returns: whether the configuration changed.
    mutating func update() -> Bool {
        if watch == nil {
            // An instance may be available by now. It has missed all earlier changes.
            watch = FileWatch()
        } else if let touched = watch?.drain(), !mustBePolled, !touched.contains(where: names.contains) {
            return false
        }
        let old = current
        reload()
        return current != old
    }

    /// Reads the files, and watches each directory on the way, because a symbolic link may be replaced at every step.
    mutating func reload() {
        names = [""]
        // Retry the watches that failed.
        watch?.isIncomplete = false
        follow(files.configuration)
        follow(files.resolvedUplink)
        current = Self.read(files)
    }

    /// Reads the current configuration.
    static func read(_ files: Files) -> ResolverConfiguration {
        let configuration = read(files.configuration)
        guard configuration.isResolvedStub else { return configuration }
        let uplink = read(files.resolvedUplink)
        return uplink.servers.isEmpty ? configuration : uplink
    }

    private mutating func follow(_ start: String) {
        var path = start
        for _ in 0..<Self.mostLinks {
            let (folder, name) = Self.split(path)
            names.append(name)
            watch(folder)
            guard let target = try? SystemCall.readLink(path) else {
                // In containers this file is mounted from elsewhere.
                watch?.watch(file: path)
                return
            }
            path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
        }
    }

    /// Watches a directory.
    ///
    /// While it does not exist, watches the nearest existing parent for its creation.
    private mutating func watch(_ folder: String) {
        guard let watch else { return }
        var last: String?
        while true {
            var nearest = folder
            while !watch.watch(folder: nearest), nearest != "/", nearest != "." {
                let (above, name) = Self.split(nearest)
                names.append(name)
                nearest = above
            }
            // A directory created before its parent was watched caused no event: check until nothing is new.
            if nearest == folder || nearest == last { return }
            last = nearest
        }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    private static func read(_ path: String) -> ResolverConfiguration {
        SystemFile.text(path, limit: mostBytes).map(ResolverConfiguration.init(parsing:)) ?? ResolverConfiguration()
    }
}
#endif
