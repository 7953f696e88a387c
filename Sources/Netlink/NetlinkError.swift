// SPDX-License-Identifier: Apache-2.0

import LibC
package import SystemSupport

/// A failed operation in netlink communication.
public struct NetlinkError: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: String, Sendable, CustomStringConvertible {
        /// A system call failed; `errno` has the reason.
        case system
        /// The kernel rejected a request; `errno` and often `message` have the reason.
        case kernel
        /// The data is shorter than its length fields claim.
        case truncated
        /// The data is inconsistent.
        case malformed
        /// The socket's buffer overflowed and events were lost (`ENOBUFS`): read the state again.
        case overflow
        /// A table changed during every attempt to dump it.
        case interrupted
        /// The kernel did not answer within the time limit.
        case timedOut
        /// An invalid argument, such as an interface name of more than 15 bytes.
        case invalidArgument

        /// The code's name.
        public var description: String { rawValue }
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

    /// The error of a system call.
    package init(_ failure: SystemError, operation: String) {
        self.init(.system, operation: operation, errno: Errno(rawValue: failure.number))
    }

    package static func truncated(_ what: String, available: Int) -> Self {
        Self(.truncated, operation: "reading", message: "\(what) where there are \(available)")
    }

    package static func malformed(_ what: String) -> Self {
        Self(.malformed, operation: "reading", message: what)
    }

    package static func invalidArgument(_ operation: String, _ what: String) -> Self {
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

extension NetlinkError {
    /// A system error number.
    ///
    /// Unknown numbers are kept.
    ///
    /// The named ones are those that netlink clients handle; the values are Linux's (`asm-generic/errno.h`).
    public struct Errno: RawRepresentable, Error, Hashable, Sendable {
        /// The number.
        public let rawValue: Int32

        /// Creates an error number.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// `EPERM`.
        public static let notPermitted = Self(rawValue: 1)
        /// `ENOENT`.
        public static let noSuchEntry = Self(rawValue: 2)
        /// `EINTR`.
        public static let interrupted = Self(rawValue: 4)
        /// `EAGAIN`.
        public static let wouldBlock = Self(rawValue: 11)
        /// `ENOMEM`.
        public static let noMemory = Self(rawValue: 12)
        /// `EACCES`: for a lookup, a `prohibit` route or rule.
        public static let permissionDenied = Self(rawValue: 13)
        /// `EEXIST`.
        public static let exists = Self(rawValue: 17)
        /// `ENODEV`: no such link.
        public static let noSuchDevice = Self(rawValue: 19)
        /// `EINVAL`: for a lookup, a `blackhole` route.
        public static let invalidArgument = Self(rawValue: 22)
        /// `EMFILE`: this process has too many files open.
        public static let tooManyOpenFiles = Self(rawValue: 24)
        /// `ENOSYS`: such as a system call that a sandbox hides.
        package static let noSuchCall = Self(rawValue: 38)
        /// `EOPNOTSUPP`: such as a link kind that this kernel does not have.
        public static let notSupported = Self(rawValue: 95)
        /// `EAFNOSUPPORT`: also the answer of a sandbox that hides netlink.
        public static let addressFamilyNotSupported = Self(rawValue: 97)
        /// `ENETUNREACH`: for a lookup, no route.
        public static let networkUnreachable = Self(rawValue: 101)
        /// `ENOBUFS`: a netlink socket overflowed.
        public static let noBufferSpace = Self(rawValue: 105)
        /// `EHOSTUNREACH`: for a lookup, an `unreachable` route.
        public static let hostUnreachable = Self(rawValue: 113)
    }
}

extension NetlinkError.Errno: CustomStringConvertible {
    /// The system's message for the number.
    public var description: String { SystemError(rawValue).description }
}
