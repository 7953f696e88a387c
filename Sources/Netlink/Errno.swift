// SPDX-License-Identifier: Apache-2.0

import CLibrary

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
    /// `ESRCH`: for a lookup, a table without the route.
    package static let noSuchProcess = Self(rawValue: 3)
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
    /// `EADDRNOTAVAIL`: for a lookup, a source address that this host does not have.
    package static let addressNotAvailable = Self(rawValue: 99)
    /// `ENETDOWN`: for a lookup, a link that is off.
    package static let networkDown = Self(rawValue: 100)
    /// `ENETUNREACH`: for a lookup, no route.
    public static let networkUnreachable = Self(rawValue: 101)
    /// `ENOBUFS`: a netlink socket overflowed.
    public static let noBufferSpace = Self(rawValue: 105)
    /// `EHOSTUNREACH`: for a lookup, an `unreachable` route.
    public static let hostUnreachable = Self(rawValue: 113)
}

extension Errno: CustomStringConvertible {
    /// The system's message for the number.
    public var description: String { Libc.message(forErrno: rawValue) }
}

/// Conversions by the C library, which need no kernel and work on every platform.
enum Libc {
    /// The system's message for an error number, by strerror(3), whose result is per-thread or constant in the C libraries in use.
    static func message(forErrno number: Int32) -> String {
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: text)
    }
}
