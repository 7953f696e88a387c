//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Foundation
#endif

/// Which languages a person reads.
public enum PreferredLanguages {
    /// Those that this process was started for, best first.
    ///
    /// On Linux by the variables `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG`, as gettext(3) reads them; on Apple
    /// platforms those of the user's settings.
    public static func ofThisProcess() -> [String] {
        #if canImport(Darwin)
        Locale.preferredLanguages
        #else
        languages { name in getenv(name).map { String(cString: $0) } }
        #endif
    }

    /// The same from any environment.
    static func languages(_ variable: (String) -> String?) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
        // In the C locale there are no translations, whatever LANGUAGE says.
        guard let locale, locale != "C", locale != "POSIX", !locale.hasPrefix("C.") else { return [] }
        let list = variable("LANGUAGE")?.split(separator: ":").map(String.init) ?? []
        return list + [locale]
    }
}
