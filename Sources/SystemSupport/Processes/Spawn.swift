// SPDX-License-Identifier: Apache-2.0

import LibC

#if !canImport(Darwin)
import CLinux
#endif

/// How to start a program: posix_spawnp(3).
///
/// No signal is blocked in the program, although the threads of Dispatch and of Swift block all of them.
package struct Spawn: Sendable {
    /// Standard input, output or error.
    package enum Stream: Sendable {
        /// A file, which is opened with these flags of open(2).
        case file(String, Int32)
        /// A descriptor of this process, or the program's stream of this number if that comes earlier.
        case descriptor(Int32)
    }

    /// The process group of the program.
    package enum Group: Sendable {
        /// That of this process.
        case inherited
        /// Its own.
        case own
        /// Its own, in its own session, whose terminal is the first that the program opens.
        case session
    }

    /// Every signal whose handling a process can change.
    static let allSignals = (1..<NSIG).filter { ![SIGKILL, SIGSTOP].contains($0) }

    /// The program, found by `PATH` if it has no slash, and its arguments; not empty.
    package var arguments: [String]
    /// All variables; nil for those of this process.
    package var environment: [String: String]?
    /// Standard input, output and error; the program gets no other descriptor.
    ///
    /// Nil passes on every descriptor that this process inherited, as the commands env(1) and nohup(1) do.
    package var streams: [Stream]?
    package var group = Group.inherited
    /// The signals whose default handling the program gets; for others it keeps being ignored if this process ignores them.
    package var defaultSignals = Self.allSignals

    package init(_ arguments: [String]) { self.arguments = arguments }

    /// Starts the program.
    ///
    /// - Returns: its process ID.
    package func start() throws(SystemError) -> Int32 {
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        var actions: posix_spawn_file_actions_t?
        #else
        var attributes = posix_spawnattr_t()
        var actions = unsafe posix_spawn_file_actions_t()
        #endif
        // The pointers are to variables of this function, and the calls copy what they need later.
        try check(unsafe posix_spawnattr_init(&attributes))
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        try check(unsafe posix_spawn_file_actions_init(&actions))
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var set = sigset_t()
        unsafe sigemptyset(&set)
        try check(unsafe posix_spawnattr_setsigmask(&attributes, &set))
        for number in defaultSignals { unsafe sigaddset(&set, number) }
        try check(unsafe posix_spawnattr_setsigdefault(&attributes, &set))
        try check(unsafe posix_spawnattr_setflags(&attributes, Int16(flags)))
        if let streams {
            for (number, stream) in zip(Int32(0)..., streams) {
                switch stream {
                case .file(let path, let flags):
                    try check(unsafe posix_spawn_file_actions_addopen(&actions, number, path, flags, 0))
                case .descriptor(let source):
                    try check(unsafe posix_spawn_file_actions_adddup2(&actions, source, number))
                }
            }
            #if !canImport(Darwin)
            // Some libraries open descriptors that programs inherit, such as NIO's epoll instances.
            try check(unsafe CLinux_closeFrom(&actions, Int32(streams.count)))
            #endif
        }
        var list = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var variables = unsafe (environment ?? [:]).map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer { unsafe (list + variables).forEach { unsafe free($0) } }
        var identifier: pid_t = 0
        if environment == nil {
            try check(unsafe posix_spawnp(&identifier, arguments[0], &actions, &attributes, &list, environ))
        } else {
            try check(unsafe posix_spawnp(&identifier, arguments[0], &actions, &attributes, &list, &variables))
        }
        return identifier
    }

    private var flags: Int32 {
        var flags = Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        switch group {
        case .inherited: break
        // The group's number is the process ID by default.
        case .own: flags |= Int32(POSIX_SPAWN_SETPGROUP)
        case .session: flags |= Self.newSession
        }
        #if canImport(Darwin)
        if streams != nil { flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT) }
        #endif
        return flags
    }

    #if canImport(Darwin)
    private static let newSession = Int32(POSIX_SPAWN_SETSID)
    #else
    /// POSIX_SPAWN_SETSID of <spawn.h>, which glibc shows only to GNU sources.
    private static let newSession: Int32 = 0x80
    #endif

    /// The functions of <spawn.h> return error numbers.
    private func check(_ number: Int32) throws(SystemError) { if number != 0 { throw SystemError(number) } }
}

#if canImport(Darwin)
/// The environment of this process, which Apple's C library offers by a function.
private var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { unsafe _NSGetEnviron().pointee }
#endif
