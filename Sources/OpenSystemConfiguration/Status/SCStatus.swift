// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

// Apple's header declares an anonymous enumeration, which Swift imports as one `Int` constant per case.

/// The call succeeded.
public let kSCStatusOK: Int = 0
/// The call failed without a specific reason.
public let kSCStatusFailed: Int = 1001
/// An argument is invalid.
public let kSCStatusInvalidArgument: Int = 1002
/// Permission is denied.
public let kSCStatusAccessError: Int = 1003
/// There is no such key.
public let kSCStatusNoKey: Int = 1004
/// The key already exists.
public let kSCStatusKeyExists: Int = 1005
/// The lock is already held.
public let kSCStatusLocked: Int = 1006
/// The operation needs a lock.
public let kSCStatusNeedLock: Int = 1007
/// There is no session with the configuration store.
public let kSCStatusNoStoreSession: Int = 2001
/// There is no configuration store.
public let kSCStatusNoStoreServer: Int = 2002
/// A notification is already active.
public let kSCStatusNotifierActive: Int = 2003
/// There is no preferences session.
public let kSCStatusNoPrefsSession: Int = 3001
/// The preferences are being updated.
public let kSCStatusPrefsBusy: Int = 3002
/// There is no configuration file.
public let kSCStatusNoConfigFile: Int = 3003
/// There is no such link.
public let kSCStatusNoLink: Int = 3004
/// The object has been changed elsewhere, so this copy is stale.
public let kSCStatusStale: Int = 3005
/// There are too many links.
public let kSCStatusMaxLink: Int = 3006
/// Reachability cannot be determined.
public let kSCStatusReachabilityUnknown: Int = 4001
/// There is no network service for the connection.
public let kSCStatusConnectionNoService: Int = 5001
/// The status of the connection is not known at this time.
public let kSCStatusConnectionIgnore: Int = 5002

#endif
