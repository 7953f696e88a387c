// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

/// The texts of `SCErrorString(_:)`, which programs print and compare.
enum StatusText {
    static let unknown: StaticString = "Unknown error"

    /// Returns the text of one of the framework's own statuses; nil for any other number.
    static func text(_ status: Int) -> StaticString? {
        switch status {
        case kSCStatusOK: "Success!"
        case kSCStatusFailed: "Failed!"
        case kSCStatusInvalidArgument: "Invalid argument"
        case kSCStatusAccessError: "Permission denied"
        case kSCStatusNoKey: "No such key"
        case kSCStatusKeyExists: "Key already defined"
        case kSCStatusLocked: "Lock already held"
        case kSCStatusNeedLock: "Lock required for this operation"
        case kSCStatusNoStoreSession: "Configuration daemon session not active"
        case kSCStatusNoStoreServer: "Configuration daemon not (no longer) available"
        case kSCStatusNotifierActive: "Notifier is currently active"
        case kSCStatusNoPrefsSession: "Preference session not active"
        case kSCStatusPrefsBusy: "Preferences update currently in progress"
        case kSCStatusNoConfigFile: "Configuration file not found"
        case kSCStatusNoLink: "No such link"
        case kSCStatusStale: "Write attempted on stale version of object"
        case kSCStatusMaxLink: "Maximum link count exceeded"
        case kSCStatusReachabilityUnknown: "Network reachability cannot be determined"
        case kSCStatusConnectionNoService: "Network service for connection not available"
        case kSCStatusConnectionIgnore: "Network connection information not available at this time"
        default: nil
        }
    }
}

#endif
