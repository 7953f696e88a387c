// SPDX-License-Identifier: Apache-2.0

/// A failed operation in netlink communication.
///
/// The code is open: new ones may be added in any version, so a `switch` over it needs a `default`.
public struct NetlinkError: Error, Hashable, Sendable {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case system, kernel, truncated, malformed, overflow, interrupted, timedOut, invalidArgument
        }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// A system call failed; `errno` has the reason.
        public static let system = Self(.system)
        /// The kernel rejected a request; `errno` and often `message` have the reason.
        public static let kernel = Self(.kernel)
        /// The data is shorter than its length fields claim.
        public static let truncated = Self(.truncated)
        /// The data is inconsistent.
        public static let malformed = Self(.malformed)
        /// The socket's buffer overflowed and events were lost (`ENOBUFS`): read the state again.
        public static let overflow = Self(.overflow)
        /// A table changed during every attempt to dump it.
        public static let interrupted = Self(.interrupted)
        /// The kernel did not answer within the time limit.
        public static let timedOut = Self(.timedOut)
        /// An invalid argument, such as an interface name of more than 15 bytes.
        public static let invalidArgument = Self(.invalidArgument)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The operation that failed, such as `socket` or `RTM_NEWLINK`.
    public let operation: String
    /// The system's error number, where there is one.
    public let errno: Errno?
    /// The kernel's own message (extended acknowledgement), or the problem with the data or the argument.
    public let message: String?

    package init(_ code: Code, operation: String, errno: Errno? = nil, message: String? = nil) {
        self.code = code
        self.operation = operation
        self.errno = errno
        self.message = message
    }

    static func system(_ errno: Errno, _ operation: String) -> Self {
        Self(.system, operation: operation, errno: errno)
    }

    static func truncated(_ what: String, available: Int) -> Self {
        Self(.truncated, operation: "reading", message: "\(what) where there are \(available)")
    }

    static func malformed(_ what: String) -> Self {
        Self(.malformed, operation: "reading", message: what)
    }

    static func invalidArgument(_ operation: String, _ what: String) -> Self {
        Self(.invalidArgument, operation: operation, message: what)
    }
}

extension NetlinkError: CustomStringConvertible {
    /// One line: the operation, how it failed, and the kernel's message.
    public var description: String {
        var text = "\(operation): "
        text += errno.map { "\($0)" } ?? "\(code)"
        if let message { text += " (\(message))" }
        return text
    }
}
