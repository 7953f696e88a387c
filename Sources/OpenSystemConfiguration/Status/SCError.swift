//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's and the C library's.

#if !canImport(Darwin)

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif
public import Foundation

/// The status of the last call that failed on this thread.
///
/// A call that succeeds leaves it alone: read it right after a failure. Source: Apple's documentation of `SCError()`.
@discardableResult
public func SCError() -> Int32 { LastError.code }

/// Words for a status, or for an error number of the system.
///
/// - Returns: text that is never released. Source: Apple's documentation of `SCErrorString(_:)`, configd's table.
@discardableResult
public func SCErrorString(_ status: Int32) -> UnsafePointer<CChar> {
    let text = StatusText.text(Int(status))
    if let text { return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self) }
    if let system = strerror(status) { return UnsafePointer(system) }
    return UnsafeRawPointer(StatusText.unknown.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// The status of the last call that failed on this thread, as an error object of the framework's domain.
///
/// Source: Apple's documentation of `SCCopyLastError()`.
@discardableResult
public func SCCopyLastError() -> CFError {
    let code = SCError()
    let text = String(cString: SCErrorString(code))
    return NSError(
        domain: kCFErrorDomainSystemConfiguration as String, code: Int(code),
        userInfo: [NSLocalizedDescriptionKey: text])
}

/// The domain of the framework's errors.
public var kCFErrorDomainSystemConfiguration: CFString { "com.apple.SystemConfiguration" as NSString }

/// Keeps one number per thread.
enum LastError {
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// The calling thread's number; 0 on a thread where nothing has failed.
    static var code: Int32 {
        get {
            guard let key else { return 0 }
            return Int32(truncatingIfNeeded: Int(bitPattern: pthread_getspecific(key)))
        }
        set {
            guard let key else { return }
            pthread_setspecific(key, UnsafeRawPointer(bitPattern: Int(newValue)))
        }
    }

    /// Notes why a call fails.
    ///
    /// - Returns: false, for the call to return.
    static func fail(_ status: Int) -> Bool {
        code = Int32(truncatingIfNeeded: status)
        return false
    }
}

#endif
