//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
/// The name servers, read from the files that the C library and systemd-resolved use, and read again when these change.
struct ResolverWatch: ~Copyable {
    /// Where the files are.
    struct Files: Sendable {
        /// What the C library reads (resolv.conf(5)).
        var configuration = "/etc/resolv.conf"
        /// systemd-resolved's own servers, when the C library is pointed at its local stub (systemd-resolved(8)).
        var resolvedUplink = "/run/systemd/resolve/resolv.conf"
    }

    private(set) var current = ResolverConfiguration()
    private let files: Files
    private var watch: FileWatch?
    private var names: Set<String> = []

    /// A file longer than this is not a resolver configuration; only its beginning is read.
    private static let mostBytes = 1 << 20
    /// The system's own bound on chained symbolic links is 40.
    private static let mostLinks = 40

    init(_ files: Files = Files(), watch: FileWatch? = FileWatch()) {
        self.files = files
        self.watch = watch
        reload()
    }

    /// The number for poll(2); negative when files cannot be watched.
    var descriptorNumber: Int32 { watch?.number ?? -1 }

    /// Whether changes are not announced, for want of an inotify instance (there are 128 for each user) or of watches.
    var mustBePolled: Bool { watch?.isIncomplete ?? true }

    /// Takes in what happened to the files.
    ///
    /// - Returns: whether the configuration changed.
    mutating func update() -> Bool {
        if watch == nil {
            // Perhaps there is one to be had by now. It knows nothing of what happened before.
            watch = FileWatch()
        } else if let touched = watch?.drain(), !mustBePolled, touched.isDisjoint(with: names) {
            return false
        }
        let old = current
        reload()
        return current != old
    }

    /// Reads the files, and watches each folder on the way: a symbolic link may be replaced at every step.
    mutating func reload() {
        names = [""]
        // What could not be watched is tried again.
        watch?.isIncomplete = false
        follow(files.configuration)
        follow(files.resolvedUplink)
        current = Self.read(files)
    }

    /// The configuration at this moment.
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
            names.insert(name)
            watch(folder)
            guard let target = SystemFile.linkTarget(path) else {
                // Containers have this file mounted from elsewhere.
                watch?.watch(file: path)
                return
            }
            path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
        }
    }

    /// Watches a folder or, while it does not exist, for its coming: in the nearest folder above that exists.
    private mutating func watch(_ folder: String) {
        guard let watch else { return }
        var last: String?
        while true {
            var nearest = folder
            while !watch.watch(folder: nearest), nearest != "/", nearest != "." {
                let (above, name) = Self.split(nearest)
                names.insert(name)
                nearest = above
            }
            // What came before the folder above was watched made no event: look again, until nothing new is found.
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
