// SPDX-License-Identifier: Apache-2.0

import LibC

/// The handling of signals that this process has inherited.
package enum InheritedSignals {
    /// Whether a signal is ignored, as SIGHUP is under nohup(1).
    package static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        unsafe sigaction(number, nil, &action)
        let ignore = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        #if canImport(Darwin)
        return unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == ignore
        #else
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignore
        #endif
    }
}

#if canImport(Musl)
extension sigaction {
    // swift-format-ignore
    /// The handler under glibc's name.
    @safe var __sigaction_handler: __Unnamed_union___sa_handler {
        get { unsafe __sa_handler }
        set { unsafe __sa_handler = newValue }
    }
}
#endif
