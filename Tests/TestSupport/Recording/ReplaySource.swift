//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Netlink
public import NetworkModel
public import NetworkState
import Synchronization

/// Plays a recording: a subscriber receives what the subscribers of the recorded source received.
///
/// The first state that was recorded is the current one from the beginning; each `advance()` tells the next.
public final class ReplaySource: NetworkStateSource {
    private let source: ScriptedSource
    private let coming: Mutex<ArraySlice<NetworkSnapshot>>

    /// Creates a source at the start of a recording.
    ///
    /// - Throws: `truncated` or `malformed` when a recorded datagram is.
    public init(_ recording: NetworkRecording) throws(NetlinkError) {
        let snapshots = try recording.snapshots()
        source = ScriptedSource(snapshots.first)
        coming = Mutex(snapshots.dropFirst())
    }

    /// Tells the next recorded state.
    ///
    /// - Returns: false at the end of the recording.
    @discardableResult
    public func advance() -> Bool {
        guard let next = coming.withLock({ $0.popFirst() }) else { return false }
        source.publish(next)
        return true
    }

    /// Subscribes: see `NetworkStateSource`.
    ///
    /// Calls come on the thread that subscribes or advances.
    public func subscribe(_ receive: @escaping @Sendable (NetworkUpdate) -> Void) -> UpdateSubscription {
        source.subscribe(receive)
    }
}
