//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import OpenSystemConfiguration

/// Uses each symbol that COMPATIBILITY.md lists as available; the proof is that this compiles.
enum SystemConfigurationProbe {
    // Never called: some create objects, and one runs a run loop.
    static let uses: [(symbol: String, use: @Sendable () -> Void)] = [
        ("SCNetworkReachabilityCreateWithAddress(_:_:)", { _ = SCNetworkReachabilityCreateWithAddress }),
        ("SCNetworkReachabilityCreateWithAddressPair(_:_:_:)", { _ = SCNetworkReachabilityCreateWithAddressPair }),
        ("SCNetworkReachabilityCreateWithName(_:_:)", { _ = SCNetworkReachabilityCreateWithName }),
        ("SCNetworkReachabilityGetTypeID()", { _ = SCNetworkReachabilityGetTypeID }),
        ("SCNetworkReachabilityGetFlags(_:_:)", { _ = SCNetworkReachabilityGetFlags }),
        ("SCNetworkReachabilitySetCallback(_:_:_:)", { _ = SCNetworkReachabilitySetCallback }),
        (
            "SCNetworkReachabilityScheduleWithRunLoop(_:_:_:)",
            { _ = SCNetworkReachabilityScheduleWithRunLoop as (SCNetworkReachability, CFRunLoop, CFString) -> Bool }
        ),
        (
            "SCNetworkReachabilityUnscheduleFromRunLoop(_:_:_:)",
            { _ = SCNetworkReachabilityUnscheduleFromRunLoop as (SCNetworkReachability, CFRunLoop, CFString) -> Bool }
        ),
        ("SCNetworkReachabilitySetDispatchQueue(_:_:)", { _ = SCNetworkReachabilitySetDispatchQueue }),
        ("SCError()", { _ = SCError }),
        ("SCErrorString(_:)", { _ = SCErrorString }),
        ("SCCopyLastError()", { _ = SCCopyLastError }),
        ("SCNetworkReachability", { _ = SCNetworkReachability.self }),
        ("SCNetworkReachabilityCallBack", { _ = SCNetworkReachabilityCallBack.self }),
        ("SCNetworkReachabilityContext", { _ = SCNetworkReachabilityContext.self }),
        ("SCNetworkReachabilityContext.init()", { _ = SCNetworkReachabilityContext() }),
        (
            "SCNetworkReachabilityContext.init(version:info:retain:release:copyDescription:)",
            { _ = SCNetworkReachabilityContext.init(version:info:retain:release:copyDescription:) }
        ),
        ("SCNetworkReachabilityContext.version", { _ = \SCNetworkReachabilityContext.version }),
        ("SCNetworkReachabilityContext.info", { _ = \SCNetworkReachabilityContext.info }),
        ("SCNetworkReachabilityContext.retain", { _ = \SCNetworkReachabilityContext.retain }),
        ("SCNetworkReachabilityContext.release", { _ = \SCNetworkReachabilityContext.release }),
        ("SCNetworkReachabilityContext.copyDescription", { _ = \SCNetworkReachabilityContext.copyDescription }),
        ("SCNetworkReachabilityFlags", { _ = SCNetworkReachabilityFlags.self }),
        ("SCNetworkReachabilityFlags.transientConnection", { _ = SCNetworkReachabilityFlags.transientConnection }),
        ("SCNetworkReachabilityFlags.reachable", { _ = SCNetworkReachabilityFlags.reachable }),
        ("SCNetworkReachabilityFlags.connectionRequired", { _ = SCNetworkReachabilityFlags.connectionRequired }),
        ("SCNetworkReachabilityFlags.connectionOnTraffic", { _ = SCNetworkReachabilityFlags.connectionOnTraffic }),
        ("SCNetworkReachabilityFlags.connectionAutomatic", { _ = SCNetworkReachabilityFlags.connectionAutomatic }),
        ("SCNetworkReachabilityFlags.interventionRequired", { _ = SCNetworkReachabilityFlags.interventionRequired }),
        ("SCNetworkReachabilityFlags.connectionOnDemand", { _ = SCNetworkReachabilityFlags.connectionOnDemand }),
        ("SCNetworkReachabilityFlags.isLocalAddress", { _ = SCNetworkReachabilityFlags.isLocalAddress }),
        ("SCNetworkReachabilityFlags.isDirect", { _ = SCNetworkReachabilityFlags.isDirect }),
        ("SCNetworkReachabilityFlags.isWWAN", { _ = SCNetworkReachabilityFlags.isWWAN }),
        ("kSCStatusOK", { _ = kSCStatusOK }),
        ("kSCStatusFailed", { _ = kSCStatusFailed }),
        ("kSCStatusInvalidArgument", { _ = kSCStatusInvalidArgument }),
        ("kSCStatusAccessError", { _ = kSCStatusAccessError }),
        ("kSCStatusNoKey", { _ = kSCStatusNoKey }),
        ("kSCStatusKeyExists", { _ = kSCStatusKeyExists }),
        ("kSCStatusLocked", { _ = kSCStatusLocked }),
        ("kSCStatusNeedLock", { _ = kSCStatusNeedLock }),
        ("kSCStatusNoStoreSession", { _ = kSCStatusNoStoreSession }),
        ("kSCStatusNoStoreServer", { _ = kSCStatusNoStoreServer }),
        ("kSCStatusNotifierActive", { _ = kSCStatusNotifierActive }),
        ("kSCStatusNoPrefsSession", { _ = kSCStatusNoPrefsSession }),
        ("kSCStatusPrefsBusy", { _ = kSCStatusPrefsBusy }),
        ("kSCStatusNoConfigFile", { _ = kSCStatusNoConfigFile }),
        ("kSCStatusNoLink", { _ = kSCStatusNoLink }),
        ("kSCStatusStale", { _ = kSCStatusStale }),
        ("kSCStatusMaxLink", { _ = kSCStatusMaxLink }),
        ("kSCStatusReachabilityUnknown", { _ = kSCStatusReachabilityUnknown }),
        ("kSCStatusConnectionNoService", { _ = kSCStatusConnectionNoService }),
        ("kSCStatusConnectionIgnore", { _ = kSCStatusConnectionIgnore }),
        ("kCFErrorDomainSystemConfiguration", { _ = kCFErrorDomainSystemConfiguration }),
        ("kSCNetworkFlagsTransientConnection", { _ = kSCNetworkFlagsTransientConnection }),
        ("kSCNetworkFlagsReachable", { _ = kSCNetworkFlagsReachable }),
        ("kSCNetworkFlagsConnectionRequired", { _ = kSCNetworkFlagsConnectionRequired }),
        ("kSCNetworkFlagsConnectionAutomatic", { _ = kSCNetworkFlagsConnectionAutomatic }),
        ("kSCNetworkFlagsInterventionRequired", { _ = kSCNetworkFlagsInterventionRequired }),
        ("kSCNetworkFlagsIsLocalAddress", { _ = kSCNetworkFlagsIsLocalAddress }),
        ("kSCNetworkFlagsIsDirect", { _ = kSCNetworkFlagsIsDirect }),
        ("CFString", { _ = CFString.self }),
        ("CFError", { _ = CFError.self }),
        ("CFIndex", { _ = CFIndex.self }),
        ("CFTypeID", { _ = CFTypeID.self }),
        ("CFAllocator", { _ = CFAllocator.self }),
        ("kCFAllocatorDefault", { _ = kCFAllocatorDefault as Any }),
        ("kCFRunLoopDefaultMode", { _ = kCFRunLoopDefaultMode as Any }),
        ("kCFRunLoopCommonModes", { _ = kCFRunLoopCommonModes as Any }),
        ("RunLoop.Mode as CFString", { _ = RunLoop.Mode.default as CFString }),
        ("CFRunLoop", { _ = CFRunLoop.self }),
        ("CFRunLoopMode", { _ = [CFRunLoopMode.defaultMode, CFRunLoopMode.commonModes] }),
        ("CFRunLoopGetCurrent()", { _ = CFRunLoopGetCurrent }),
        ("CFRunLoopGetMain()", { _ = CFRunLoopGetMain }),
        ("CFRunLoopRun()", { _ = CFRunLoopRun }),
        ("CFRunLoopRunInMode(_:_:_:)", { _ = CFRunLoopRunInMode }),
        ("CFRunLoopStop(_:)", { _ = CFRunLoopStop }),
        ("CFRunLoopWakeUp(_:)", { _ = CFRunLoopWakeUp }),
        ("RunLoop.getCFRunLoop()", { _ = RunLoop.getCFRunLoop }),
        ("sockaddr.sa_len", { _ = \sockaddr.sa_len }),
        ("sockaddr.init(sa_len:sa_family:sa_data:)", { _ = sockaddr.init(sa_len:sa_family:sa_data:) }),
        ("sockaddr_in.sin_len", { _ = \sockaddr_in.sin_len }),
        ("sockaddr_in6.sin6_len", { _ = \sockaddr_in6.sin6_len }),
        ("sockaddr_storage.ss_len", { _ = \sockaddr_storage.ss_len }),
        ("NSEC_PER_SEC", { _ = [NSEC_PER_SEC, NSEC_PER_MSEC, NSEC_PER_USEC, USEC_PER_SEC] }),
        ("CNCopySupportedInterfaces()", { _ = CNCopySupportedInterfaces }),
        ("CNCopyCurrentNetworkInfo(_:)", { _ = CNCopyCurrentNetworkInfo }),
        (
            "kCNNetworkInfoKeySSID",
            { _ = [kCNNetworkInfoKeySSID, kCNNetworkInfoKeyBSSID, kCNNetworkInfoKeySSIDData] }
        ),
        ("CFArray", { _ = CFArray.self }),
        ("CFDictionary", { _ = CFDictionary.self }),
    ]
}

#endif
